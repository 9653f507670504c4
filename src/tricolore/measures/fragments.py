"""Coverage, density and compression: how much a summary copies (Grusky et al. 2018)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tricolore.example import Example
from tricolore.measure import Measure, Need
from tricolore.score import Score, Span, SpanKind, Where
from tricolore.settings import Setting, setting
from tricolore.text.fragments import (
    Fragment,
    Matches,
    Matching,
    TooManyWordsError,
    fragments,
    matches,
)
from tricolore.text.spacy_words import spacy_version
from tricolore.text.words import ANY_TOKENIZER_HELP, AnyTokenizer, word_spans


@dataclass(frozen=True, kw_only=True)
class _Fragments(Measure):
    """What the three measures share: their settings, and the fragments F(A, S), found once."""

    tokenizer: AnyTokenizer = setting("words", ANY_TOKENIZER_HELP)
    lowercase: bool = setting(True, "Whether upper and lower case are treated as the same.")
    matching: Matching = setting(
        "exact",
        "How fragments are found: by the definition in the paper (`exact`), or as the Newsroom "
        "package finds them (`greedy`, released code).",
    )

    needs: ClassVar[frozenset[Need]] = frozenset({"source"})
    language = "spaced"
    cost: ClassVar[str] = "microseconds"
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "paper": {"matching": "exact"},
        "released": {"matching": "greedy"},
    }

    def signature(self) -> dict[str, Any]:
        """The settings, and the version of spaCy where it cuts the words."""
        other = {"spacy": spacy_version()} if self.tokenizer == "spacy" else {}
        return {**super().signature(), **other}

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterator[Score]:
        settings = self.tokenizer, self.lowercase, self.matching
        for example in examples:
            try:
                found = matches(*settings, example.summary, *example.source)
            except TooManyWordsError as error:
                yield Score.missing(str(error))
                continue
            if found.summary and found.source:
                yield self._judge(found, self._spans(example) if evidence else ())
            else:
                without = "source" if found.summary else "summary"
                yield Score.missing(f"there is no word in the {without}")

    @abstractmethod
    def _judge(self, found: Matches, evidence: tuple[Span, ...]) -> Score:
        """The score of a summary that shares these fragments with its source."""

    def _spans(self, example: Example) -> tuple[Span, ...]:
        return shared_runs(
            example.summary, "source", example.source, self.tokenizer, self.lowercase, self.matching
        )


@dataclass(frozen=True, kw_only=True)
class Coverage(_Fragments):
    """The share of the summary's words that are part of a fragment of the source.

    >>> example = Example(source="the cat sat on the mat", summary="the cat ate the mat")
    >>> Coverage().score([example])[0].value
    0.8
    """

    name = "coverage"
    follows = "copying"
    part_names = ("fragments", "copied", "words")

    def _judge(self, found: Matches, evidence: tuple[Span, ...]) -> Score:
        copied = sum(found.lengths)
        parts = {"fragments": len(found.lengths), "copied": copied, "words": found.summary}
        return Score(copied / found.summary, parts, evidence)  # eq. (3.1)


@dataclass(frozen=True, kw_only=True)
class Density(_Fragments):
    """The mean length of the fragment that a word of the summary is part of.

    >>> example = Example(source="the cat sat on the mat", summary="the cat ate the mat")
    >>> Density().score([example])[0].value
    1.6
    """

    name = "density"
    follows = "copying"
    bounds = (0.0, float("inf"))
    part_names = ("fragments", "longest", "words")

    def _judge(self, found: Matches, evidence: tuple[Span, ...]) -> Score:
        lengths = found.lengths
        squares = sum([length * length for length in lengths])
        longest = max(lengths, default=0)
        parts = {"fragments": len(lengths), "longest": longest, "words": found.summary}
        return Score(squares / found.summary, parts, evidence)  # eq. (3.2)


@dataclass(frozen=True, kw_only=True)
class Compression(_Fragments):
    """The number of source words per word of the summary.

    >>> Compression().score([Example(source="the cat sat on the mat", summary="cat sat")])[0].value
    3.0
    """

    name = "compression"
    follows = "length"
    direction = "neither"
    bounds = (0.0, float("inf"))
    part_names = ("source_words", "summary_words")

    def _judge(self, found: Matches, evidence: tuple[Span, ...]) -> Score:
        parts = {"source_words": found.source, "summary_words": found.summary}
        return Score(found.source / found.summary, parts)  # eq. (3.3)

    def _spans(self, example: Example) -> tuple[Span, ...]:
        return ()


def shared_runs(
    summary: str,
    where: Where,
    texts: Sequence[str],
    tokenizer: AnyTokenizer,
    lower: bool,
    matching: Matching = "exact",
    *,
    kind: SpanKind = "copied",
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
        start, end = own[at][0], own[at + length - 1][1]
        return Span("summary", start, end, float(length), match=match, kind=kind)

    return tuple(map(span, found))
