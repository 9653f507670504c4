"""System-level correlation over many random samples of documents at once.

A draw is an order of the documents; its first n are the ones that are taken. So the samples for
growing n are nested, which keeps a curve over n smooth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tricolore.arrays import Floats
from tricolore.meta.choices import Coefficient
from tricolore.meta.correlation import settled
from tricolore.meta.intervals import interval
from tricolore.meta.numeric.small_sets import correlate_sets


@dataclass(frozen=True)
class Curve:
    """A curve over a setting: the mean of the draws and where 95 % of them lie.

    `undefined` counts the draws of each point that gave no correlation.
    """

    x: list[float]
    mean: list[float]
    low: list[float]
    high: list[float]
    undefined: list[int]


def random_orders(draws: int, documents: int, seed: int) -> NDArray[np.intp]:
    """The rank of each document in the order of each draw: draws × documents."""
    return np.random.default_rng(seed).random((draws, documents)).argsort(axis=1).argsort(axis=1)


def system_means(values: Floats, taken: NDArray[np.bool_]) -> Floats:
    """The mean of each system over the documents taken: draws × systems.

    `values` are systems × documents, NaN where there is none, `taken` draws × documents.

    >>> system_means(np.array([[1.0, 3.0], [np.nan, 5.0]]), np.array([[True, False]])).tolist()
    [[1.0, nan]]
    """
    has_value = np.isfinite(values)
    weights = taken.astype(float)
    counts = weights @ has_value.T
    sums = weights @ np.where(has_value, values, 0.0).T
    means = np.where(counts > 0, sums / np.where(counts > 0, counts, 1.0), np.nan)
    return settled(means)


def correlation_curve(
    x: list[float], means: list[Floats], human: list[Floats], coefficient: Coefficient
) -> Curve:
    """The correlation of the systems' means with their mean human scores, per draw, for every x.

    Each of `means` and `human` is draws × systems; a single row of `human` is used for all draws.
    """
    points = [
        _point(of_measure, people, coefficient)
        for of_measure, people in zip(means, human, strict=True)
    ]
    mean, low, high, undefined = zip(*points, strict=True) if points else ((), (), (), ())
    return Curve(list(x), list(mean), list(low), list(high), list(undefined))


def _point(
    means: Floats, human: Floats, coefficient: Coefficient
) -> tuple[float, float, float, int]:
    human = np.broadcast_to(human, means.shape)
    coefficients = correlate_sets(means, human, coefficient)[:, 0]
    defined = coefficients[np.isfinite(coefficients)]
    undefined = len(coefficients) - len(defined)
    if not len(defined):
        return float("nan"), float("nan"), float("nan"), undefined
    low, high = interval(defined)
    return float(defined.mean()), low, high, undefined
