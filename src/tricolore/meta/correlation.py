"""Correlation of two columns of numbers, with its p-value (thesis §2.3, eqs. (2.1) to (2.3)).

Eq. (2.1) is τ-a, which is τ-b where nothing is tied.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tricolore.meta.choices import Coefficient

EXACT = 8
"""Up to this many pairs, the p-value is exact: it looks at all orders."""


@dataclass(frozen=True)
class Correlation:
    """A coefficient, its two-sided p-value, and the number of pairs.

    Up to 8 pairs the p-value is the share of all orders that correlate as strongly; with more it is
    scipy's. NaN where it is undefined: fewer than two pairs, or one side constant. `left_out`
    counts the pairs that lack one number or both; `reason` says why there is no value.
    """

    value: float
    p: float
    n: int
    left_out: int = 0
    reason: str = ""


def correlate(x: ArrayLike, y: ArrayLike, coefficient: Coefficient = "spearman") -> Correlation:
    """Correlate two columns; pairs with a NaN are left out and counted.

    >>> correlate([1, 2, 3, 4, float("nan")], [1, 3, 2, 4, 5], "kendall-b")
    Correlation(value=0.6666666666666669, p=0.3333333333333333, n=4, left_out=1, reason='')
    """
    a, b, left_out = paired(x, y)
    n = len(a)
    if reason := _undefined(a, b):
        return Correlation(math.nan, math.nan, n, left_out, reason)
    value, p = _by_scipy(a, b, coefficient)
    if n <= EXACT:
        p = exact_p(a, b, coefficient)
    return Correlation(value, p, n, left_out)


def _undefined(x: NDArray[np.float64], y: NDArray[np.float64]) -> str:
    """Why two columns have no correlation; empty if they have one."""
    if len(x) < 2:
        return "there are fewer than two pairs"
    if is_constant(x):
        return "all values are the same"
    return "all values to compare with are the same" if is_constant(y) else ""


def exact_p(x: NDArray[np.float64], y: NDArray[np.float64], coefficient: Coefficient) -> float:
    """The share of all orders of y in which the correlation is as strong, of either sign.

    >>> exact_p(np.array([1.0, 2, 3]), np.array([1.0, 2, 3]), "spearman")
    0.3333333333333333
    """
    from scipy import stats

    orders = _orders(len(x))
    # Ties and spread stay as they are when y is reordered: the rest of each formula is constant.
    if coefficient.startswith("kendall"):
        i, j = np.triu_indices(len(x), 1)
        signs = np.sign(y[:, None] - y)
        found = signs[orders[:, i], orders[:, j]] @ np.sign(x[i] - x[j])
    else:
        a, b = (stats.rankdata(v) for v in (x, y)) if coefficient == "spearman" else (x, y)
        found = (b - b.mean())[orders] @ (a - a.mean())
    strength = np.abs(found)
    return float((strength >= strength[0] - 1e-9 * strength.max()).mean())


@cache
def _orders(n: int) -> NDArray[np.intp]:
    """All orders of n items, the given one first."""
    return np.array(list(permutations(range(n))), dtype=np.intp)


def paired(x: ArrayLike, y: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
    """The complete pairs, and the number of incomplete ones."""
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if a.shape != b.shape:
        raise ValueError(f"the columns differ in length: {a.shape} and {b.shape}")
    known = np.isfinite(a) & np.isfinite(b)
    return a[known], b[known], int((~known).sum())


def settled(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Means without the last digits, so that rounding does not separate equal ones.

    >>> settled(np.array([0.1 + 0.2, 0.3])).tolist()
    [0.3, 0.3]
    """
    known = means[np.isfinite(means)]
    reach = float(np.abs(known).max()) if known.size else 0.0
    if reach < 1e-280:  # empty, or too small for its digits to be counted
        return means
    return np.round(means, 12 - math.floor(math.log10(reach)))


def is_constant(values: NDArray[np.float64]) -> bool:
    """Whether all numbers are the same, up to the rounding of means."""
    low, high = values.min(), values.max()
    return bool(high - low <= 1e-13 * max(abs(low), abs(high)))


def _by_scipy(
    x: NDArray[np.float64], y: NDArray[np.float64], coefficient: Coefficient
) -> tuple[float, float]:
    from scipy import stats

    if coefficient == "spearman":
        # scipy's p-value divides by zero at two pairs and warns.
        with np.errstate(all="ignore"):
            found = stats.spearmanr(x, y)
    elif coefficient == "pearson":
        found = stats.pearsonr(x, y)
    elif coefficient == "kendall-a":
        found = stats.kendalltau(x, y)
        # The same test of concordant less discordant pairs, by all pairs.
        return float(found.statistic) * math.sqrt(_untied(x) * _untied(y)), float(found.pvalue)
    else:
        found = stats.kendalltau(x, y, variant=coefficient[-1])
    return float(found.statistic), float(found.pvalue)


def _untied(values: NDArray[np.float64]) -> float:
    """The share of pairs of numbers that differ.

    >>> _untied(np.array([1.0, 1.0, 2.0]))
    0.6666666666666667
    """
    counts = np.unique(values, return_counts=True)[1].astype(float)
    pairs = len(values) * (len(values) - 1)
    return 1 - float((counts * (counts - 1)).sum()) / pairs
