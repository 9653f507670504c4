"""Sums and differences of measures, ranked by how well they agree with human scores.

Importance paper §5.3, table 1; BLANC paper, figure 7. Weights are not fitted to human scores: the
measures are only brought to comparable scales.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from tricolore.arrays import Floats
from tricolore.data.score_table import ScoreTable
from tricolore.errors import SpecError
from tricolore.meta.choices import Level, Statistic
from tricolore.meta.correlation import settled
from tricolore.meta.levels import Agreement, agreement
from tricolore.registry import get_measure

Scale = Literal["range", "spread", "none"]

UNBOUNDED = 100.0
"""The divisor for a measure without an upper bound, as in the paper for ESTIME."""


@dataclass(frozen=True)
class ColumnMix:
    """A sum or difference of two columns, or one column, and its agreement with human scores.

    `gain` is how much better it agrees than the better of its parts alone.
    """

    first: str
    second: str
    sign: int
    agreement: Agreement
    gain: float = math.nan

    @property
    def name(self) -> str:
        """The mix as a formula."""
        if not self.second:
            return self.first if self.sign > 0 else f"-{self.first}"
        return f"{self.first} {'+' if self.sign > 0 else '-'} {self.second}"


def scaled(table: ScoreTable, column: str, scale: Scale = "range") -> Floats:
    """The values of a column on a scale on which they can be added to others.

    `range`: divided by the upper end of the measure's range, as the paper divides chrF by 100; by
    100 where there is no end, as it does with ESTIME. `spread`: less the mean, divided by the
    standard deviation. `none`: as they are.
    """
    values = table.values[column]
    if scale == "range":
        return values / _upper_end(column)
    if scale == "none":
        return values
    known = values[np.isfinite(values)]
    spread = known.std() if len(known) else 0.0
    return np.asarray((values - known.mean()) / spread) if spread > 0 else values * 0.0


def _upper_end(column: str) -> float:
    for label in (column, column.rpartition(".")[0]):
        try:
            end = get_measure(label).bounds[1]
        except SpecError:
            continue
        # The range of a part is not known: it stays as it is.
        return 1.0 if label != column else end if math.isfinite(end) and end > 0 else UNBOUNDED
    return 1.0


def mixes(
    table: ScoreTable,
    columns: Sequence[str],
    human: ArrayLike,
    *,
    level: Level = "system",
    statistic: Statistic = "spearman",
    scale: Scale = "range",
) -> list[ColumnMix]:
    """Every column alone, and the sum and the difference of every two, the best first.

    A difference is written in the direction in which it agrees with human scores. Columns alone are
    taken so that higher is better.
    """
    people = np.asarray(human, dtype=float)
    ready = {column: scaled(table, column, scale) for column in columns}

    def agree(values: Floats) -> Agreement:
        return agreement(settled(values), people, table.grid, level, statistic)

    alone = {
        c: ColumnMix(c, "", -1 if table.lower(c) else 1, agree(table.signed(c))) for c in columns
    }
    ranked = list(alone.values())
    for a, b in combinations(columns, 2):
        best = float(np.fmax(alone[a].agreement.value, alone[b].agreement.value))
        plus = agree(ready[a] + ready[b])
        ranked.append(ColumnMix(a, b, 1, plus, plus.value - best))
        minus, reverse = agree(ready[a] - ready[b]), agree(ready[b] - ready[a])
        if reverse.value > minus.value:
            ranked.append(ColumnMix(b, a, -1, reverse, reverse.value - best))
        else:
            ranked.append(ColumnMix(a, b, -1, minus, minus.value - best))
    return sorted(ranked, key=lambda mix: (math.isnan(mix.agreement.value), -mix.agreement.value))


def mixed(table: ScoreTable, mix: ColumnMix, scale: Scale = "range") -> Floats:
    """The values of a mix given as a formula."""
    if not mix.second:
        return table.signed(mix.first)
    return settled(scaled(table, mix.first, scale) + mix.sign * scaled(table, mix.second, scale))
