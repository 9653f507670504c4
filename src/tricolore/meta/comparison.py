"""Which of two systems is better by a measure: paired by document, with interval and p-value."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricolore.data.score_table import ScoreTable
from tricolore.measure import Measure
from tricolore.meta.bootstrap import counts
from tricolore.meta.holm import holm
from tricolore.meta.permutation import share_beyond
from tricolore.meta.poisson import interval
from tricolore.registry import SpecError, get_measure

Floats = NDArray[np.float64]
Pooled = Callable[[Mapping[str, Any]], Any]

_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class Comparison:
    """Two systems by one measure, on the documents that both have a value for.

    `difference` is `first_value` less `second_value`, with a bootstrap interval over documents.
    `p` is that of a permutation test that swaps the two systems' summaries of a document;
    `corrected` is Holm's. All NaN if there is no such document; no interval for a single one.
    """

    measure: str
    first: str
    second: str
    first_value: float
    second_value: float
    difference: float
    low: float
    high: float
    p: float
    documents: int
    corrected: float = math.nan

    def significant(self, alpha: float = 0.05) -> bool:
        """Whether the corrected p-value is below alpha."""
        return self.corrected < alpha


def compare(
    table: ScoreTable,
    column: str,
    systems: Sequence[str] | None = None,
    *,
    resamples: int = 10_000,
    seed: int = 0,
) -> list[Comparison]:
    """Compare every pair of systems by one column; Holm's correction is for all these pairs.

    A measure with a value for many summaries together (BLEU) is compared by that value.

    >>> docs, systems = ["1", "1", "2", "2"], ["a", "b", "a", "b"]
    >>> table = ScoreTable.of(docs, systems, {"coverage": [0.9, 0.5, 0.8, 0.6]})
    >>> [found] = compare(table, "coverage", resamples=999)
    >>> round(found.difference, 3), found.documents
    (0.3, 2)
    """
    names = table.grid.systems if systems is None else tuple(systems)
    pairs = list(combinations(names, 2))
    if not pairs:
        return []
    pooled, sums = _sums(table, column)
    places = [[table.grid.systems.index(name) for name in pair] for pair in pairs]
    found = _compare(column, pairs, np.array(places), pooled, sums, resamples, seed)
    corrected = holm([one.p for one in found])
    return [replace(one, corrected=float(p)) for one, p in zip(found, corrected, strict=True)]


def _sums(table: ScoreTable, column: str) -> tuple[Pooled, dict[str, Floats]]:
    """How sums become a value, and the sums of each system's rows of each document."""
    pooled, parts = _pooling(table, column)
    columns = {"value": column} | {part: f"{column}.{part}" for part in parts}
    known = np.all([np.isfinite(table.values[name]) for name in columns.values()], axis=0)
    grid = table.grid.keep(known)
    shape = (len(grid.systems), len(grid.documents))
    cells = grid.system * shape[1] + grid.doc

    def add(values: Floats) -> Floats:
        return np.bincount(cells, values, shape[0] * shape[1]).reshape(shape).astype(float)

    sums = {name: add(table.values[of][known]) for name, of in columns.items()}
    return pooled, {"count": add(np.ones(len(cells))), **sums}


def _pooling(table: ScoreTable, column: str) -> tuple[Pooled, tuple[str, ...]]:
    try:
        measure = get_measure(column)
    except SpecError:
        return _mean, ()
    own = type(measure).pooled is not Measure.pooled
    if own and all(f"{column}.{part}" in table.values for part in measure.part_names):
        return measure.pooled, measure.part_names
    return _mean, ()


def _mean(sums: Mapping[str, Any]) -> Any:
    return sums["value"] / sums["count"]


def _compare(
    column: str,
    pairs: Sequence[tuple[str, str]],
    places: NDArray[np.intp],
    pooled: Pooled,
    sums: Mapping[str, Floats],
    resamples: int,
    seed: int,
) -> list[Comparison]:
    first, second = places.T
    both = (sums["count"][first] > 0) & (sums["count"][second] > 0)
    a = {name: np.where(both, each[first], 0.0) for name, each in sums.items()}
    b = {name: np.where(both, each[second], 0.0) for name, each in sums.items()}
    once = np.ones((both.shape[1], 1))
    value_a, value_b = (_values(pooled, side, once)[:, 0] for side in (a, b))
    rng = np.random.default_rng(seed)
    drawn = np.empty((len(pairs), resamples))
    swapped = np.empty((len(pairs), resamples))
    some = max(16, _AT_ONCE // max(1, len(pairs), both.shape[1]))
    for at in range(0, resamples, some):
        width = min(some, resamples - at)
        these = slice(at, at + width)
        times = counts(rng, both.shape[1], width)
        drawn[:, these] = _values(pooled, a, times) - _values(pooled, b, times)
        coins = rng.integers(0, 2, (both.shape[1], width)).astype(float)
        trade = {name: (b[name] - a[name]) @ coins for name in a}
        x = {name: each.sum(axis=1, keepdims=True) + trade[name] for name, each in a.items()}
        y = {name: each.sum(axis=1, keepdims=True) - trade[name] for name, each in b.items()}
        with np.errstate(all="ignore"):
            swapped[:, these] = np.asarray(pooled(x)) - np.asarray(pooled(y))
    return [
        _one(column, pair, float(u), float(v), draws, swaps, int(shared))
        for pair, u, v, draws, swaps, shared in zip(
            pairs, value_a, value_b, drawn, swapped, both.sum(axis=1), strict=True
        )
    ]


def _values(pooled: Pooled, side: Mapping[str, Floats], weights: Floats) -> Floats:
    with np.errstate(all="ignore"):
        return np.asarray(pooled({name: each @ weights for name, each in side.items()}), float)


def _one(
    column: str,
    pair: tuple[str, str],
    first: float,
    second: float,
    drawn: Floats,
    swapped: Floats,
    documents: int,
) -> Comparison:
    difference = first - second
    low, high = interval(drawn) if documents > 1 else (math.nan, math.nan)
    p = share_beyond(swapped, difference) if documents else math.nan
    return Comparison(column, *pair, first, second, difference, low, high, p, documents)


@dataclass(frozen=True)
class Place:
    """A system's place by one measure: 1 and the number of systems significantly better."""

    system: str
    rank: int
    value: float


def ranking(
    table: ScoreTable, column: str, comparisons: Sequence[Comparison], alpha: float = 0.05
) -> list[Place]:
    """The systems from the best; those that no significant difference parts share a rank.

    The value of a system is that of all its rows, also of documents that others lack.
    """
    pooled, sums = _sums(table, column)
    values = _values(pooled, sums, np.ones((len(table.grid.documents), 1)))[:, 0]
    sign = -1.0 if table.lower(column) else 1.0
    better: dict[str, int] = dict.fromkeys(table.grid.systems, 0)
    for one in comparisons:
        if one.significant(alpha) and one.difference:
            better[one.second if sign * one.difference > 0 else one.first] += 1
    named = {name for one in comparisons for name in (one.first, one.second)}
    places = [
        Place(name, 1 + better[name], float(value))
        for name, value in zip(table.grid.systems, values, strict=True)
        if name in named or not comparisons
    ]
    return sorted(places, key=lambda p: (math.isnan(p.value), p.rank, -sign * p.value))
