"""BLANC-tune: masked words of the source, guessed before and after the summary was learnt.

Vasilyev, Dharnidharka, Bohannon (2020): Fill in the BLANC. Section 2.3, figure 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any, ClassVar, Literal

from tricolore.example import Example
from tricolore.measures.blanc import (
    BlancMeasure,
    Counts,
    GuessedRight,
    MaskedItem,
    Masking,
    SourcePlace,
    apply_mask,
    heat_map,
    read_sentences,
    which_are_right,
    word_maskings,
)
from tricolore.memo import remembered
from tricolore.models.learning import Sample, Tuning
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.queries import Query
from tricolore.models.tokens import Tokens
from tricolore.score import Score
from tricolore.settings import setting

Right = list[bool]
"""Which words of a masking were guessed."""
Masks = Literal["evenly", "randomly"]


def blanc_tune(
    lm: MaskedLM,
    samples: Sequence[Sample],
    text: str,
    tuning: Tuning,
    *,
    gap: int = 6,
    min_word: int = 4,
) -> float:
    """BLANC-tune by the second half of its definition (figure 4): inference before and after.

    `samples` are the summary with masked words, dataset_tune of the figure; `gap` is M and
    `min_word` is L_min. `BlancTune` with the preset `paper` gives the same number.
    """
    queries: list[tuple[Tokens, Masking, Query]] = []
    for sentence in read_sentences(lm, text):
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


_RELEASED_IDS = range(1000, 30000)
"""The ids from which the released code samples random tokens, whatever the model."""


@dataclass(frozen=True, kw_only=True)
class BlancTune(BlancMeasure):
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
    masks_tune: Masks = setting("evenly", "How the summary is masked, with the same choices.")
    p_mask: float = setting(0.15, "The share of words that are masked `randomly`.")
    gap_tune: int = setting(0, "`gap` for the summary; 0: as for the source (released code).")
    gap_mask_tune: int = setting(
        0, "`gap_mask` for the summary; 0: as for the source (released code)."
    )
    min_word_tune: int = setting(
        0, "`min_word` for the summary; 0: as for the source (released code)."
    )
    min_lead_tune: int = setting(
        0, "`min_lead` for the summary; 0: as for the source (released code)."
    )
    min_followup_tune: int = setting(
        0, "`min_followup` for the summary; 0: as for the source (released code)."
    )
    p_replace: float = setting(
        0.1, "The share of the tokens to learn that are shown as a random token, not as the mask."
    )
    p_keep: float = setting(0.1, "The share of the tokens to learn that are shown as they are.")
    replacement: Literal["range", "vocabulary"] = setting(
        "range",
        "What random tokens are: those with ids 1000 to 29999, as far as the model has them "
        "(`range`, released code), or any that is not special (`vocabulary`).",
    )
    chunk: int = setting(
        64,
        "Number of tokens of the summary in a sample; 0: as many as the model reads (released "
        "code).",
    )
    stride: int = setting(
        32, "Tokens from the start of a chunk to that of the next; 0: half a chunk (released code)."
    )
    top: bool = setting(
        True,
        "Whether the first tokens, which are in fewer chunks, get chunks of their own (released "
        "code).",
    )
    passes: int = setting(1, "How often the summary is masked anew; N in the paper.")
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
    seed: int = setting(
        Tuning.seed, "Seed of the random masks, of the random tokens and of dropout."
    )
    threads: int = setting(
        Tuning.threads, "Number of threads of the tuning; the last digits of values depend on it."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise ValueError(
                    f"{name}={getattr(self, name)} was given, but it is at least {least}"
                )
        if not 0 < self.p_mask <= 1:
            raise ValueError(f"p_mask={self.p_mask} was given, but it is above 0 and at most 1")
        if self.p_replace + self.p_keep > 1:
            raise ValueError(
                f"p_replace={self.p_replace} and p_keep={self.p_keep} were given, "
                "but together they are at most 1"
            )
        if self.learning_rate <= 0:
            raise ValueError(f"learning_rate={self.learning_rate} was given, but it is above 0")
        if self.dtype == "int8":
            raise ValueError("dtype=int8 cannot be tuned; choose fp32, bf16 or fp16")
        self._for_summary()  # The gaps for the summary must fit each other, too.

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        if not examples:
            return []
        if problem := self._unfit():
            return [Score.missing(problem) for _ in examples]
        documents = {text: _untuned(self, text) for e in examples for text in e.source}
        tuned = {
            summary: self._tuned(summary, {text: documents[text] for text in texts})
            for summary, texts in _by_summary(examples).items()
        }
        return [self._result(e, documents, tuned[e.summary], evidence) for e in examples]

    def _unfit(self) -> str | None:
        """Why this model cannot be tuned as asked."""
        layers = self.lm.layers
        if self.freeze_below + self.freeze_above > layers:
            return (
                f"freeze_below={self.freeze_below} and freeze_above={self.freeze_above} "
                f"are more layers than the model's {layers}"
            )
        return None

    # "Tune the model on the summary."

    def _tuned(
        self, summary: str, documents: Mapping[str, _AskedDocument]
    ) -> dict[str, list[Right]]:
        """What is right in each document once the model is tuned on the summary."""
        asks = {text: document.asks for text, document in documents.items()}
        samples = list(self._samples(summary)) if any(asks.values()) else []
        if not samples:  # nothing is learnt
            return {text: document.right for text, document in documents.items()}
        with self.lm.tuned(samples, self._tuning()):
            return self._guess(asks)

    def _tuning(self) -> Tuning:
        own = {"dropout": self.use_dropout}
        same = {f.name: getattr(self, f.name) for f in fields(Tuning) if f.name not in own}
        return Tuning(**same, **own)

    def _samples(self, summary: str) -> Iterator[Sample]:
        """dataset_tune: "the very same summary but with different tokens masked"."""
        tokens = self.lm.tokenize(summary)
        chance = Random(self.seed)
        reader = self._for_summary()
        room = self.lm.max_tokens - len(self.lm.frame())
        for _ in range(self.passes):
            for start, end in self._chunks(len(tokens), room):
                items, allowed = reader._items_of_chunk(tokens, start, end)
                for masking in reader._maskings_of(items, allowed, self.masks_tune, chance):
                    yield self._sample(tokens.ids[start:end], masking, chance)

    def _for_summary(self) -> BlancTune:
        """The same measure with the settings for the summary in place of those for the source."""
        names = ("gap", "gap_mask", "min_word", "min_lead", "min_followup")
        own: dict[str, Any] = {name: getattr(self, f"{name}_tune") for name in names}
        other = {
            name: value for name, value in own.items() if value not in (0, getattr(self, name))
        }
        if not other:
            return self
        try:
            return replace(self, **other)
        except ValueError as problem:
            raise ValueError(f"for the summary, {problem}") from problem

    def _chunks(self, length: int, room: int) -> Iterator[tuple[int, int]]:
        """Where chunks of the summary begin and end."""
        if not self.chunk and length <= room:
            yield from [(0, length)] if length else []
            return
        size = min(self.chunk or room, room)
        stride = min(self.stride or max(1, size // 2), size)
        for start in range(0, length, stride):
            yield start, min(start + size, length)
            if self.top and 0 < start < size:
                yield 0, start

    def _items_of_chunk(
        self, tokens: Tokens, start: int, end: int
    ) -> tuple[list[MaskedItem], list[bool]]:
        """Like `_items`, but a piece at the start of a chunk still continues the word before it."""
        first = max(0, start - 1)
        items, allowed = self._items(tokens.part(first, end))
        shift = start - first
        shifted = [tuple(at - shift for at in item if at >= shift) for item in items]
        kept = [at for at, item in enumerate(shifted) if item]
        return [shifted[at] for at in kept], [allowed[at] for at in kept]

    def _sample(self, ids: tuple[int, ...], masking: Masking, chance: Random) -> Sample:
        """80 % of what is to be learnt is masked, 10 % replaced, 10 % left as it is."""
        shown = apply_mask(ids, masking, self.lm.mask_id)
        places = sorted(at for item in masking for at in item)
        for at in places:
            draw = chance.random()
            if draw < self.p_replace:
                shown[at] = chance.choice(self._replacements())
            elif draw < self.p_replace + self.p_keep:
                shown[at] = ids[at]
        query = Query(self.lm.frame(shown), tuple(at + 1 for at in places))
        return Sample(query, tuple(ids[at] for at in places))

    def _replacements(self) -> Sequence[int]:
        known = self.lm.tokenizer.text_ids
        if self.replacement == "vocabulary" or known[-1] < _RELEASED_IDS.start:
            return known
        return range(_RELEASED_IDS.start, min(_RELEASED_IDS.stop, known[-1] + 1))

    # Masks of either kind.

    def _maskings_of(
        self, items: Sequence[MaskedItem], allowed: Sequence[bool], masks: Masks, chance: Random
    ) -> list[Masking]:
        if masks == "evenly":
            return self._evenly(items, allowed)
        count = max(1, int(len(items) * self.p_mask))  # N_mask
        left = [item for item, fits in zip(items, allowed, strict=True) if fits]
        chance.shuffle(left)
        return [tuple(sorted(left[i : i + count])) for i in range(0, len(left), count)]

    # "Compare inference using the model vs. model_tuned."

    def _asks(self, text: str) -> Iterator[_SourceMasking]:
        """Every masking of every sentence; the same for the model before and after."""
        lm = self.lm
        room = lm.max_tokens - len(lm.frame())
        chance = Random(self.seed)
        for sentence in self._read(text):
            part = sentence.part(0, room)
            for masking in self._maskings_of(*self._items(part), self.masks, chance):
                ids = lm.frame(apply_mask(part.ids, masking, lm.mask_id))
                places = tuple(1 + at for item in masking for at in item)
                yield _SourceMasking(part, masking, Query(ids, places))

    def _guess(self, asks: Mapping[str, Sequence[_SourceMasking]]) -> dict[str, list[Right]]:
        """Which words of each masking the model guesses in its current state."""
        guesses = iter(self.lm.predict([ask.query for each in asks.values() for ask in each]))
        return {
            text: [which_are_right(ask.sentence.ids, ask.masking, next(guesses)) for ask in each]
            for text, each in asks.items()
        }

    def _result(
        self,
        example: Example,
        documents: Mapping[str, _AskedDocument],
        tuned: Mapping[str, list[Right]],
        evidence: bool,
    ) -> Score:
        if not len(self.lm.tokenize(example.summary)):
            return Score.missing("the summary has nothing that the model can read")
        counts = Counts()
        seen: dict[SourcePlace, list[GuessedRight]] = {}
        for number, text in enumerate(example.source):
            document = documents[text]
            for ask, before, after in zip(document.asks, document.right, tuned[text], strict=True):
                counts.add(zip(before, after, strict=True))
                if evidence:
                    for item, *outcome in zip(ask.masking, before, after, strict=True):
                        place = (number, *ask.characters(item))
                        seen.setdefault(place, []).append((outcome[0], outcome[1]))
        return self._scored(counts, heat_map(seen))


_LEAST = {
    "gap_tune": 0,
    "gap_mask_tune": 0,
    "min_word_tune": 0,
    "min_lead_tune": 0,
    "min_followup_tune": 0,
    "p_replace": 0,
    "p_keep": 0,
    "chunk": 0,
    "stride": 0,
    "passes": 1,
    "epochs": 1,
    "batch": 1,
    "warmup": 0,
    "weight_decay": 0,
    "freeze_below": 0,
    "freeze_above": 0,
    "seed": 0,
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
    """The maskings of a document, and which of them the untuned model guesses right."""

    asks: tuple[_SourceMasking, ...]
    right: list[Right]


@remembered
def _untuned(measure: BlancTune, text: str) -> _AskedDocument:
    """Kept so that each document is read once, however many summaries of it come."""
    asks = tuple(measure._asks(text))
    return _AskedDocument(asks, measure._guess({text: asks})[text])


def _by_summary(examples: Sequence[Example]) -> dict[str, list[str]]:
    """Each summary with its source documents."""
    found: dict[str, dict[str, None]] = {}
    for example in examples:
        found.setdefault(example.summary, {}).update(dict.fromkeys(example.source))
    return {summary: list(texts) for summary, texts in found.items()}
