"""BLANC-tune: masked words of the source, guessed before and after the summary was learnt.

Vasilyev, Dharnidharka, Bohannon (2020): Fill in the BLANC. Sections 2.3 and 2.4, figure 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from random import Random
from typing import ClassVar

from tricolore.example import Example
from tricolore.measures.blanc import apply_mask, read_sentences, word_maskings
from tricolore.measures.blanc_counts import (
    Counts,
    GuessedRight,
    MaskedItem,
    Masking,
    SourcePlace,
    heat_map,
    which_are_right,
)
from tricolore.measures.blanc_tune_samples import Masks, SummarySamples, check_least
from tricolore.memo import remembered
from tricolore.models.learning import Sample, Tuning
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.queries import Query
from tricolore.models.tokens import Tokens
from tricolore.score import Score
from tricolore.settings import setting

Right = list[bool]
"""Which words of a masking were guessed."""


def blanc_tune(
    lm: MaskedLM,
    samples: Sequence[Sample],
    text: str,
    tuning: Tuning,
    *,
    gap: int = 6,
    min_word: int = 4,
    lowercase: bool = False,
) -> float:
    """BLANC-tune by the second half of its definition (figure 4): inference before and after.

    `samples` are the summary with masked words, dataset_tune of the figure; `gap` is M and
    `min_word` is L_min. `BlancTune` with the preset `paper` gives the same number.
    """
    queries: list[tuple[Tokens, Masking, Query]] = []
    for sentence in read_sentences(lm, text, lowercase=lowercase):
        for masking in word_maskings(sentence, gap, min_word):
            ids = lm.frame(apply_mask(sentence.ids, masking, lm.mask_id))
            query = Query(ids, tuple(1 + at for word in masking for at in word))
            queries.append((sentence, masking, query))

    def inference(model: MaskedLM) -> list[list[bool]]:
        return [which_are_right(s.ids, masking, model.predict([q])[0]) for s, masking, q in queries]

    before = inference(lm)
    with lm.tuned(samples, tuning) as tuned:  # the model itself, until the block ends
        after = inference(tuned)
    counts = Counts()
    for base, tuned_right in zip(before, after, strict=True):
        counts.add(zip(base, tuned_right, strict=True))  # S_ij
    return counts.relative


@dataclass(frozen=True, kw_only=True)
class BlancTune(SummarySamples):
    """How much better the model guesses masked words of the source once tuned on the summary."""

    name = "blanc-tune"
    needs = frozenset({"source"})
    direction = "higher"
    cost = "many seconds per summary: the model is tuned on it, then reads the source"
    batch_size = 1  # A summary takes long: a killed run must not lose those that are done.
    presets: ClassVar = {
        "released": {},
        "paper": {
            "gap": 6,
            "unit": "words",
            "unicode": "none",
            "masks_tune": "randomly",
            "replacement": "vocabulary",
            "chunk": 0,
            "stride": 0,
            "top": False,
            "passes": 10,
            "epochs": 1,
        },
    }

    masks: Masks = setting(
        "evenly",
        "How the source is masked: every `gap`-th word in turn (`evenly`), or `p_mask` of its "
        "words at a time (`randomly`).",
    )
    epochs: int = setting(Tuning.epochs, "How often the tuning goes through all samples.")
    batch: int = setting(Tuning.batch, "Number of samples per step of the tuning.")
    learning_rate: float = setting(
        Tuning.learning_rate,
        "Step size of AdamW at the start of the tuning; it falls linearly to 0.",
    )
    warmup: int = setting(Tuning.warmup, "Number of first steps in which the step size grows.")
    weight_decay: float = setting(
        Tuning.weight_decay, "Weight decay of all weights but biases and norms."
    )
    freeze_below: int = setting(
        Tuning.freeze_below,
        "Number of lowest layers that are not tuned; if any, the embeddings are not, either.",
    )
    freeze_above: int = setting(
        Tuning.freeze_above,
        "Number of highest layers that are not tuned; if any, the head is not, either.",
    )
    use_dropout: bool = setting(
        Tuning.dropout, "Whether the model's own dropout is on in the tuning."
    )
    threads: int = setting(
        Tuning.threads, "Number of threads of the tuning; the last digits of values depend on it."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, _LEAST)
        if self.learning_rate <= 0:
            raise ValueError(f"learning_rate={self.learning_rate} was given, but it is above 0")
        if self.dtype == "int8":
            raise ValueError("dtype=int8 cannot be tuned; choose fp32, bf16 or fp16")

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        if not examples:
            return []
        if problem := self._unfit():
            return [Score.missing(problem) for _ in examples]
        states = [self._state(example) for example in examples]
        tuned: dict[str, dict[_SourceMasking, Right]] = {}
        for state in states:
            for asked in state.asked:
                tuned.setdefault(asked.learnt, {})[asked.ask] = asked.before
        for summary, guesses in tuned.items():
            guesses.update(self._tuned(summary, guesses))
        return [self._result(state, tuned, evidence) for state in states]

    def _unfit(self) -> str | None:
        """Why this model cannot be tuned as asked."""
        layers = self.lm.layers
        if self.freeze_below + self.freeze_above > layers:
            return (
                f"freeze_below={self.freeze_below} and freeze_above={self.freeze_above} "
                f"are more layers than the model's {layers}"
            )
        return None

    # "Whenever a sentence contains its exact copy in the summary": section 2.4.

    def _state(self, example: Example) -> _AskedExample:
        """What is asked for an example, and what is learnt before."""
        own = self._read(example.summary) if self.guard != "none" else []
        state = _AskedExample(example)
        for number, text in enumerate(example.source):
            document = _untuned(self, text)
            learnt = {
                sentence.ids: self._learnt(example.summary, own, sentence, document)
                for sentence in document.sentences
            }
            for ask, before in document.asked:
                summary = learnt[ask.sentence.ids]
                if summary is None:
                    state.has_skipped = True
                else:
                    state.asked.append(_Asked(number, ask, before, summary))
        return state

    def _learnt(
        self, summary: str, own: Sequence[Tokens], sentence: Tokens, document: _AskedDocument
    ) -> str | None:
        """The summary that is learnt before a sentence is guessed; None if it is skipped."""
        guarded = self._guarded(own, sentence, document.sentences)
        if guarded is None:
            return None
        made, end = "", 0
        for part, other in zip(own, guarded, strict=True):
            if other is not part:
                made += summary[end : part.spans[0][0]]
                end = part.spans[-1][1]
                if other:
                    made += document.text[other.spans[0][0] : other.spans[-1][1]]
                else:
                    made = made.rstrip()
        return made + summary[end:]

    # "Tune the model on the summary."

    def _tuned(self, summary: str, asks: Iterable[_SourceMasking]) -> dict[_SourceMasking, Right]:
        """What is right once the model is tuned on the summary; nothing if there is no sample."""
        samples = list(self.samples(summary))
        if not samples:
            return {}
        with self.lm.tuned(samples, self._tuning()):
            return self._guess(asks)

    def _tuning(self) -> Tuning:
        own = {"dropout": self.use_dropout}
        same = {f.name: getattr(self, f.name) for f in fields(Tuning) if f.name not in own}
        return Tuning(**same, **own)

    # "Compare inference using the model vs. model_tuned."

    def _asks(self, sentences: Iterable[Tokens]) -> Iterator[_SourceMasking]:
        """Every masking of every sentence; the same for the model before and after."""
        lm = self.lm
        room = lm.max_tokens - len(lm.frame())
        chance = Random(self.seed)
        for sentence in sentences:
            part = sentence.part(0, room)
            for masking in self.maskings_of(*self._items(part), self.masks, chance):
                ids = lm.frame(apply_mask(part.ids, masking, lm.mask_id))
                places = tuple(1 + at for item in masking for at in item)
                yield _SourceMasking(sentence, masking, Query(ids, places))

    def _guess(self, asks: Iterable[_SourceMasking]) -> dict[_SourceMasking, Right]:
        """Which words of each masking the model guesses in its current state."""
        asks = list(asks)
        guesses = self.lm.predict([ask.query for ask in asks])
        return {
            ask: which_are_right(ask.sentence.ids, ask.masking, guessed)
            for ask, guessed in zip(asks, guesses, strict=True)
        }

    def _result(
        self,
        state: _AskedExample,
        tuned: Mapping[str, Mapping[_SourceMasking, Right]],
        evidence: bool,
    ) -> Score:
        if not len(self.summary_tokens(state.example.summary)):
            return Score.missing("the summary has nothing that the model can read")
        counts = Counts()
        seen: dict[SourcePlace, list[GuessedRight]] = {}
        for asked in state.asked:
            after = tuned[asked.learnt][asked.ask]
            counts.add(zip(asked.before, after, strict=True))
            if evidence:
                for item, *outcome in zip(asked.ask.masking, asked.before, after, strict=True):
                    place = (asked.document, *asked.ask.characters(item))
                    seen.setdefault(place, []).append((outcome[0], outcome[1]))
        return self._scored(counts, heat_map(seen), has_skipped=state.has_skipped)


_LEAST = {
    "epochs": 1,
    "batch": 1,
    "warmup": 0,
    "weight_decay": 0,
    "freeze_below": 0,
    "freeze_above": 0,
    "threads": 1,
}


@dataclass(frozen=True)
class _SourceMasking:
    """One masking of a sentence of the source."""

    sentence: Tokens
    masking: Masking
    query: Query

    def characters(self, item: MaskedItem) -> tuple[int, int]:
        """The span of a word or token in its document."""
        return self.sentence.spans[item[0]][0], self.sentence.spans[item[-1]][1]


@dataclass(frozen=True)
class _AskedDocument:
    """A document, its maskings, and which of them the untuned model guesses right."""

    text: str
    sentences: Sequence[Tokens]
    asked: Sequence[tuple[_SourceMasking, Right]]
    """A sentence of fewer words than `gap_mask` is masked in the same way several times."""


@dataclass(frozen=True)
class _Asked:
    """A masking of a document, what the untuned model guesses, and the summary that is learnt."""

    document: int
    ask: _SourceMasking
    before: Right
    learnt: str


@dataclass
class _AskedExample:
    """All that is asked for an example, and whether the guard has left a sentence out."""

    example: Example
    asked: list[_Asked] = field(default_factory=list)
    has_skipped: bool = False


@remembered
def _untuned(measure: BlancTune, text: str) -> _AskedDocument:
    """Kept so that each document is read once, however many summaries of it come."""
    sentences = measure._read(text)
    asks = list(measure._asks(sentences))
    right = measure._guess(asks)
    return _AskedDocument(text, sentences, [(ask, right[ask]) for ask in asks])
