"""Coverage, density and compression: how much a summary copies (Grusky et al. 2018)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tricolore.example import Example
from tricolore.measure import Direction, Measure, Need, Setting
from tricolore.score import Score, Span, Where
from tricolore.text.fragments import (
    Fragment,
    Matching,
    TooManyWordsError,
    coded,
    fragments,
    matches,
)
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
        tokenizer, lower = self.tokenizer, self.lower
        for example in examples:
            try:
                source = coded(tokenizer, lower, *example.source).size
            except TooManyWordsError as error:
                yield Score.none(str(error))
                continue
            summary = len(words(example.summary, tokenizer, lower))
            if summary and source:
                value, parts = self._judge(example, summary, source)
                yield Score(value, parts, self._spans(example) if evidence else ())
            else:
                yield Score.none(f"there is no word in the {'source' if summary else 'summary'}")

    @abstractmethod
    def _judge(self, example: Example, summary: int, source: int) -> tuple[float, dict[str, int]]:
        """Value and parts, given |S| and |A|."""

    def _lengths(self, example: Example) -> list[int]:
        found = matches(self.tokenizer, self.lower, self.matching, example.summary, *example.source)
        return [length for _, _, length in found]

    def _spans(self, example: Example) -> tuple[Span, ...]:
        return shared_runs(
            example.summary, "source", example.source, self.tokenizer, self.lower, self.matching
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

    def _judge(self, example: Example, summary: int, source: int) -> tuple[float, dict[str, int]]:
        lengths = self._lengths(example)
        copied = sum(lengths)
        parts = {"fragments": len(lengths), "copied": copied, "words": summary}
        return copied / summary, parts  # eq. (3.1)


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

    def _judge(self, example: Example, summary: int, source: int) -> tuple[float, dict[str, int]]:
        lengths = self._lengths(example)
        squares = sum([length * length for length in lengths])
        longest = max(lengths, default=0)
        parts = {"fragments": len(lengths), "longest": longest, "words": summary}
        return squares / summary, parts  # eq. (3.2)


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

    def _judge(self, example: Example, summary: int, source: int) -> tuple[float, dict[str, int]]:
        parts = {"source_words": source, "summary_words": summary}
        return source / summary, parts  # eq. (3.3)

    def _spans(self, example: Example) -> tuple[Span, ...]:
        return ()


def shared_runs(
    summary: str,
    where: Where,
    texts: Sequence[str],
    tokenizer: Tokenizer,
    lower: bool,
    matching: Matching = "exact",
) -> tuple[Span, ...]:
    """Fragments as stretches of the summary, each with its match; the weight is the length."""
    found = fragments(tokenizer, lower, matching, summary, *texts)
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
