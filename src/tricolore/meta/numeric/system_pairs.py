"""Pairs of systems on the same documents: their values, resampled and permuted.

Values come from sums over documents (a mean from a sum and a count), so that a resample and a
permutation are products of matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tricolore.arrays import Floats, Ints
from tricolore.meta.bootstrap import counts
from tricolore.meta.permutation import at_least_as_extreme

Pooled = Callable[[Mapping[str, Any]], Any]

_AT_ONCE = 1 << 17  # numbers in a matrix


def with_empty(pooled: Pooled, worst: float) -> Pooled:
    """A value of many rows together in which empty summaries count by their share.

    `pooled` gives the value of the other rows. `count` is the number of all rows, `empty`
    of those whose summary is empty. For a mean this is the mean in which they have the worst value.

    >>> mean = with_empty(lambda sums: sums["value"] / sums["count"], worst=0.0)
    >>> float(mean({"value": 1.5, "count": np.array(3.0), "empty": 1.0}))  # (0.75 + 0.75 + 0) / 3
    0.5
    """

    def value(sums: Mapping[str, Any]) -> Any:
        sound = np.asarray(sums["count"], dtype=float) - sums["empty"]
        share = sums["empty"] / np.asarray(sums["count"], dtype=float)
        rest = pooled({**sums, "count": sound})
        return np.where(sound > 0, (1 - share) * rest + share * worst, share * worst)

    return value


@dataclass(frozen=True)
class SystemPairs:
    """Pairs of systems. `first` and `second` are rows of `sums`: systems × documents."""

    first: Ints
    second: Ints
    sums: Mapping[str, Floats]
    pooled: Pooled

    @property
    def documents(self) -> int:
        """How many documents they are compared on."""
        return int(self.sums["count"].shape[1])

    @cached_property
    def _even(self) -> set[str]:
        """The sums that are the same for all systems, so that swapping changes nothing."""
        return {name for name, each in self.sums.items() if (each == each[0]).all()}

    def values(self, weights: Floats) -> tuple[Floats, Floats]:
        """The values of both systems of every pair, one column per weighting of the documents."""
        with np.errstate(all="ignore"):
            pooled_values = np.asarray(
                self.pooled({k: v @ weights for k, v in self.sums.items()}), float
            )
        return pooled_values[self.first], pooled_values[self.second]

    def swapped(self, coins: Floats) -> Floats:
        """The differences after permutations: pairs × permutations; `coins` of the documents."""
        first, second = {}, {}
        for name, each in self.sums.items():
            if name in self._even:
                first[name] = second[name] = each[:1].sum(axis=1, keepdims=True)
                continue
            total, moved = each.sum(axis=1, keepdims=True), each @ coins
            trade = moved[self.second] - moved[self.first]
            first[name] = total[self.first] + trade
            second[name] = total[self.second] - trade
        with np.errstate(all="ignore"):
            differences: Floats = np.asarray(self.pooled(first)) - np.asarray(self.pooled(second))
        return differences


def resampled_differences(paired: SystemPairs, resamples: int, rng: np.random.Generator) -> Floats:
    """The differences when documents are resampled: pairs × resamples."""
    differences = np.empty((len(paired.first), resamples))
    for these in _pieces(resamples, max(len(paired.first), paired.documents)):
        first, second = paired.values(counts(rng, paired.documents, these.stop - these.start))
        differences[:, these] = first - second
    return differences


def permutation_p(
    paired: SystemPairs, observed: Floats, permutations: int, rng: np.random.Generator
) -> Floats:
    """The two-sided p-value of every pair: how many permutations give as large a difference.

    All permutations are looked at where they are not more than `permutations`; otherwise as many
    are sampled, and the observed difference counts as one of them.
    """
    documents = paired.documents
    exact = is_exact(documents, permutations)
    start = 0.0 if exact else 1.0
    larger, defined = np.full(len(observed), start), np.full(len(observed), start)
    number = 1 << max(0, documents - 1) if exact else permutations
    for these in _pieces(number, max(len(observed), documents)):
        if exact:
            coins = _every(documents, these)
        else:
            coins = rng.integers(0, 2, (these.stop - these.start, documents)).T.astype(float)
        differences = paired.swapped(coins)
        larger += at_least_as_extreme(differences, observed[:, None]).sum(axis=1)
        defined += np.isfinite(differences).sum(axis=1)
    with np.errstate(invalid="ignore"):
        p: Floats = larger / defined
    return np.where(np.isfinite(observed), p, np.nan)


def is_exact(documents: int, permutations: int) -> bool:
    """Whether all permutations of this many documents are looked at."""
    return 2.0 ** (documents - 1) <= permutations


def smallest_p(documents: int, permutations: int) -> float:
    """The smallest p-value that permutations of this many documents can give.

    >>> smallest_p(4, 10_000), smallest_p(100, 999)
    (0.125, 0.001)
    """
    return 2.0 ** (1 - documents) if is_exact(documents, permutations) else 1 / (1 + permutations)


def _every(documents: int, these: slice) -> Floats:
    """Some of all permutations. The first document stays: swapping all only flips the sign."""
    numbers = np.arange(these.start, these.stop)
    bits = np.arange(documents)[:, None]
    return ((numbers << 1) >> bits & 1).astype(float)


def _pieces(count: int, rows: int) -> Iterator[slice]:
    size = max(16, _AT_ONCE // max(1, rows))
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))
