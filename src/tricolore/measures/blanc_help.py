"""BLANC-help: masked words of the source, guessed with the summary in front and with a filler.

Vasilyev, Dharnidharka, Bohannon (2020): Fill in the BLANC. Sections 2.2 and 2.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tricolore.example import Example
from tricolore.measures.blanc import (
    BlancMeasure,
    apply_mask,
    fit_lengths,
    read_sentences,
    word_maskings,
)
from tricolore.measures.blanc_counts import (
    Counts,
    GuessedRight,
    Masking,
    SourcePlace,
    effect,
    heat_map,
    which_are_right,
)
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.queries import Query
from tricolore.models.tokens import Tokens
from tricolore.score import Score, Span
from tricolore.settings import setting

TokenIds = tuple[int, ...]


def blanc_help(
    lm: MaskedLM,
    summary: str,
    text: str,
    *,
    gap: int = 6,
    min_word: int = 4,
    lowercase: bool = False,
) -> float:
    """BLANC-help by its definition (figure 2): words are masked, one input at a time.

    `gap` is M and `min_word` is L_min. `BlancHelp` with the preset `paper` gives the same number,
    for texts of any length and many summaries at once.
    """
    front = [
        token
        for sentence in read_sentences(lm, summary, lowercase=lowercase)
        for token in sentence.ids
    ]
    filler = [lm.tokenizer.id_of(".")] * len(front)
    counts = Counts()
    for sentence in read_sentences(lm, text, lowercase=lowercase):
        for masking in word_maskings(sentence, gap, min_word):
            hidden = apply_mask(sentence.ids, masking, lm.mask_id)
            base, helped = (
                which_are_right(sentence.ids, masking, _guesses(lm, before, hidden, masking))
                for before in (filler, front)
            )
            counts.add(zip(base, helped, strict=True))  # S_ij
    return counts.relative


def _guesses(
    lm: MaskedLM, front: Sequence[int], sentence: Sequence[int], masking: Masking
) -> npt.NDArray[np.int64]:
    """What the model guesses for the masks of a sentence that stands after a front passage."""
    positions = tuple(1 + len(front) + at for word in masking for at in word)
    return lm.predict([Query(lm.frame(front, sentence), positions)])[0]


_MOST_TOKENS = 1_000_000
"""Tokens planned at a time, so that a source of any length takes bounded memory."""


@dataclass(frozen=True, kw_only=True)
class BlancHelp(BlancMeasure):
    """How much better masked words of the source are guessed after the summary than a filler."""

    name = "blanc-help"
    needs = frozenset({"source"})
    direction = "higher"
    cost = "seconds per summary: two passes over the source for every start of the gap"
    presets: ClassVar = {
        "released": {},
        "paper": {"gap": 6, "unit": "words", "unicode": "none"},
    }

    filler: str = setting(".", "The token that the filler repeats.")
    separator: str = setting("", "A text between summary and sentence (released code).")
    sentence_min: int = setting(
        100,
        "Number of tokens of a long sentence that are kept before the summary is cut; half of the "
        "model's length if that is less (released code).",
    )
    filler_step: int = setting(
        1,
        "The filler is as long as the summary, rounded up to a multiple of this (ours).",
    )
    ablate: bool = setting(
        False,
        "Whether the evidence has what each sentence of the summary adds, at the cost of one more "
        "pass each (ours).",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("sentence_min", "filler_step"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)} was given, but it is at least 1")
        if not self.filler.strip():
            raise ValueError("filler is empty, but it must be a token of the model, such as '.'")

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        if self.ablate and not evidence:
            return replace(self, ablate=False).compute(examples, evidence=False)
        layout = self._input_format()
        if isinstance(layout, str):
            return [Score.missing(layout) for _ in examples]
        states = [_SummaryState(self._read(example.summary)) for example in examples]
        batch = _QueryBatch(self.lm)
        for source, group in _by_source(examples, states):
            for number, text in enumerate(source):
                document = self._read(text)
                for sentence in document:
                    for ask in self._asks(layout, sentence, document, group):
                        batch.add(ask, number if evidence else None)
                    batch.run_if_full()  # after all summaries: they share the fillers
        batch.run()
        return [self._result(state, evidence) for state in states]

    # Inputs.

    def _input_format(self) -> _InputFormat | str:
        """What stands around a sentence in every input; or why there can be none."""
        lm = self.lm
        separator = lm.tokenize(self.separator).ids
        room = lm.max_tokens - len(lm.frame()) - len(separator)
        if room < 2:
            return (
                f"the separator leaves no room for a text: the model reads {lm.max_tokens} tokens"
            )
        try:
            filler = lm.tokenizer.id_of(self.filler)
        except ValueError:
            found = lm.tokenize(self.filler).ids
            if len(found) != 1:
                return f"the filler {self.filler!r} is not one token of the model"
            [filler] = found
        return _InputFormat(lm, filler, separator, room)

    def _asks(
        self,
        layout: _InputFormat,
        sentence: Tokens,
        document: list[Tokens],
        group: list[_SummaryState],
    ) -> Iterator[_MaskedSentence]:
        """What is asked about a sentence, for each summary: fig. 2."""
        maskings: dict[int, list[Masking]] = {}
        for state in group:
            if not state.tokens:
                continue
            guarded = self._guarded(state.sentences, sentence, document)
            if guarded is None:
                state.has_skipped = True
                continue
            summary = [part.ids for part in guarded]
            lengths = [len(part) for part in summary if part]
            kept, start, end = fit_lengths(len(sentence), lengths, layout.room, self.sentence_min)
            if kept not in maskings:
                maskings[kept] = self._maskings(sentence.part(0, kept))
            steps = -(-(end - start) // self.filler_step)
            filler = (layout.filler,) * min(steps * self.filler_step, layout.room - kept)
            helps = self._versions(summary, layout.filler)
            fronts = [filler, *(tuple(chain(*parts))[start:end] for parts in helps)]
            for masking in maskings[kept]:
                hidden = apply_mask(sentence.ids[:kept], masking, layout.lm.mask_id)
                queries = [layout.query(front, hidden, masking) for front in fronts]
                yield _MaskedSentence(state, sentence, masking, queries)

    def _versions(self, summary: list[TokenIds], filler: int) -> Iterator[list[TokenIds]]:
        """The summary; with `ablate`, also without each sentence, at the same length."""
        yield summary
        if self.ablate:
            for number, part in enumerate(summary):
                yield [*summary[:number], (filler,) * len(part), *summary[number + 1 :]]

    # Results.

    def _result(self, state: _SummaryState, evidence: bool) -> Score:
        if not state.tokens:
            return Score.missing("the summary has nothing that the model can read")
        spans = (*state.losses(), *heat_map(state.seen)) if evidence else ()
        return self._scored(state.counts[0], spans, has_skipped=state.has_skipped)


@dataclass
class _SummaryState:
    """A summary, and what was guessed with it so far."""

    sentences: list[Tokens]
    seen: dict[SourcePlace, list[GuessedRight]] = field(default_factory=dict)
    has_skipped: bool = False

    def __post_init__(self) -> None:
        self.tokens = sum(map(len, self.sentences))
        # The counts with the summary, and with the summary without each of its sentences.
        self.counts = [Counts() for _ in range(1 + len(self.sentences))]

    def losses(self) -> Iterator[Span]:
        """For each sentence of the summary, how much of the gain vanishes without it."""
        whole, *without = self.counts
        for sentence, counts in zip(self.sentences, without, strict=True):
            if counts.total and sentence.spans:
                yield Span(
                    "summary",
                    sentence.spans[0][0],
                    sentence.spans[-1][1],
                    weight=whole.relative - counts.relative,
                    label=f"without it {counts.relative:.3f}",
                    kind=effect(whole.relative - counts.relative),
                )


@dataclass(frozen=True)
class _InputFormat:
    """What all inputs have in common."""

    lm: MaskedLM
    filler: int
    separator: TokenIds
    room: int

    def query(self, front: TokenIds, hidden: list[int], masking: Masking) -> Query:
        """input = concatenate(summary or filler, sentence), asked at its masks."""
        ids = self.lm.frame(front, self.separator, hidden)
        offset = 1 + len(front) + len(self.separator)
        return Query(ids, tuple(offset + at for item in masking for at in item))


@dataclass(frozen=True)
class _MaskedSentence:
    """One masking of a sentence: the query with the filler, then those with the summary."""

    state: _SummaryState
    sentence: Tokens
    masking: Masking
    queries: list[Query]


class _QueryBatch:
    """What is asked of the model together."""

    def __init__(self, lm: MaskedLM) -> None:
        self.lm = lm
        self.asks: list[tuple[_MaskedSentence, int | None]] = []
        self.tokens = 0

    def add(self, ask: _MaskedSentence, document: int | None) -> None:
        """Add a masking to the plan; with a document, the evidence is kept too."""
        self.asks.append((ask, document))
        self.tokens += sum(len(query.ids) for query in ask.queries)

    def run_if_full(self) -> None:
        """Ask the model if many queries are planned."""
        if self.tokens > _MOST_TOKENS:
            self.run()

    def run(self) -> None:
        """Ask the model, and count the right guesses."""
        guesses = iter(self.lm.predict([query for ask, _ in self.asks for query in ask.queries]))
        for ask, document in self.asks:
            base, *helped = [
                which_are_right(ask.sentence.ids, ask.masking, next(guesses)) for _ in ask.queries
            ]
            for counts, outcome in zip(ask.state.counts, helped, strict=False):
                counts.add(zip(base, outcome, strict=True))
            if document is not None:
                spans = ask.sentence.spans
                for item, *outcome in zip(ask.masking, base, helped[0], strict=True):
                    place = (document, spans[item[0]][0], spans[item[-1]][1])
                    ask.state.seen.setdefault(place, []).append((outcome[0], outcome[1]))
        self.asks, self.tokens = [], 0


def _by_source(
    examples: Sequence[Example], states: Sequence[_SummaryState]
) -> Iterator[tuple[tuple[str, ...], list[_SummaryState]]]:
    """Each source with its summaries."""
    groups: dict[tuple[str, ...], list[_SummaryState]] = {}
    for example, state in zip(examples, states, strict=True):
        groups.setdefault(example.source, []).append(state)
    yield from groups.items()
