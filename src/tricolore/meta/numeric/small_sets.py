"""Correlations within many small sets of pairs at once, such as the summaries of each document.

All pairs within a small set are compared: with S the signs of all differences, S @ w / 2 are the
ranks of a weighted set, and w' (Sx * Sy) w its concordant less its discordant pairs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricolore.arrays import Floats
from tricolore.meta.choices import Coefficient
from tricolore.meta.numeric.weighted import (
    SortedNumbers,
    WeightedPairs,
    pearson_of_sums,
    tau_a,
    tau_b,
    tau_c,
    within_one,
)

_LARGE = 300  # from this size on, sorting is faster than comparing all pairs
_AT_ONCE = 1 << 21  # numbers in a matrix


def correlate_sets(
    x: Floats, y: Floats, coefficient: Coefficient, weights: Floats | None = None
) -> Floats:
    """The coefficient of every set for every weighting: sets × resamples; NaN where undefined.

    `x` and `y` are sets × pairs, NaN where there is none; `weights` sets × pairs × resamples;
    every pair once if not given.

    >>> correlate_sets(np.array([[1.0, 2, 3], [1, 1, 1]]), np.array([[1.0, 3, 2]] * 2), "spearman")
    array([[0.5],
           [nan]])
    """
    sets, size = x.shape
    if weights is None:
        weights = np.ones((sets, size, 1))
    if size > _LARGE:
        single_sets = zip(x, y, weights, strict=True)
        return np.stack([_large(*single_set, coefficient) for single_set in single_sets])
    size_at_once = max(1, _AT_ONCE // max(1, size * max(size, weights.shape[2])))
    return np.concatenate(
        [
            _correlate(
                x[start : start + size_at_once],
                y[start : start + size_at_once],
                coefficient,
                weights[start : start + size_at_once],
            )
            for start in range(0, sets, size_at_once)
        ]
    )


def _large(x: Floats, y: Floats, weights: Floats, coefficient: Coefficient) -> Floats:
    has_both = np.isfinite(x) & np.isfinite(y)
    return WeightedPairs(SortedNumbers(x[has_both]), SortedNumbers(y[has_both])).correlate(
        weights[has_both], coefficient
    )


def _correlate(x: Floats, y: Floats, coefficient: Coefficient, weights: Floats) -> Floats:
    has_both = np.isfinite(x) & np.isfinite(y)
    w = has_both[:, :, None] * weights
    x, y = np.where(has_both, x, 0.0), np.where(has_both, y, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        if coefficient == "pearson":
            return _pearson(x, y, has_both, w)
        signs_x, signs_y = _signs(x), _signs(y)
        if coefficient == "spearman":
            return _spearman(signs_x, signs_y, w)
        return _kendall(signs_x, signs_y, w, coefficient)


def ranks_in_sets(values: Floats, weights: Floats) -> Floats:
    """The mean ranks of the numbers of every set for every weighting, less the mean of all ranks.

    `values` are sets × numbers, none missing; `weights` and the ranks sets × numbers × resamples.

    >>> ranks_in_sets(np.array([[5.0, 7, 7]]), np.ones((1, 3, 1)))[0, :, 0].tolist()
    [-1.0, 0.5, 0.5]
    """
    if values.shape[1] > _LARGE:
        return np.stack([SortedNumbers(x).ranks(w) for x, w in zip(values, weights, strict=True)])
    return 0.5 * (_signs(values) @ weights)


def _signs(values: Floats) -> Floats:
    return np.sign(values[:, :, None] - values[:, None, :])


def _dot(a: Floats, b: Floats) -> Floats:
    sums: Floats = np.einsum("smr,smr->sr", a, b)
    return sums


def _spearman(signs_x: Floats, signs_y: Floats, w: Floats) -> Floats:
    x, y = signs_x @ w, signs_y @ w  # twice the ranks, about their mean
    weighted = w * x
    spread = _dot(weighted, x) * np.einsum("smr,smr,smr->sr", w, y, y)
    return within_one(_dot(weighted, y) / np.sqrt(np.where(spread > 0, spread, np.nan)))


def _kendall(signs_x: Floats, signs_y: Floats, w: Floats, coefficient: Coefficient) -> Floats:
    difference = _dot(w, (signs_x * signs_y) @ w)
    if coefficient != "kendall-c":
        untied = [_dot(w, np.abs(signs) @ w) for signs in (signs_x, signs_y)]
        if coefficient == "kendall-a":
            return tau_a(difference, w.sum(axis=1), *untied)
        return tau_b(difference, *untied)
    distinct = [_distinct(signs, w) for signs in (signs_x, signs_y)]
    return tau_c(difference, w.sum(axis=1), *distinct)


def _distinct(signs: Floats, w: Floats) -> NDArray[np.int_]:
    """The number of distinct values among the resampled pairs."""
    drawn = w > 0
    equal_before = np.tril(signs == 0, -1).astype(float)
    if equal_before.any():
        drawn &= equal_before @ drawn.astype(float) == 0
    counts: NDArray[np.int_] = drawn.sum(axis=1)
    return counts


def _pearson(x: Floats, y: Floats, has_both: NDArray[np.bool_], w: Floats) -> Floats:
    x, y = (_scaled(v, has_both) for v in (x, y))
    sums = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=1) @ w
    return pearson_of_sums(np.moveaxis(sums, 1, 0))


def _scaled(values: Floats, has_both: NDArray[np.bool_]) -> Floats:
    count = np.maximum(has_both.sum(axis=1, keepdims=True), 1)
    moved = np.where(has_both, values - values.sum(axis=1, keepdims=True) / count, 0.0)
    reach = np.abs(moved).max(axis=1, keepdims=True, initial=0.0)
    return moved / np.where(reach > 0, reach, 1.0)
