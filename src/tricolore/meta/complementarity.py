"""How differently two measures rank (importance paper §5.3, figure 3; Colombo et al. 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from tricolore.arrays import Floats
from tricolore.data.grid import Grid
from tricolore.data.score_table import ScoreTable
from tricolore.meta.choices import Coefficient
from tricolore.meta.levels import system_means
from tricolore.meta.numeric.small_sets import correlate_sets
from tricolore.meta.numeric.weighted import SortedNumbers, WeightedPairs

RankedItems = Literal["document", "system", "summary", "means"]


def complementarity(
    table: ScoreTable,
    columns: Sequence[str],
    ranked: RankedItems = "document",
    coefficient: Coefficient = "kendall-b",
) -> Floats:
    """(1 − correlation) / 2 of every two columns: 0 for the same ranking, 1 for the reverse.

    `ranked` says what: the systems within each document, then averaged (Colombo et al.: the
    share of pairs of systems that two measures order differently); the systems by their means;
    all summaries; or the documents by their means over systems (the importance paper's code).
    Columns are taken so that higher is better. NaN where there is no ranking.
    """
    signed = [table.signed(column) for column in columns]
    distances = np.full((len(columns), len(columns)), np.nan)
    for i in range(len(columns)):
        for j in range(i, len(columns)):
            value = _correlation(signed[i], signed[j], table.grid, ranked, coefficient)
            distances[i, j] = distances[j, i] = (1 - value) / 2
    return distances


def _correlation(
    x: Floats, y: Floats, grid: Grid, ranked: RankedItems, coefficient: Coefficient
) -> float:
    has_both = np.isfinite(x) & np.isfinite(y)
    if ranked == "summary":
        if not has_both.any():
            return float("nan")
        pairs = WeightedPairs(SortedNumbers(x[has_both]), SortedNumbers(y[has_both]))
        return float(pairs.correlate(np.ones((int(has_both.sum()), 1)), coefficient)[0])
    x, y = np.where(has_both, x, np.nan), np.where(has_both, y, np.nan)
    if ranked == "system":
        a, b = system_means(x, y, grid)
    elif ranked == "means":
        by_document = Grid(grid.system, grid.doc, grid.systems, grid.documents)
        a, b = system_means(x, y, by_document)
    else:
        each = correlate_sets(grid.matrix(x).T, grid.matrix(y).T, coefficient)
        defined = each[np.isfinite(each)]
        return float(defined.mean()) if len(defined) else float("nan")
    return float(correlate_sets(a[None, :], b[None, :], coefficient)[0, 0])
