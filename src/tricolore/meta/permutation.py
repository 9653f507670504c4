"""Paired permutation test: does one measure agree better with human scores than another?

If two measures were alike, their scores could be exchanged. Both are brought to mean 0 and
deviation 1, and their scores are swapped at random: all of a document, all of a system, or both
independently (Deutsch et al. 2021). The p-value is the share of permutations whose difference is as
large as the one observed, which counts as one of them: (1 + larger) / (1 + permutations).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tricolore.arrays import Floats
from tricolore.data.grid import Grid
from tricolore.meta.bootstrap import Resamples
from tricolore.meta.choices import Coefficient, Level, Over, Statistic
from tricolore.meta.correlation import settled
from tricolore.meta.levels import by_document, document_sets
from tricolore.meta.numeric.kendall_form import KendallForm
from tricolore.meta.numeric.small_sets import correlate_sets
from tricolore.meta.numeric.weighted import SortedNumbers, WeightedPairs, reuse_freed_memory


@dataclass(frozen=True)
class PermutationTest:
    """How much better the first agrees, the two-sided p-value, and the number of permutations."""

    difference: float
    p: float
    permutations: int


@dataclass(frozen=True)
class Swaps(Resamples):
    """Whose scores are swapped (1 or 0); a swap by document and by system cancels out."""

    def weights(self, doc: NDArray[np.intp], system: NDArray[np.intp]) -> Floats:
        """Whether each row is swapped, in each permutation."""
        if self.documents is None or self.systems is None:
            return super().weights(doc, system)
        return np.abs(self.documents.take(doc, axis=0) - self.systems.take(system, axis=0))


def draw_swaps(grid: Grid, over: Over, *, permutations: int = 1000, seed: int = 0) -> Swaps:
    """Toss a coin for every document, every system, or both, by the seed."""
    rng = np.random.default_rng(seed)

    def coins(names: tuple[str, ...]) -> Floats:
        return rng.integers(0, 2, (permutations, len(names))).T.astype(float)

    documents = coins(grid.documents) if over != "systems" else None
    systems = coins(grid.systems) if over != "documents" else None
    return Swaps(documents, systems, permutations)


def permutation_test(
    x: ArrayLike,
    y: ArrayLike,
    human: ArrayLike,
    grid: Grid,
    level: Level,
    statistic: Statistic,
    swaps: Swaps,
) -> PermutationTest:
    """Test whether x and y agree equally well with human scores; only complete rows count.

    Undefined (NaN) if one of them has no correlation with the human scores. Permutations without a
    correlation are left out.
    """
    none = Swaps(np.zeros((len(grid.documents), 1)), None, 1)
    [observed] = differences(x, y, human, grid, level, statistic, none)
    if math.isnan(observed):
        return PermutationTest(math.nan, math.nan, 0)
    permuted = differences(x, y, human, grid, level, statistic, swaps)
    permuted = permuted[np.isfinite(permuted)]
    return PermutationTest(float(observed), p_value(permuted, observed), len(permuted))


def p_value(permuted: Floats, observed: float) -> float:
    """The two-sided p-value, with the observed difference as one of the permutations.

    >>> p_value(np.array([0.1, -0.5, 0.2]), 0.2)
    0.75
    """
    return (1 + int(at_least_as_extreme(permuted, observed).sum())) / (1 + len(permuted))


def at_least_as_extreme(permuted: Floats, observed: float | Floats) -> NDArray[np.bool_]:
    """Which differences are as large as the one observed, of either sign."""
    # A permutation that gives the observed difference again must not miss it by rounding.
    extreme: NDArray[np.bool_] = np.abs(permuted) >= np.abs(observed) * (1 - 1e-9) - 1e-12
    return extreme


def default_permutations(tests: int, least: int = 1000) -> int:
    """The number of permutations that significance after the correction needs: 50 per test.

    >>> default_permutations(3), default_permutations(190)
    (1000, 9500)
    """
    return max(least, 50 * tests)


def differences(
    x: ArrayLike,
    y: ArrayLike,
    human: ArrayLike,
    grid: Grid,
    level: Level,
    statistic: Statistic,
    swaps: Swaps,
) -> Floats:
    """How much better x agrees than y with human scores, one number per permutation.

    The difference of two errors (`mae`) is that of y less that of x, of the values as they are.
    """
    reuse_freed_memory()
    a, b, z = (np.asarray(values, dtype=float) for values in (x, y, human))
    has_all = np.isfinite(a) & np.isfinite(b) & np.isfinite(z)
    if not has_all.any():
        return np.full(swaps.resamples, np.nan)
    a, b, z, rows = a[has_all], b[has_all], z[has_all], grid.keep(has_all)
    if statistic == "mae":
        return -_errors(a, b, z, rows, level, swaps)
    a, b = _standard(a), _standard(b)
    if level == "document":
        return _documents(a, b, z, rows, statistic, swaps)
    if level == "system":
        return _systems(a, b, z, rows, statistic, swaps)
    return _pooled(a, b, z, rows, statistic, swaps)


def _standard(values: Floats) -> Floats:
    moved: Floats = values - values.mean()
    deviation = float(values.std())
    return moved / deviation if deviation else moved


def _twice(values: Floats) -> Floats:
    return np.concatenate([values, values])


def _pooled(
    a: Floats, b: Floats, z: Floats, grid: Grid, coefficient: Coefficient, swaps: Swaps
) -> Floats:
    """Summary level: both measures' scores are paired with the human ones; each swap takes half."""
    pairs = WeightedPairs(SortedNumbers(np.concatenate([a, b])), SortedNumbers(_twice(z)))
    alone = swaps.documents if swaps.systems is None else swaps.systems
    if coefficient.startswith("kendall") and (swaps.documents is None or swaps.systems is None):
        assert alone is not None
        group = grid.system if swaps.documents is None else grid.doc
        if 4 * len(alone) < len(z):
            form = KendallForm(pairs, np.concatenate([group, group + len(alone)]), 2 * len(alone))
            first = np.concatenate([1 - alone, alone])
            return form.correlate(first, coefficient) - form.correlate(1 - first, coefficient)
    ranks = _twice(SortedNumbers(z).ranks(np.ones((len(z), 1))))
    differences = np.empty(swaps.resamples)
    for these, piece in swaps.pieces(2 * len(z)):
        swapped = piece.weights(grid.doc, grid.system)
        first = np.concatenate([1 - swapped, swapped])
        # Each human score is there once whatever is swapped, so its rank stays.
        still = np.broadcast_to(ranks, first.shape)
        differences[these] = pairs.correlate(first, coefficient, still) - pairs.correlate(
            1 - first, coefficient, still
        )
    return differences


