"""Is measure A better than measure B? Tests of every pair, with corrected p-values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from tricolore.data.grid import Grid
from tricolore.meta.choices import Level, Over, Statistic
from tricolore.meta.holm import holm
from tricolore.meta.levels import agreement
from tricolore.meta.permutation import default_permutations, draw_swaps, permutation_test
from tricolore.meta.williams import williams_test

Test = Literal["permutation", "williams"]


@dataclass(frozen=True)
class MeasureComparison:
    """How much better the first measure agrees with human scores than the second.

    `p` is two-sided, `corrected` by Holm for all comparisons of the same call. Positive differences
    are in favour of the first, also for errors.
    """

    first: str
    second: str
    difference: float
    p: float
    corrected: float = math.nan


def compare_measure_pairs(
    columns: Mapping[str, ArrayLike],
    human: ArrayLike,
    grid: Grid,
    level: Level,
    statistic: Statistic,
    *,
    test: Test = "permutation",
    over: Over = "both",
    pairs: Sequence[tuple[str, str]] | None = None,
    permutations: int | None = None,
    seed: int = 0,
) -> list[MeasureComparison]:
    """Test every pair of measures, or the given ones. Columns are such that higher is better.

    Without `permutations` there are at least 1000, and at least 50 per pair: with fewer, Holm's
    correction could leave nothing significant.
    """
    pairs = list(combinations(columns, 2)) if pairs is None else pairs
    if test == "williams":
        if statistic == "mae":
            raise ValueError("Williams' test compares correlations, not errors")
        comparisons = [
            MeasureComparison(
                a, b, *_williams(columns[a], columns[b], human, grid, level, statistic)
            )
            for a, b in pairs
        ]
    else:
        swaps = draw_swaps(
            grid, over, permutations=permutations or default_permutations(len(pairs)), seed=seed
        )
        comparisons = []
        for a, b in pairs:
            result = permutation_test(columns[a], columns[b], human, grid, level, statistic, swaps)
            comparisons.append(MeasureComparison(a, b, result.difference, result.p))
    corrected = holm([comparison.p for comparison in comparisons])
    return [replace(c, corrected=float(p)) for c, p in zip(comparisons, corrected, strict=True)]


def _williams(
    x: ArrayLike, y: ArrayLike, human: ArrayLike, grid: Grid, level: Level, statistic: Statistic
) -> tuple[float, float]:
    """The difference and its p-value; n is that of a document at the document level."""
    a, b, z = (np.asarray(values, dtype=float) for values in (x, y, human))
    has_all = np.isfinite(a) & np.isfinite(b) & np.isfinite(z)
    a, b, z, rows = a[has_all], b[has_all], z[has_all], grid.keep(has_all)
    first, second, between = (
        agreement(u, v, rows, level, statistic) for u, v in ((a, z), (b, z), (a, b))
    )
    n = first.n
    if level == "document":
        # As nlpstats does: the largest number of summaries that a document has.
        n = int(np.bincount(rows.doc).max(initial=0))
    result = williams_test(first.value, second.value, between.value, n)
    return first.value - second.value, result.p
