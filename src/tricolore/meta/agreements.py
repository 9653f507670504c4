"""The agreement of measures with human scores, for given qualities, levels and statistics."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tricolore.arrays import Floats
from tricolore.data.grid import Grid
from tricolore.data.score_table import ScoreTable
from tricolore.meta.bootstrap import Resamples, bootstrap, draw_resamples, interval
from tricolore.meta.choices import LEVELS, Level, Over, PartialCoefficient, Statistic
from tricolore.meta.intervals import few_systems_note, too_few_note
from tricolore.meta.levels import Agreement, agreement
from tricolore.meta.partial import partial_agreement
from tricolore.meta.partial_bootstrap import partial_bootstrap


@dataclass(frozen=True)
class MeasureAgreement:
    """One number of the report: which agreement with what, and its 95 % bootstrap interval."""

    quality: str
    level: Level
    statistic: Statistic
    measure: str
    is_negated: bool
    agreement: Agreement
    low: float = math.nan
    high: float = math.nan
    over: Over = "both"
    """What is resampled for the interval; systems are not if there is only one."""
    notes: tuple[str, ...] = ()
    """A note on how much the interval can be trusted."""
    controls: tuple[str, ...] = ()
    """The columns that are held constant: it is a partial correlation if there are any."""
    resamples: int = 0
    undefined_resamples: int = 0
    """The resamples that have no value, and are left out of the interval."""


def agreements(
    table: ScoreTable,
    columns: Sequence[str] = (),
    qualities: Sequence[str] = (),
    *,
    levels: Iterable[Level] = LEVELS,
    statistics: Iterable[Statistic] = ("spearman",),
    intervals: Iterable[Statistic] = ("spearman",),
    controls: Sequence[str] = (),
    over: Over = "both",
    resamples: int = 1000,
    seed: int = 0,
) -> list[MeasureAgreement]:
    """The agreement of columns with human qualities; by default, all of them.

    Columns where lower is better are negated for correlations, not for errors. Only the
    statistics in `intervals` are resampled. With `controls`, which are columns too, all are partial
    correlations ("spearman" and "pearson").
    """
    columns = columns or table.select()
    statistics, levels, intervals = list(statistics), list(levels), set(intervals)
    return [
        entry
        for quality in qualities or table.qualities()
        for level in levels
        for statistic in statistics
        for entry in _block(
            table,
            columns,
            quality,
            level,
            statistic,
            controls,
            over=over,
            resamples=resamples if statistic in intervals else 0,
            seed=seed,
        )
    ]


def signed_for(table: ScoreTable, column: str, statistic: Statistic) -> Floats:
    """A column as the statistic needs it: errors use the values as they are."""
    return table.values[column] if statistic == "mae" else table.signed(column)


def _block(
    table: ScoreTable,
    columns: Sequence[str],
    quality: str,
    level: Level,
    statistic: Statistic,
    controls: Sequence[str],
    *,
    over: Over,
    resamples: int,
    seed: int,
) -> Iterator[MeasureAgreement]:
    human = table.human[quality]
    values = [signed_for(table, column, statistic) for column in columns]
    held = {name: table.values[name] for name in controls}
    spread = np.full((len(columns), 1), np.nan)
    if resamples:
        draws = draw_resamples(table.grid, over, resamples=resamples, seed=seed)
        spread = _resampled(values, human, held, table.grid, level, statistic, draws)
    for column, value, samples in zip(columns, values, spread, strict=True):
        measured = _measured(value, human, held, table.grid, level, statistic)
        lacking = np.isnan(np.stack([value, human, *held.values()])).sum(axis=0)
        counts = _counts(table.grid.keep(lacking == 0), over)
        low, high = interval(samples, of=min(counts.values()))
        if math.isnan(measured.value):
            low = high = math.nan
        notes = [too_few_note(count, what) for what, count in counts.items()]
        if "systems" not in counts:
            notes.append(few_systems_note(len(table.grid.systems), level))
        yield MeasureAgreement(
            *(quality, level, statistic, column),
            statistic != "mae" and table.lower(column),
            *(measured, low, high),
            over="both" if len(counts) == 2 else next(iter(counts)),
            notes=tuple(filter(None, notes)) if math.isfinite(low) else (),
            controls=tuple(controls),
            resamples=len(samples) if resamples else 0,
            undefined_resamples=int(np.isnan(samples).sum()) if resamples else 0,
        )


def _measured(
    values: Floats,
    human: Floats,
    held: Mapping[str, Floats],
    grid: Grid,
    level: Level,
    statistic: Statistic,
) -> Agreement:
    if not held:
        return agreement(values, human, grid, level, statistic)
    return partial_agreement(values, human, held, grid, level, _partial(statistic))


def _resampled(
    values: Sequence[Floats],
    human: Floats,
    held: Mapping[str, Floats],
    grid: Grid,
    level: Level,
    statistic: Statistic,
    draws: Resamples,
) -> Floats:
    if not held:
        return bootstrap(values, human, grid, level, statistic, draws)
    controls, coefficient = list(held.values()), _partial(statistic)
    return partial_bootstrap(values, human, controls, grid, level, coefficient, draws)


def _partial(statistic: Statistic) -> PartialCoefficient:
    if statistic not in ("spearman", "pearson"):
        raise ValueError(f"there is no partial correlation for {statistic}")
    return statistic


def _counts(grid: Grid, over: Over) -> dict[Literal["documents", "systems"], int]:
    """The number of documents, or systems, that an interval resamples.

    With a single system, as when none is given, only documents are resampled.
    """
    documents, systems = len(np.unique(grid.doc)), len(np.unique(grid.system))
    if over == "systems":
        return {"systems": systems}
    if over == "documents" or systems < 2:
        return {"documents": documents}
    return {"documents": documents, "systems": systems}
