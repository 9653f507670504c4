"""Pairs of systems on the documents that both have: their values, drawn again and swapped.

Values come from sums over documents (a mean from a sum and a count), so that a resample and a
swapping are products of matrices. Pairs that share the same documents are taken together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricolore.meta.bootstrap import counts
from tricolore.meta.permutation import beyond

Floats = NDArray[np.float64]
Whole = NDArray[np.intp]
Pooled = Callable[[Mapping[str, Any]], Any]

_AT_ONCE = 1 << 17  # numbers in a matrix


@dataclass(frozen=True)
class Alike:
    """Pairs of systems that share the same documents.

    `at` are their places among all pairs, `first` and `second` their rows in `sums`, which are
    systems × shared documents.
    """

    at: Whole
    first: Whole
    second: Whole
    documents: Whole
    sums: Mapping[str, Floats]
    pooled: Pooled

    @cached_property
    def _even(self) -> set[str]:
        """The sums that are the same for all systems, so that swapping changes nothing."""
        return {name for name, each in self.sums.items() if (each == each[0]).all()}

    def values(self, weights: Floats) -> tuple[Floats, Floats]:
        """The values of both systems of every pair, a column a weighting of all documents."""
        drawn = weights[self.documents]
        with np.errstate(all="ignore"):
            found = np.asarray(self.pooled({k: v @ drawn for k, v in self.sums.items()}), float)
        return found[self.first], found[self.second]

    def swapped(self, coins: Floats) -> Floats:
        """The differences after swappings: pairs × swappings; `coins` of the shared documents."""
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
            found: Floats = np.asarray(self.pooled(first)) - np.asarray(self.pooled(second))
        return found


def alike(places: Whole, sums: Mapping[str, Floats], pooled: Pooled) -> list[Alike]:
    """The pairs (rows of two systems) by the documents that they share."""
    both = (sums["count"][places[:, 0]] > 0) & (sums["count"][places[:, 1]] > 0)
    groups: dict[bytes, list[int]] = {}
    for place, shared in enumerate(both):
        groups.setdefault(shared.tobytes(), []).append(place)
    made = []
    for members in groups.values():
        at = np.array(members, dtype=np.intp)
        documents = np.flatnonzero(both[at[0]])
        systems, rows = np.unique(places[at], return_inverse=True)
        first, second = rows.reshape(-1, 2).T
        own = {name: each[np.ix_(systems, documents)] for name, each in sums.items()}
        made.append(Alike(at, first, second, documents, own, pooled))
    return made


def drawn_differences(
    sets: list[Alike], documents: int, pairs: int, resamples: int, rng: np.random.Generator
) -> Floats:
    """The differences when documents are drawn with replacement: pairs × resamples."""
    made = np.empty((pairs, resamples))
    for these in _pieces(resamples, max(pairs, documents)):
        times = counts(rng, documents, these.stop - these.start)
        for some in sets:
            first, second = some.values(times)
            made[some.at, these] = first - second
    return made


def swapping_p(
    sets: list[Alike],
    observed: Floats,
    documents: int,
    permutations: int,
    rng: np.random.Generator,
) -> Floats:
    """The two-sided p-value of every pair: how many swappings give as large a difference.

    All swappings are looked at where they are not more than `permutations`; otherwise as many
    are drawn, and the observed difference counts as one of them.
    """
    larger, known = np.zeros(len(observed)), np.zeros(len(observed))

    def look(some: Alike, coins: Floats) -> None:
        found = some.swapped(coins)
        larger[some.at] += beyond(found, observed[some.at, None]).sum(axis=1)
        known[some.at] += np.isfinite(found).sum(axis=1)

    sampled = []
    for some in sets:
        shared = len(some.documents)
        if is_exact(shared, permutations):
            for these in _pieces(1 << max(0, shared - 1), max(len(some.at), shared)):
                look(some, _every(shared, these))
        else:
            sampled.append(some)
            larger[some.at] = known[some.at] = 1
    for these in _pieces(permutations if sampled else 0, max(len(observed), documents)):
        coins = rng.integers(0, 2, (these.stop - these.start, documents)).T.astype(float)
        for some in sampled:
            look(some, coins[some.documents])
    with np.errstate(invalid="ignore"):
        found: Floats = larger / known
    return np.where(np.isfinite(observed), found, np.nan)


def is_exact(documents: int, permutations: int) -> bool:
    """Whether all swappings of so many documents are looked at."""
    return 2.0 ** (documents - 1) <= permutations


def least_p(documents: int, permutations: int) -> float:
    """The smallest p-value that swapping so many documents can give.

    >>> least_p(4, 10_000), least_p(100, 999)
    (0.125, 0.001)
    """
    return 2.0 ** (1 - documents) if is_exact(documents, permutations) else 1 / (1 + permutations)


def _every(documents: int, these: slice) -> Floats:
    """Some of all swappings. The first document stays: all swapped is the same, the other way."""
    numbers = np.arange(these.start, these.stop)
    bits = np.arange(documents)[:, None]
    return ((numbers << 1) >> bits & 1).astype(float)


def _pieces(count: int, rows: int) -> Iterator[slice]:
    some = max(16, _AT_ONCE // max(1, rows))
    for at in range(0, count, some):
        yield slice(at, min(at + some, count))