def _documents(
    a: Floats, b: Floats, z: Floats, grid: Grid, coefficient: Coefficient, swaps: Swaps
) -> Floats:
    """Document level."""
    if swaps.systems is None:
        # A document that is swapped as a whole only exchanges its two correlations.
        assert swaps.documents is not None
        each_a, each_b = (by_document(v, z, grid, coefficient)[:, None] for v in (a, b))
        there = swaps.documents > 0
        return _mean(np.where(there, each_b, each_a)) - _mean(np.where(there, each_a, each_b))
    differences = np.empty(swaps.resamples)
    for these, piece in swaps.pieces(2 * len(z)):
        first = np.full((2, len(grid.documents), piece.resamples), np.nan)
        for documents, rows in document_sets(grid):
            swapped = piece.weights(grid.doc[rows], grid.system[rows])
            weights = np.concatenate([1 - swapped, swapped], axis=1)
            values = np.concatenate([a[rows], b[rows]], axis=1)
            people = np.concatenate([z[rows], z[rows]], axis=1)
            first[0, documents] = correlate_sets(values, people, coefficient, weights)
            first[1, documents] = correlate_sets(values, people, coefficient, 1 - weights)
        differences[these] = _mean(first[0]) - _mean(first[1])
    return differences


def _mean(each: Floats) -> Floats:
    """The mean over the documents where there is a value."""
    defined = np.isfinite(each)
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(defined, each, 0.0).sum(axis=0) / defined.sum(axis=0)
    return means


def _systems(
    a: Floats, b: Floats, z: Floats, grid: Grid, coefficient: Coefficient, swaps: Swaps
) -> Floats:
    """System level."""
    differences = np.empty(swaps.resamples)
    for these, piece in swaps.pieces(len(grid.systems) ** 2):
        first, second, people = _swapped_means(a, b, z, grid, piece)
        differences[these] = (
            correlate_sets(first, people, coefficient) - correlate_sets(second, people, coefficient)
        )[:, 0]
    return differences


def _swapped_means(
    a: Floats, b: Floats, z: Floats, grid: Grid, swaps: Swaps
) -> tuple[Floats, Floats, Floats]:
    """Each system's means by both permuted measures and by humans: permutations × systems."""
    shape = (len(grid.systems), len(grid.documents))
    cells = grid.system * shape[1] + grid.doc

    def sums(values: Floats) -> Floats:
        return np.bincount(cells, values, shape[0] * shape[1]).reshape(shape).astype(float)

    moved = 0.0 if swaps.documents is None else sums(b - a) @ swaps.documents
    first = sums(a).sum(axis=1, keepdims=True) + moved
    second = sums(b).sum(axis=1, keepdims=True) - moved
    if swaps.systems is not None:
        there = swaps.systems > 0
        first, second = np.where(there, second, first), np.where(there, first, second)
    counts = sums(np.ones_like(a)).sum(axis=1, keepdims=True)
    counts[counts == 0] = np.nan
    people = np.broadcast_to(sums(z).sum(axis=1, keepdims=True), first.shape)
    means = [settled((total / counts).T) for total in (first, second, people)]
    return means[0], means[1], means[2]


def _errors(a: Floats, b: Floats, z: Floats, grid: Grid, level: Level, swaps: Swaps) -> Floats:
    if level == "system":
        first, second, people = _swapped_means(a, b, z, grid, swaps)
        return _mean(np.abs(first - people).T) - _mean(np.abs(second - people).T)
    gain = np.abs(a - z) - np.abs(b - z)
    if level == "document":
        gain = gain / (np.bincount(grid.doc)[grid.doc] * len(np.unique(grid.doc)))
    else:
        gain = gain / len(gain)
    differences = [
        gain @ (1 - 2 * piece.weights(grid.doc, grid.system))
        for _, piece in swaps.pieces(len(gain))
    ]
    return np.concatenate(differences)
