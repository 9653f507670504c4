"""How well a measure distinguishes clean from damaged summaries (BLANC paper §3, ESTIME §4).

Values are given so that higher is better (`ScoreTable.signed`). NaN values are left out and
counted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Auc:
    """The chance that a random clean summary scores above a random damaged one; ties count half.

    `p` is two-sided, of Mann and Whitney's test. NaN where one side is empty.
    """

    value: float
    p: float
    clean: int
    damaged: int
    left_out: int = 0


@dataclass(frozen=True)
class PairShare:
    """The share of clean and damaged pairs where the clean summary scores higher.

    `better` counts a tie as half; `tied` is the share of ties. `low` and `high` are the exact
    95 % interval of the share among pairs that differ, `p` is of the sign test.
    """

    better: float
    tied: float
    low: float
    high: float
    p: float
    n: int
    left_out: int = 0


def auc(clean: ArrayLike, damaged: ArrayLike) -> Auc:
    """How well one threshold separates all clean from all damaged summaries.

    >>> auc([3, 2, 2], [1, 2])  # 4 wins and 2 ties of 6 pairs
    ... # doctest: +ELLIPSIS
    Auc(value=0.833..., p=..., clean=3, damaged=2, left_out=0)
    """
    x, lost_x = _known(clean)
    y, lost_y = _known(damaged)
    if not len(x) or not len(y):
        return Auc(math.nan, math.nan, len(x), len(y), lost_x + lost_y)

    from scipy import stats

    ranks = stats.rankdata(np.concatenate([x, y]))
    wins = ranks[: len(x)].sum() - len(x) * (len(x) + 1) / 2
    with np.errstate(invalid="ignore"):  # all values equal: there is nothing to test
        p = float(stats.mannwhitneyu(x, y, alternative="two-sided").pvalue)
    return Auc(float(wins / (len(x) * len(y))), p, len(x), len(y), lost_x + lost_y)


def pair_share(clean: ArrayLike, damaged: ArrayLike) -> PairShare:
    """How often a summary scores above its own damaged copy, which has the same index.

    >>> pair_share([3, 2, 5, 1], [1, 2, 4, 3]).better  # two wins, a tie, a loss
    0.625
    """
    x, y = np.asarray(clean, dtype=float), np.asarray(damaged, dtype=float)
    if x.shape != y.shape:
        raise ValueError(f"{x.shape} clean values, but {y.shape} damaged ones: they are no pairs")
    known = np.isfinite(x) & np.isfinite(y)
    difference = (x - y)[known]
    n, left_out = int(known.sum()), int((~known).sum())
    if not n:
        return PairShare(math.nan, math.nan, math.nan, math.nan, math.nan, 0, left_out)
    wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
    tied = n - wins - losses
    low, high, p = _sign_test(wins, wins + losses)
    return PairShare((wins + tied / 2) / n, tied / n, low, high, p, n, left_out)


def _known(values: ArrayLike) -> tuple[NDArray[np.float64], int]:
    given = np.asarray(values, dtype=float)
    known = np.isfinite(given)
    return given[known], int((~known).sum())


def _sign_test(wins: int, n: int) -> tuple[float, float, float]:
    if not n:  # ties only
        return math.nan, math.nan, 1.0

    from scipy import stats

    found = stats.binomtest(wins, n)
    interval = found.proportion_ci()
    return float(interval.low), float(interval.high), float(found.pvalue)
