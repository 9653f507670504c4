"""Partial correlations under many weightings at once: the inner loop of the resampling.

A resample is a weight for every row, as in `meta.numeric.weighted`. All columns are centred (ranks
for Spearman's ρ) per resample. The controls are made orthogonal and of length one (Gram–Schmidt),
and their shares are taken from the human scores: once for all measures. What is left of a measure
then follows from a few sums of products.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tricolore.arrays import Flags, Floats, Ints
from tricolore.meta.choices import PartialCoefficient
from tricolore.meta.numeric.small_sets import ranks_in_sets
from tricolore.meta.numeric.weighted import SortedNumbers, within_one

NOTHING_LEFT = 1e-10
"""A column follows from others if a regression on them leaves this share of its variance."""


class CentredColumn:
    """One column of numbers, sorted or scaled once, then centred for every weighting."""

    def __init__(self, values: Floats, coefficient: PartialCoefficient) -> None:
        self.values = values
        self._is_ranked = coefficient == "spearman"
        self._sorted = SortedNumbers(values) if self._is_ranked and values.ndim == 1 else None

    def centred(self, weights: Floats) -> Floats:
        """The numbers, or their ranks, less their weighted mean: … × rows × resamples."""
        if self._sorted is not None:
            return self._sorted.ranks(weights)
        if self._is_ranked:
            return ranks_in_sets(self.values, weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            total = weights.sum(axis=-2)
            means = np.einsum("...i,...ij->...j", self.values, weights) / total
        moved: Floats = self.values[..., None] - means[..., None, :]
        return moved


class ControlledScores:
    """Human scores with the controls held constant, for some weightings.

    `human` and `controls` are rows, or sets × rows; `weights` have one axis more, for the
    resamples. No number is missing: a row that is not there has the weight 0.
    """

    def __init__(
        self, human: CentredColumn, controls: Sequence[CentredColumn], weights: Floats
    ) -> None:
        self._weights = weights
        self._axes: list[Floats] = []
        self._shared = [human.values, *(control.values for control in controls)]
        self._needed = len(controls) + 3
        self._drawn = weights > 0
        self._counts = self._drawn.sum(axis=-2)
        for control in controls:
            self._axes.append(self._unit(control.centred(weights)))
        self._human = self._unit(human.centred(weights))

    def correlate(self, column: CentredColumn) -> Floats:
        """The partial correlation with a measure's column, NaN where it is undefined."""
        x = column.centred(self._weights)
        weighted = self._weights * x
        total = _dot(weighted, x)
        left = total.copy()
        for axis in self._axes:
            left -= _dot(weighted, axis) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            left = np.where(left > NOTHING_LEFT * total, left, np.nan)
            found = within_one(_dot(weighted, self._human) / np.sqrt(left))
        return np.where(self._has_enough(column.values), found, np.nan)

    def _has_enough(self, values: Floats) -> Flags:
        """Where the resampled rows are enough; rows that are equal in all columns count once."""
        enough: Flags = self._counts >= self._needed
        least = self._counts - self._repeats[..., None]
        if (enough == (least >= self._needed)).all():
            return enough
        columns = [*self._shared, values]
        if values.ndim == 1:
            return _different(self._drawn, columns) >= self._needed
        for at in np.flatnonzero(self._repeats):
            of_set = [column[at] for column in columns]
            enough[at] = _different(self._drawn[at], of_set) >= self._needed
        return enough

    @cached_property
    def _repeats(self) -> Ints:
        """How many rows of every set have the human score and the controls of an earlier one."""
        if self._shared[0].ndim == 1:
            different = np.unique(np.stack(self._shared), axis=1).shape[1]
            return np.array(len(self._drawn) - different)
        equal = np.ones((*self._shared[0].shape, self._shared[0].shape[-1]), dtype=bool)
        for column in self._shared:
            equal &= column[..., :, None] == column[..., None, :]
        repeated: Ints = np.tril(equal, -1).any(axis=-1).sum(axis=-1)
        return repeated

    def _unit(self, column: Floats) -> Floats:
        """A centred column without its share of the axes before it, of length one; else NaN."""
        total = _dot(self._weights * column, column)
        left = column
        for axis in self._axes:
            left = left - axis * _dot(self._weights * left, axis)[..., None, :]
        length = _dot(self._weights * left, left)
        with np.errstate(divide="ignore", invalid="ignore"):
            length = np.where(length > NOTHING_LEFT * total, length, np.nan)
            unit: Floats = left / np.sqrt(length)[..., None, :]
        return unit


def correlate_set_rows(
    x: Floats, y: Floats, controls: Sequence[Floats], coefficient: PartialCoefficient
) -> Floats:
    """The partial correlation within every set of rows, each row once: sets × rows → sets."""
    human = CentredColumn(y, coefficient)
    held = [CentredColumn(control, coefficient) for control in controls]
    scores = ControlledScores(human, held, np.ones((*x.shape, 1)))
    return scores.correlate(CentredColumn(x, coefficient))[..., 0]


def _dot(a: Floats, b: Floats) -> Floats:
    sums: Floats = np.einsum("...ij,...ij->...j", a, b)
    return sums


def _different(drawn: Flags, columns: Sequence[Floats]) -> Ints:
    """How many different rows are in each resample; `drawn` says which ones are."""
    number = np.unique(np.stack(columns), axis=1, return_inverse=True)[1].ravel()
    order = np.argsort(number, kind="stable")
    starts = np.flatnonzero(np.diff(number[order], prepend=-1))
    counts: Ints = np.logical_or.reduceat(drawn[order], starts, axis=0).sum(axis=0)
    return counts
