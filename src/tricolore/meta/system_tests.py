"""Which of two systems is better by a measure: paired by document, with interval and p-value.

All systems are compared on the same documents: those for which each system has a value. A system
that has no value at all by a measure is not compared by it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from tricolore.arrays import Flags, Floats
from tricolore.data.score_table import ScoreTable
from tricolore.errors import SpecError
from tricolore.meta.holm import holm
from tricolore.meta.intervals import interval
from tricolore.meta.numeric.system_pairs import (
    Pooled,
    SystemPairs,
    permutation_p,
    resampled_differences,
    smallest_p,
    with_empty,
)
from tricolore.meta.permutation import default_permutations
from tricolore.registry import get_measure

_KEPT = 1 << 24  # differences of resamples held at a time


@dataclass(frozen=True)
class SystemComparison:
    """Two systems by one measure, on the documents that all compared systems have a value for.

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


def compare_system_pairs(
    table: ScoreTable,
    column: str,
    systems: Sequence[str] | None = None,
    *,
    resamples: int = 10_000,
    permutations: int | None = None,
    seed: int = 0,
) -> list[SystemComparison]:
    """Compare every pair of systems by one column; Holm's correction is for all these pairs.

    Settle first how empty summaries count (`ScoreTable.with_empty`). A measure with a value for
    many summaries together (BLEU) is compared by that value. Without `permutations` there are as
    many permutations as resamples, and at least 50 per pair.

    >>> docs, systems = ["1", "1", "2", "2"], ["a", "b", "a", "b"]
    >>> table = ScoreTable.of(docs, systems, {"coverage": [0.9, 0.5, 0.8, 0.6]})
    >>> [found] = compare_system_pairs(table, "coverage", resamples=999)
    >>> round(found.difference, 3), found.documents
    (0.3, 2)
    """
    names = table.grid.systems if systems is None else tuple(systems)
    pairs = list(combinations(names, 2))
    permutations = permutations or default_permutations(len(pairs), resamples)
    pooled, sums = _sums(table, column, names)
    places = {name: start for start, name in enumerate(names)}
    comparisons: list[SystemComparison] = []
    batch_size = max(1, _KEPT // resamples)
    for start in range(0, len(pairs), batch_size):
        batch = pairs[start : start + batch_size]
        first, second = np.array([[places[a], places[b]] for a, b in batch]).T
        paired = SystemPairs(first, second, sums, pooled)
        comparisons += _compare(column, batch, paired, resamples, permutations, seed)
    corrected = holm([comparison.p for comparison in comparisons])
    return [
        replace(comparison, corrected=float(p))
        for comparison, p in zip(comparisons, corrected, strict=True)
    ]


def _sums(
    table: ScoreTable, column: str, systems: Sequence[str]
) -> tuple[Pooled, dict[str, Floats]]:
    """The function from sums to a value, and the sums per system and common document."""
    pooled, own = system_sums(table, column, systems)
    there = own["count"] > 0
    common = there[there.any(axis=1)].all(axis=0) & there.any(axis=0)
    return pooled, {name: each[:, common] for name, each in own.items()}


def system_sums(
    table: ScoreTable, column: str, systems: Sequence[str]
) -> tuple[Pooled, dict[str, Floats]]:
    """The function from sums to a value, and the sums per system and document."""
    pooled, parts = _pooling(table, column)
    value = table.values[column]
    columns = {part: table.values[f"{column}.{part}"] for part in parts}
    sound = np.all([np.isfinite(own) for own in (value, *columns.values())], axis=0)
    # An empty summary that counts has a value, but no parts that could be added to others.
    counted = sound | (table.is_empty & np.isfinite(value))
    shape = (len(table.grid.systems), len(table.grid.documents))
    cells = table.grid.system * shape[1] + table.grid.doc

    def add(values: Floats, rows: Flags) -> Floats:
        totals = np.bincount(cells[rows], values[rows], shape[0] * shape[1])
        return totals.reshape(shape).astype(float)

    sums = {"count": add(np.ones(len(value)), counted), "value": add(value, counted)}
    if parts:
        sums |= {part: add(own, sound) for part, own in columns.items()}
        sums["empty"] = add(np.ones(len(value)), counted & ~sound)
        if sums["empty"].any():
            pooled = with_empty(pooled, float(value[counted & ~sound][0]))
    places = [table.grid.systems.index(name) for name in systems]
    return pooled, {name: each[places] for name, each in sums.items()}


def _pooling(table: ScoreTable, column: str) -> tuple[Pooled, tuple[str, ...]]:
    try:
        measure = get_measure(column)
    except SpecError:
        return _mean, ()
    if measure.is_pooled and all(f"{column}.{part}" in table.values for part in measure.part_names):
        return measure.pooled, measure.part_names
    return _mean, ()


def _mean(sums: Mapping[str, Any]) -> Any:
    return sums["value"] / sums["count"]


def _compare(
    column: str,
    pairs: Sequence[tuple[str, str]],
    paired: SystemPairs,
    resamples: int,
    permutations: int,
    seed: int,
) -> list[SystemComparison]:
    draws, swaps = np.random.default_rng(seed).spawn(2)
    documents = paired.documents
    first, second = (side[:, 0] for side in paired.values(np.ones((documents, 1))))
    shared = np.where(np.isfinite(first - second), documents, 0)
    drawn = resampled_differences(paired, resamples, draws)
    p = permutation_p(paired, first - second, permutations, swaps)
    return [
        SystemComparison(
            *(column, a, b, float(u), float(v), float(u - v)),
            *interval(spread, of=int(n)),
            p=float(q),
            documents=int(n),
            least=smallest_p(int(n), permutations) if n else math.nan,
        )
        for (a, b), u, v, spread, q, n in zip(pairs, first, second, drawn, p, shared, strict=True)
    ]


@dataclass(frozen=True)
class SystemRank:
    """A system's rank by one measure: 1 plus the number of significantly better systems.

    If neither direction is better, systems with significantly higher values are counted. A system
    without a value has no rank. `missing` counts missing values; a document with one is left out
    for all systems.
    """

    system: str
    rank: int | None
    value: float
    missing: int = 0


def ranking(
    table: ScoreTable, column: str, comparisons: Sequence[SystemComparison], alpha: float = 0.05
) -> list[SystemRank]:
    """The systems, best first; those that do not differ significantly share a rank.

    The value of a system is that of the documents that all compared systems have a value for.
    """
    named = {
        name: None for comparison in comparisons for name in (comparison.first, comparison.second)
    }
    systems = list(named) or list(table.grid.systems)
    pooled, sums = _sums(table, column, systems)
    with np.errstate(all="ignore"):
        totals = {name: each.sum(axis=1) for name, each in sums.items()}
        values = np.asarray(pooled(totals), dtype=float)
    missing = table.missing(column)
    sign = -1.0 if table.lower(column) else 1.0
    better: dict[str, int] = dict.fromkeys(table.grid.systems, 0)
    for comparison in comparisons:
        if comparison.significant(alpha) and comparison.difference:
            better[comparison.second if sign * comparison.difference > 0 else comparison.first] += 1
    places = [
        SystemRank(
            name, None if math.isnan(value) else 1 + better[name], float(value), missing[name]
        )
        for name, value in zip(systems, values, strict=True)
    ]
    return sorted(places, key=lambda p: (p.rank is None, p.rank or 0, -sign * p.value))
