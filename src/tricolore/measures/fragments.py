"""Coverage, density and compression: how much a summary copies (Grusky et al. 2018)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tricolore.example import Example
from tricolore.measure import Direction, Measure, Need, Setting
from tricolore.score import Score, Span, Where
from tricolore.text.fragments import Fragment, Matching, TooManyWordsError, fragments
from tricolore.text.words import Tokenizer, word_spans, words


@dataclass(frozen=True, kw_only=True)
class _Fragments(Measure):
    """What the three share: their settings, and the fragments F(A, S), found once for all."""

    tokenizer: Tokenizer = "words"
    lower: bool = True
    matching: Matching = "exact"

    needs: ClassVar[frozenset[Need]] = frozenset({"source"})
    cost: ClassVar[str] = "microseconds"
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "paper": {"matching": "exact"},
        "released": {"matching": "greedy"},
    }

    def _score(self, examples: Sequence[Example], *, evidence: bool) -> Iterator[Score]:
        for example in examples:
            summary = len(words(example.summary, self.tokenizer, self.lower))
            source = sum(len(words(text, self.tokenizer, self.lower)) for text in example.source)
            if not summary or not source:
                yield Score.none(f"there is no word in the {'source' if summary else 'summary'}")
                continue
            try:
                yield self._judge(example, summary, source, evidence)
            except TooManyWordsError as error:
                yield Score.none(str(error))

    @abstractmethod
    def _judge(self, example: Example, summary: int, source: int, evidence: bool) -> Score:
        """The score of an example, given |S| and |A|."""

    def _found(self, example: Example) -> tuple[Fragment, ...]:
        return fragments(
            self.tokenizer, self.lower, self.matching, example.summary, *example.source
        )

    def _spans(self, example: Example) -> tuple[Span, ...]:
        found = self._found(example)
        return fragment_spans(
            found, example.summary, "source", example.source, self.tokenizer, self.lower
        )


@dataclass(frozen=True, kw_only=True)
class Coverage(_Fragments):
    """The share of the summary's words that are part of a fragment of the source.

    >>> example = Example(source="the cat sat on the mat", summary="the cat ate the mat")
    >>> Coverage().score([example])[0].value
    0.8
    """

    name = "coverage"
    part_names: ClassVar[tuple[str, ...]] = ("fragments", "copied", "words")

    def _judge(self, example: Example, summary: int, source: int, evidence: bool) -> Score:
        found = self._found(example)
        copied = sum([fragment.length for fragment in found])
        return Score(
            copied / summary,  # eq. (3.1)
            {"fragments": len(found), "copied": copied, "words": summary},
            self._spans(example) if evidence else (),
        )


@dataclass(frozen=True, kw_only=True)
class Density(_Fragments):
    """The mean length of the fragment that a word of the summary is part of.

    >>> example = Example(source="the cat sat on the mat", summary="the cat ate the mat")
    >>> Density().score([example])[0].value
    1.6
    """

    name = "density"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    part_names: ClassVar[tuple[str, ...]] = ("fragments", "longest", "words")

    def _judge(self, example: Example, summary: int, source: int, evidence: bool) -> Score:
        lengths = [fragment.length for fragment in self._found(example)]
        return Score(
            sum([length * length for length in lengths]) / summary,  # eq. (3.2)
            {"fragments": len(lengths), "longest": max(lengths, default=0), "words": summary},
            self._spans(example) if evidence else (),
        )


@dataclass(frozen=True, kw_only=True)
class Compression(_Fragments):
    """How many words of the source there are for one of the summary.

    >>> Compression().score([Example(source="the cat sat on the mat", summary="cat sat")])[0].value
    3.0
    """

    name = "compression"
    direction: ClassVar[Direction] = "neither"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    part_names: ClassVar[tuple[str, ...]] = ("source_words", "summary_words")

    def _judge(self, example: Example, summary: int, source: int, evidence: bool) -> Score:
        # eq. (3.3)
        return Score(source / summary, {"source_words": source, "summary_words": summary})


def fragment_spans(
    found: Sequence[Fragment],
    summary: str,
    where: Where,
    texts: Sequence[str],
    tokenizer: Tokenizer,
    lower: bool,
) -> tuple[Span, ...]:
    """Fragments as stretches of the summary, each with its match; the weight is the length."""
    own = word_spans(summary, tokenizer, lower)
    others = {
        document: word_spans(texts[document], tokenizer, lower)
        for document in {fragment.document for fragment in found}
    }

    def span(fragment: Fragment) -> Span:
        at, document, place, length = fragment
        other = others[document]
        match = Span(where, other[place][0], other[place + length - 1][1], document=document)
        return Span("summary", own[at][0], own[at + length - 1][1], float(length), match=match)

    return tuple(map(span, found))
