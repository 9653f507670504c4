"""Which of two systems is better by a measure: paired by document, with interval and p-value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricolore.data.score_table import ScoreTable
from tricolore.errors import SpecError
from tricolore.measure import Measure
from tricolore.meta.holm import holm
from tricolore.meta.intervals import interval
from tricolore.meta.paired import Alike, Pooled, alike, drawn_differences, least_p, swapping_p
from tricolore.meta.permutation import enough
from tricolore.registry import get_measure

Floats = NDArray[np.float64]

_KEPT = 1 << 24  # differences of resamples that are kept at a time


@dataclass(frozen=True)
class Comparison:
    """Two systems by one measure, on the documents that both have a value for.

    `difference` is `first_value` less `second_value`, with a bootstrap interval over documents.
    `p` is that of a permutation test that swaps the two systems' summaries of a document,
    `least` the smallest that this test can give; `corrected` is Holm's. All NaN if there is no
    such document; no interval for a single one.
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
    least: float = math.nan

    def significant(self, alpha: float = 0.05) -> bool:
        """Whether the corrected p-value is below alpha."""
        return self.corrected < alpha


def compare(
    table: ScoreTable,
    column: str,
    systems: Sequence[str] | None = None,
    *,
    resamples: int = 10_000,
    permutations: int | None = None,
    seed: int = 0,
) -> list[Comparison]:
    """Compare every pair of systems by one column; Holm's correction is for all these pairs.

    A measure with a value for many summaries together (BLEU) is compared by that value. Without
    `permutations` there are as many swappings as resamples, and at least 50 a pair.

    >>> docs, systems = ["1", "1", "2", "2"], ["a", "b", "a", "b"]
    >>> table = ScoreTable.of(docs, systems, {"coverage": [0.9, 0.5, 0.8, 0.6]})
    >>> [found] = compare(table, "coverage", resamples=999)
    >>> round(found.difference, 3), found.documents
    (0.3, 2)
    """
    names = table.grid.systems if systems is None else tuple(systems)
    pairs = list(combinations(names, 2))
    permutations = permutations or enough(len(pairs), resamples)
    pooled, sums = _sums(table, column)
    places = {name: at for at, name in enumerate(table.grid.systems)}
    found: list[Comparison] = []
    some = max(1, _KEPT // resamples)
    for at in range(0, len(pairs), some):
        these = pairs[at : at + some]
        sets = alike(np.array([[places[a], places[b]] for a, b in these]), sums, pooled)
        documents = len(table.grid.documents)
        found += _compare(column, these, sets, documents, resamples, permutations, seed)
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
    sets: list[Alike],
    documents: int,
    resamples: int,
    permutations: int,
    seed: int,
) -> list[Comparison]:
    draws, swaps = np.random.default_rng(seed).spawn(2)
    first, second = np.empty(len(pairs)), np.empty(len(pairs))
    shared = np.empty(len(pairs), dtype=int)
    for some in sets:
        values = some.values(np.ones((documents, 1)))
        first[some.at], second[some.at] = (side[:, 0] for side in values)
        shared[some.at] = len(some.documents)
    drawn = drawn_differences(sets, documents, len(pairs), resamples, draws)
    p = swapping_p(sets, first - second, documents, permutations, swaps)
    return [
        Comparison(
            *(column, a, b, float(u), float(v), float(u - v)),
            *interval(spread, of=int(n)),
            p=float(q),
            documents=int(n),
            least=least_p(int(n), permutations) if n else math.nan,
        )
        for (a, b), u, v, spread, q, n in zip(pairs, first, second, drawn, p, shared, strict=True)
    ]


def _values(pooled: Pooled, side: Mapping[str, Floats], weights: Floats) -> Floats:
    with np.errstate(all="ignore"):
        return np.asarray(pooled({name: each @ weights for name, each in side.items()}), float)


@dataclass(frozen=True)
class Place:
    """A system's place by one measure: 1 and the number of systems significantly better.

    Where neither way is better it is those that have significantly more. No rank without a value.
    """

    system: str
    rank: int | None
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
        Place(name, None if math.isnan(value) else 1 + better[name], float(value))
        for name, value in zip(table.grid.systems, values, strict=True)
        if name in named or not comparisons
    ]
    return sorted(places, key=lambda p: (p.rank is None, p.rank or 0, -sign * p.value))
