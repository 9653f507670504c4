"""Agreement of a measure with human scores at three levels (thesis §2.3, figure 2.1).

Summary level: all summaries pooled. Document level: the summaries of each document by themselves,
then the mean over documents ± SEM. System level: the mean of each system, then over systems. Only
summaries with both values count, at every level, so that both sides are means of the same ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tricolore.data.grid import Grid
from tricolore.meta.choices import Level, Statistic
from tricolore.meta.correlation import Correlation, correlate, is_constant, settled
from tricolore.meta.error import mean_and_sem
from tricolore.meta.numeric.small_sets import correlate_sets


@dataclass(frozen=True)
class Agreement:
    """How well a measure agrees with human scores at one level, by one statistic.

    `n` counts summaries, documents (those where the statistic is defined) or systems. `sem` is
    that of the mean over documents, NaN at other levels. `undefined` counts the documents (or
    systems) for which there is nothing to average; `left_out` the summaries without both values.
    `p` is two-sided: of the correlation, or at the document level of Student's test that the mean
    is zero; NaN for errors. `reason` says why there is no value; empty if there is one.
    """

    value: float
    p: float
    n: int
    sem: float = math.nan
    undefined: int = 0
    left_out: int = 0
    reason: str = ""


def agreement(
    values: ArrayLike, human: ArrayLike, grid: Grid, level: Level, statistic: Statistic
) -> Agreement:
    """The agreement of a measure's values with human scores.

    >>> figure = Grid.of(["1", "1", "2", "2"], ["1", "2", "1", "2"])
    >>> metric, people = [0.2, 0.1, 0.01, 0.005], [1, 0.75, 0.5, 0.2]
    >>> # The data of figure 2.1, which has 0.471 because it averages by document.
    >>> round(agreement(metric, people, figure, "system", "mae").value, 5)
    0.53375
    """
    x, y = np.asarray(values, dtype=float), np.asarray(human, dtype=float)
    left_out = int((~(np.isfinite(x) & np.isfinite(y))).sum())
    if level == "document":
        each = by_document(x, y, grid, statistic)
        mean = mean_and_sem(each)
        p = math.nan if statistic == "mae" else student_p(each)
        reason = "" if mean.n else "no document has one"
        return Agreement(mean.value, p, mean.n, mean.sem, mean.undefined, left_out, reason)
    if level == "system":
        x, y = system_means(x, y, grid)
    found = _single(x, y, statistic)
    undefined = found.left_out if level == "system" else 0
    return Agreement(
        found.value, found.p, found.n, math.nan, undefined, left_out, reason=found.reason
    )


def by_document(
    values: ArrayLike, human: ArrayLike, grid: Grid, statistic: Statistic
) -> NDArray[np.float64]:
    """The statistic of each document's summaries, NaN where it is undefined."""
    x, y = np.asarray(values, dtype=float), np.asarray(human, dtype=float)
    each = np.full(len(grid.documents), math.nan)
    for documents, rows in document_sets(grid):
        if statistic == "mae":
            each[documents] = [mean_and_sem(errors).value for errors in np.abs(x - y)[rows]]
        else:
            each[documents] = correlate_sets(x[rows], y[rows], statistic)[:, 0]
    return each


def document_sets(grid: Grid) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """The documents with the same number of rows, and their rows: documents × rows."""
    order = np.argsort(grid.doc, kind="stable")
    counts = np.bincount(grid.doc, minlength=len(grid.documents))
    starts = np.cumsum(counts) - counts
    alike = ((size, np.flatnonzero(counts == size)) for size in np.unique(counts[counts > 0]))
    return [(docs, order[starts[docs][:, None] + np.arange(size)]) for size, docs in alike]


def system_means(
    values: ArrayLike, human: ArrayLike, grid: Grid
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean score and mean human score of each system; NaN for a system without both."""
    x, y = np.asarray(values, dtype=float), np.asarray(human, dtype=float)
    known = np.isfinite(x) & np.isfinite(y)
    size = len(grid.systems)
    counts = np.bincount(grid.system[known], minlength=size).astype(float)
    counts[counts == 0] = np.nan
    sums = [np.bincount(grid.system[known], weights=v[known], minlength=size) for v in (x, y)]
    return settled(sums[0] / counts), settled(sums[1] / counts)


def _single(x: NDArray[np.float64], y: NDArray[np.float64], statistic: Statistic) -> Correlation:
    """The correlation, or the mean error, which has no p-value."""
    if statistic != "mae":
        return correlate(x, y, statistic)
    errors = np.abs(x - y)
    known = errors[np.isfinite(errors)]
    mean = float(known.mean()) if len(known) else math.nan
    reason = "" if len(known) else "there are no pairs"
    return Correlation(mean, math.nan, len(known), len(errors) - len(known), reason)


def student_p(values: NDArray[np.float64]) -> float:
    """The p-value of Student's test that the mean of the documents is zero."""
    known = values[np.isfinite(values)]
    if len(known) < 2 or is_constant(known):
        return math.nan

    from scipy import stats

    return float(stats.ttest_1samp(known, 0.0).pvalue)
