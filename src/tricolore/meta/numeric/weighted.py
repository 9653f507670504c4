"""Correlation of many pairs under many weightings at once: the inner loop of the resampling.

A resample is a weight for every pair: how often it is in the resample. The order of the numbers
does not change with the weights, so they are sorted once, and every resample is a column of a
matrix of weights: ranks are running sums down the columns, Kendall's discordant pairs are counted
as in Knight's algorithm, by merging (Knight 1966).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tricolore.arrays import Floats, Ints
from tricolore.meta.choices import Coefficient


def reuse_freed_memory() -> None:
    """Make the C library reuse freed memory: up to three times as fast.

    The C library of Linux gives every large array back to the system, and gets it back page by
    page, until it has seen one of this size freed. Elsewhere nothing happens.
    """
    np.empty(30 << 20, dtype=np.uint8)


class SortedNumbers:
    """One side of the pairs, sorted once."""

    def __init__(self, values: Floats) -> None:
        order = np.argsort(values, kind="stable")
        ordered = values[order]
        new = np.ones(len(values), dtype=bool)
        new[1:] = ordered[1:] != ordered[:-1]
        starts = np.flatnonzero(new)
        tie = np.empty(len(values), dtype=np.intp)
        tie[order] = np.cumsum(new) - 1
        self.values = values
        self.order = order
        self.tie = tie
        """Which of the distinct values each number has."""
        self.bounds = np.append(starts, len(values))
        """Where each distinct value begins among the sorted numbers, and where the last ends."""

    def sums(self, weights: Floats) -> Floats:
        """The weight below each distinct value, then the total: one row more than values."""
        return running_sums(weights.take(self.order, axis=0)).take(self.bounds, axis=0)

    def ranks(self, weights: Floats) -> Floats:
        """The mean rank of every number among the weighted ones, less the mean of all ranks."""
        below = self.sums(weights)
        middle = below[1:] + below[:-1]
        middle -= below[-1]
        middle *= 0.5
        return middle.take(self.tie, axis=0)


def running_sums(rows: Floats) -> Floats:
    """The sums of all rows before each row, then of all rows: one row more than given.

    The same as a cumulative sum down the columns, several times as fast: in blocks, whole rows at
    a time.
    """
    n, width = rows.shape
    block = max(1, int(np.sqrt(n)))
    blocks = -(-n // block)
    sums = np.zeros((blocks * block + 1, width))
    sums[1 : n + 1] = rows
    body = sums[1:].reshape(blocks, block, width)
    for row in range(1, block):
        body[:, row] += body[:, row - 1]
    for row in range(1, blocks):
        body[row, -1] += body[row - 1, -1]
    body[1:, :-1] += body[:-1, -1:]
    return sums[: n + 1]


class WeightedPairs:
    """Pairs of numbers, none missing, whose correlation is wanted for many weightings."""

    def __init__(self, x: SortedNumbers, y: SortedNumbers) -> None:
        self.x = x
        self.y = y

    def correlate(
        self, weights: Floats, coefficient: Coefficient, y_ranks: Floats | None = None
    ) -> Floats:
        """One coefficient per column of `weights` (pairs × resamples); NaN where undefined.

        `y_ranks`, if given, are not computed again for Spearman's ρ.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            if coefficient == "pearson":
                return self._pearson(weights)
            if coefficient == "spearman":
                if y_ranks is None:
                    y_ranks = self.y.ranks(weights)
                return _spearman(self.x.ranks(weights), y_ranks, weights)
            return self._kendall(weights, coefficient)

    def _pearson(self, weights: Floats) -> Floats:
        return pearson_of_sums(self._powers @ weights)

    @cached_property
    def _powers(self) -> Floats:
        return powers(self.x.values, self.y.values)

    def _kendall(self, weights: Floats, coefficient: Coefficient) -> Floats:
        """Kendall's τ from ordered pairs, so that each pair counts twice."""
        x, y = np.diff(self.x.sums(weights), axis=0), np.diff(self.y.sums(weights), axis=0)
        both = np.diff(self._both.sums(weights), axis=0)
        total = weights.sum(axis=0)
        tied_x, tied_y, tied_both = (np.einsum("ij,ij->j", w, w) for w in (x, y, both))
        difference = total**2 - tied_x - tied_y + tied_both - 4 * self._discordant(weights)
        if coefficient == "kendall-a":
            return tau_a(difference, total, total**2 - tied_x, total**2 - tied_y)
        if coefficient == "kendall-b":
            return tau_b(difference, total**2 - tied_x, total**2 - tied_y)
        return tau_c(difference, total, (x > 0).sum(axis=0), (y > 0).sum(axis=0))

    @cached_property
    def _both(self) -> SortedNumbers:
        """The pairs numbered by their x, and by their y where the x are the same."""
        return SortedNumbers(
            (self.x.tie * (self.y.tie.max(initial=0) + 1) + self.y.tie).astype(float)
        )

    def _discordant(self, weights: Floats) -> Floats:
        discordant = np.zeros(weights.shape[1])
        for left, right, higher, start in self._merges:
            above = running_sums(weights.take(left, axis=0))
            counted = above.take(higher, axis=0)
            counted -= above.take(start, axis=0)
            discordant += np.einsum("ij,ij->j", counted, weights.take(right, axis=0))
        return discordant

    @cached_property
    def _merges(self) -> list[tuple[Ints, Ints, Ints, Ints]]:
        """The steps of a merge sort by y of what is sorted by x (and y where x are the same).

        A step: the numbers of the left halves, block after block, falling; those of the right
        halves; how many of the left ones are before the block's end and higher than each right
        one; how many are in blocks before.
        """
        order = self._both.order
        y = self.y.tie[order]
        place = np.arange(len(order))
        steps = []
        size = 1
        while size < len(order):
            block = place // (2 * size)
            right = (place // size) % 2 == 1
            # Falling y within a block; a right one before the left ones that equal it.
            merged = np.lexsort((~right, -y, block))
            is_right = right[merged]
            lefts = np.cumsum(~is_right)
            firsts = np.searchsorted(block[merged], block[merged])
            before = np.append(0, lefts)[firsts]
            steps.append(
                (
                    order[merged[~is_right]],
                    order[merged[is_right]],
                    lefts[is_right],
                    before[is_right],
                )
            )
            size *= 2
        return steps


def powers(x: Floats, y: Floats) -> Floats:
    """1, x, y, x², y², xy of numbers, moved and scaled so that little is lost in their sums."""
    x, y = (_scaled(v) for v in (x, y))
    return np.stack([np.ones_like(x), x, y, x * x, y * y, x * y])


def _scaled(values: Floats) -> Floats:
    if not values.size:
        return values
    moved: Floats = values - values.mean()
    reach = float(np.abs(moved).max())
    return moved / reach if reach else moved


def pearson_of_sums(sums: Floats) -> Floats:
    """Pearson's r, eq. (2.3), from the weighted sums of `powers`."""
    n, x, y, xx, yy, xy = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        var_x, var_y = xx - x * x / n, yy - y * y / n
        # The variance of equal numbers is zero only up to rounding.
        var_x = np.where(var_x > 1e-13 * xx, var_x, np.nan)
        var_y = np.where(var_y > 1e-13 * yy, var_y, np.nan)
        return within_one((xy - x * y / n) / np.sqrt(var_x * var_y))


def _spearman(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Spearman's ρ, eq. (2.2), from ranks whose weighted mean is 0."""
    weighted = weights * x
    var_x = np.einsum("ij,ij->j", weighted, x)
    var_y = np.einsum("ij,ij,ij->j", weights, y, y)
    return within_one(np.einsum("ij,ij->j", weighted, y) / _root(var_x, var_y))


def tau_a(difference: Floats, total: Floats, untied_x: Floats, untied_y: Floats) -> Floats:
    """Kendall's τ-a: concordant less discordant pairs, by all pairs (thesis, eq. 2.1).

    Not defined where one side is constant, like the other coefficients.
    """
    varies = (untied_x > 0) & (untied_y > 0)
    return within_one(difference / np.where(varies, total * (total - 1), np.nan))


def tau_b(difference: Floats, untied_x: Floats, untied_y: Floats) -> Floats:
    """Kendall's τ-b: concordant less discordant pairs, by the pairs that are not tied."""
    return within_one(difference / _root(untied_x, untied_y))


def tau_c(
    difference: Floats, total: Floats, distinct_x: NDArray[np.int_], distinct_y: NDArray[np.int_]
) -> Floats:
    """Kendall's τ-c (Stuart 1953), by the smaller number of distinct values."""
    fewer = np.minimum(distinct_x, distinct_y)
    return within_one(difference / np.where(fewer > 1, total**2 * (fewer - 1) / fewer, np.nan))


def _root(a: Floats, b: Floats) -> Floats:
    return np.sqrt(np.where((a > 0) & (b > 0), a * b, np.nan))


def within_one(values: Floats) -> Floats:
    """Clip what rounding has moved beyond 1."""
    return np.clip(values, -1.0, 1.0)
