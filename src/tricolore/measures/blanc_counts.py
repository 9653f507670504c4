"""How BLANC counts guesses: which are right, the counts S_ij with their measures, the heat map.

Vasilyev, Dharnidharka, Bohannon (2020): Fill in the BLANC. Section 2.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from tricolore.score import Span, SpanKind

MaskedItem = tuple[int, ...]
"""What is guessed and judged as one: the positions in a sentence of a word's tokens, or of one."""
Masking = tuple[MaskedItem, ...]
"""What is masked at once in a sentence."""
SourcePlace = tuple[int, int, int]
"""A document of the source, and characters of it from and to."""
GuessedRight = tuple[bool, bool]
"""Whether the guess was right without the summary, and with it."""


def which_are_right(
    ids: Sequence[int], masking: Masking, guesses: npt.NDArray[np.int64]
) -> list[bool]:
    """Which items were guessed; a word only if all its tokens were.

    >>> which_are_right([5, 6, 7], ((0,), (1, 2)), np.array([5, 6, 9]))
    [True, False]
    """
    given = iter(guesses.tolist())
    return [[ids[at] for at in item] == list(islice(given, len(item))) for item in masking]


@dataclass
class Counts:
    """S_ij: i, whether the guess was right without the summary; j, with it."""

    s00: int = 0
    s01: int = 0
    s10: int = 0
    s11: int = 0

    def add(self, outcomes: Iterable[GuessedRight]) -> None:
        """Count some more."""
        for base, helped in outcomes:
            if base:
                self.s11 += helped
                self.s10 += not helped
            else:
                self.s01 += helped
                self.s00 += not helped

    @property
    def total(self) -> int:
        """How many guesses were counted."""
        return self.s00 + self.s01 + self.s10 + self.s11

    @property
    def relative(self) -> float:
        """Measure_relative of section 2.2.

        >>> Counts(s00=5, s01=3, s10=1, s11=1).relative
        0.2
        """
        return (self.s01 - self.s10) / self.total

    @property
    def improve(self) -> float:
        """Measure_improve of section 2.2; 0 if the summary spoiled every guess.

        >>> Counts(s00=5, s01=3, s10=1, s11=4).improve
        0.25
        """
        return self.s01 / max(1, self.s00 + self.s11 + self.s01)


def heat_map(seen: Mapping[SourcePlace, Sequence[GuessedRight]]) -> tuple[Span, ...]:
    """The masked words of the source: 1 where the summary helped, −1 where it hurt; these first.

    >>> [(s.start, s.weight, s.label) for s in heat_map({(0, 4, 9): [(False, True)]})]
    [(4, 1.0, 'helped')]
    """
    spans = []
    for (document, start, end), outcomes in sorted(seen.items()):
        weight = sum(helped - base for base, helped in outcomes) / len(outcomes)
        label, kind = _label(weight, outcomes), effect(weight)
        spans.append(Span("source", start, end, weight, label, document, kind=kind))
    return tuple(sorted(spans, key=lambda span: -abs(span.weight)))


def effect(weight: float) -> SpanKind:
    """The kind of span for a change in the number of right guesses."""
    return "helped" if weight > 0 else "hurt" if weight < 0 else "unchanged"


def _label(weight: float, outcomes: Sequence[GuessedRight]) -> str:
    if weight:
        return "helped" if weight > 0 else "hurt"
    if any(base != helped for base, helped in outcomes):
        return "helped and hurt"  # masked several times, together with different words
    return "right either way" if outcomes[0][0] else "wrong either way"
