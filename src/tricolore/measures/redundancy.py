"""Redundancy: how much a summary repeats its own wording."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from tricolore.example import Example
from tricolore.measure import Direction, Measure, Need
from tricolore.score import Score, Span
from tricolore.settings import Setting, setting
from tricolore.text.ngrams import Ngrams
from tricolore.text.words import TOKENIZER_HELP, Tokenizer, word_spans, words

ORDERS = (1, 2, 3, 4)
"""The lengths of n-grams that the parts are given for."""


@dataclass(frozen=True, kw_only=True)
class Redundancy(Measure):
    """The share of the n-grams of the summary that repeat an earlier one.

    >>> Redundancy(n=1).score([Example(summary="the cat saw the cat")])[0].value
    0.4
    """

    name = "redundancy"
    n: int = setting(3, "Number of words in an n-gram, from 1 to 4.")
    counting: Literal["repeats", "distinct"] = setting(
        "repeats",
        "What is counted: the n-grams that repeat an earlier one (`repeats`), or the distinct "
        "n-grams that occur more than once (`distinct`, released code).",
    )
    tokenizer: Tokenizer = setting("words", TOKENIZER_HELP)
    lowercase: bool = setting(True, "Whether upper and lower case are treated as the same.")

    needs: ClassVar[frozenset[Need]] = frozenset()
    direction = "lower"
    language = "spaced"
    cost: ClassVar[str] = "microseconds"
    part_names = tuple(f"repeated_{n}" for n in ORDERS)
    part_directions: ClassVar[Mapping[str, Direction]] = dict.fromkeys(part_names, "lower")
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "paper": {"counting": "repeats", "lowercase": True},
        "released": {"counting": "distinct", "lowercase": False},
    }

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ValueError(f"n must be 1 or more, not {self.n}")

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterator[Score]:
        for example in examples:
            cut = words(example.summary, self.tokenizer, self.lowercase)
            if len(cut) < self.n:
                yield Score.missing(f"the summary has {len(cut)} words, too few for n={self.n}")
                continue
            parts = {f"repeated_{n}": self._repeated(Ngrams(cut, n)) for n in ORDERS}
            value = parts.get(f"repeated_{self.n}")
            yield Score(
                self._repeated(Ngrams(cut, self.n)) if value is None else value,
                parts,
                self._spans(example.summary, Ngrams(cut, self.n)) if evidence else (),
            )

    def _repeated(self, grams: Ngrams) -> float:
        if not len(grams):
            return math.nan
        if self.counting == "repeats":
            return 1 - len(set(grams)) / len(grams)
        counts = Counter(grams)
        return sum([count > 1 for count in counts.values()]) / len(counts)

    def _spans(self, text: str, grams: Ngrams) -> tuple[Span, ...]:
        """Every repeated n-gram, with the position of its first occurrence."""
        at = word_spans(text, self.tokenizer, self.lowercase)
        first: dict[Hashable, Span] = {}
        spans = []
        for place, gram in enumerate(grams):
            start, end = at[place][0], at[place + self.n - 1][1]
            if gram in first:
                spans.append(
                    Span("summary", start, end, 1, "repeated", match=first[gram], kind="repeated")
                )
            else:
                first[gram] = Span("summary", start, end)
        return tuple(spans)
