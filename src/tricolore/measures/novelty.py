"""Novelty: how much of a summary's wording is not in the source."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tricolore.example import Example
from tricolore.measure import Measure, Need
from tricolore.score import Score, Span
from tricolore.settings import Setting, setting
from tricolore.text.fragments import Coded, TooManyWordsError, coded, coded_like
from tricolore.text.words import TOKENIZER_HELP, Tokenizer, word_spans, words

_MANY = 200
"""The number of n-grams from which a set of those of the source is worth its cost."""
ORDERS = (1, 2, 3, 4)
"""The lengths of n-grams that the parts are given for."""


@dataclass(frozen=True, kw_only=True)
class Novelty(Measure):
    """The share of the distinct n-grams of the summary that do not occur in the source.

    >>> example = Example(source="the cat sat on the mat", summary="the cat ate")
    >>> Novelty().score([example])[0].value
    0.5
    """

    name = "novelty"
    n: int = setting(2, "Number of words in an n-gram, from 1 to 4.")
    tokenizer: Tokenizer = setting("words", TOKENIZER_HELP)
    lowercase: bool = setting(True, "Whether upper and lower case are treated as the same.")

    needs: ClassVar[frozenset[Need]] = frozenset({"source"})
    direction = "neither"
    follows = "copying"
    language = "spaced"
    cost: ClassVar[str] = "microseconds"
    part_names = tuple(f"novel_{n}" for n in ORDERS)
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "paper": {"lowercase": True},
        "released": {"lowercase": False},
    }

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ValueError(f"n must be 1 or more, not {self.n}")

    @property
    def meaning(self) -> str:
        """What is new."""
        grams = "words" if self.n == 1 else f"sequences of {self.n} words"
        return f"The share of the summary's {grams} that the source does not have"

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterator[Score]:
        for example in examples:
            cut = words(example.summary, self.tokenizer, self.lowercase)
            try:
                source = coded(self.tokenizer, self.lowercase, *example.source)
                summary = coded_like(source, cut)
            except TooManyWordsError as error:
                yield Score.missing(str(error))
                continue
            if not source.codes:
                yield Score.missing("there is no word in the source")
            elif len(cut) < self.n:
                yield Score.missing(f"the summary has {len(cut)} words, too few for n={self.n}")
            else:
                parts = {f"novel_{n}": _novel(summary, source, n) for n in ORDERS}
                value = parts.get(f"novel_{self.n}", math.nan)
                yield Score(
                    _novel(summary, source, self.n) if math.isnan(value) else value,
                    parts,
                    self._spans(example.summary, summary, source) if evidence else (),
                )

    def _spans(self, text: str, summary: str, source: Coded) -> tuple[Span, ...]:
        """The spans that new n-grams cover; overlapping ones are merged."""
        at = word_spans(text, self.tokenizer, self.lowercase)
        stretches: list[tuple[int, int]] = []
        known = _shared(_grams(summary, self.n), source, self.n)
        for first in range(len(summary) - self.n + 1):
            last = first + self.n - 1
            if summary[first : last + 1] in known:
                continue
            if stretches and first <= stretches[-1][1]:
                stretches[-1] = (stretches[-1][0], last)
            else:
                stretches.append((first, last))
        return tuple(
            Span("summary", at[first][0], at[last][1], float(last - first + 1), "new", kind="novel")
            for first, last in stretches
        )


def _novel(summary: str, source: Coded, n: int) -> float:
    """The share of n-grams that are new; NaN where the summary has none of this length."""
    grams = _grams(summary, n)
    if not grams:
        return math.nan
    return (len(grams) - len(_shared(grams, source, n))) / len(grams)


def _grams(text: str, n: int) -> set[str]:
    return {text[at : at + n] for at in range(len(text) - n + 1)}


def _shared(grams: set[str], source: Coded, n: int) -> set[str]:
    """The n-grams that the source has. Many are looked up in a set, a few in the text itself."""
    if len(grams) > _MANY and n <= _MANY:
        return grams & _grams(source.text, n)
    return {gram for gram in grams if gram in source.text}
