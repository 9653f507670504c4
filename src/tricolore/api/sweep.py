"""One measure at many settings, and how each setting agrees with human scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tricolore.api.running import (
    CacheChoice,
    ProgressChoice,
    RowsWithTotal,
    names_of,
    notes_on_columns,
    opened_cache,
    placed_on,
    read_examples,
    watched,
)
from tricolore.arguments import check_arguments
from tricolore.data.columns import Columns
from tricolore.data.empty import Empty
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError
from tricolore.meta.bootstrap import bootstrap, draw_resamples, interval
from tricolore.meta.choices import SYMBOLS, Coefficient, Level
from tricolore.meta.intervals import few_systems_note, too_few_note
from tricolore.meta.levels import agreement
from tricolore.report.plots import Labels, Line, curves
from tricolore.report.result_table import Number, ResultTable
from tricolore.report.statistics import note_sentences
from tricolore.run.engine import Engine
from tricolore.run.processes import local_engine
from tricolore.run.run import Run
from tricolore.run.sweep import Point, plan
from tricolore.run.table import score_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class SweepResult:
    """How well each setting of a measure agrees with each human score."""

    points: Sequence[Point]
    """The settings."""
    human: Sequence[str]
    agreements: Sequence[Sequence[Number]]
    """One row per setting, one column per human score; each with its 95 % interval."""
    scores: ScoreTable
    level: Level
    coefficient: Coefficient
    problem: str = ""
    """Why the first missing value is missing; empty if none is."""
    notes: Sequence[str] = ()
    """What was read from which column, and what may be wrong with it."""

    @property
    def table(self) -> ResultTable:
        """One row per setting, one column per human score."""
        sheet = ResultTable(["setting", *self.human])
        for point, figures in zip(self.points, self.agreements, strict=True):
            sheet.add(f"{point.series} {point.label}".strip(), *figures)
        sheet.notes = [
            f"{self.level.capitalize()}-level {SYMBOLS[self.coefficient]} with human scores, over "
            f"{len(self.scores)} summaries; 95 % interval, bootstrap over documents."
        ]
        grid = self.scores.grid
        sheet.notes += note_sentences(
            [
                too_few_note(len(grid.documents)),
                few_systems_note(len(grid.systems), self.level),
            ]
        )
        if self.problem:
            sheet.notes.append(f"Some values are missing; the first: {self.problem}.")
        return sheet

    def figure(self) -> Figure:
        """One curve per human score and measure; over numbers if one numeric setting varies."""
        series = list(dict.fromkeys(point.series for point in self.points))
        varied = list(dict.fromkeys(key for point in self.points for key in point.settings))
        words = list(dict.fromkeys(point.label for point in self.points))
        written = [next(iter(point.settings.values()), "") for point in self.points]
        is_number = len(varied) == 1 and all(word.lstrip("-").isdigit() for word in written)
        lines = []
        for name in series:
            mine = [at for at, point in enumerate(self.points) if point.series == name]
            x = [
                float(written[at]) if is_number else words.index(self.points[at].label)
                for at in mine
            ]
            lines += [
                self._line(quality if len(series) == 1 else f"{name}, {quality}", mine, x, column)
                for column, quality in enumerate(self.human)
            ]
        what = varied[0] if len(varied) == 1 else "setting"
        ticks = [] if is_number else [word.replace(f"{what}=", "") for word in words]
        axis = f"{what} of {series[0]}" if len(series) == 1 else what
        title = f"{self.level}-level {SYMBOLS[self.coefficient]}"
        return curves(lines, Labels(axis, title, ticks))

    def _line(self, name: str, rows: Sequence[int], x: Sequence[float], column: int) -> Line:
        figures = [self.agreements[row][column] for row in rows]
        return Line(
            name,
            x,
            [figure.value for figure in figures],
            [figure.low for figure in figures],
            [figure.high for figure in figures],
        )

    def _repr_html_(self) -> str:
        return self.table.html()


def sweep(
    data: Any,
    specs: str | Sequence[str],
    human: str | Sequence[str] = (),
    *,
    level: Level = "summary",
    coefficient: Coefficient = "spearman",
    resamples: int = 1000,
    seed: int = 0,
    empty: Empty = "worst",
    columns: Columns | None = None,
    limit: int | None = None,
    cache: CacheChoice = None,
    jobs: int = 1,
    engine: Engine | None = None,
    device: str = "",
    offline: bool = False,
    progress: ProgressChoice = False,
) -> SweepResult:
    """Score a measure at every setting that a range or choices stand for, and correlate.

    Args:
        data: Examples with human scores: anything that `evaluate` takes.
        specs: Measures with ranges or choices: "estime:layer=0..5", "rouge-1:stem=true|false".
        human: The human scores; all if none is named.
        level: The level of the correlation: "summary", "document" or "system".
        coefficient: "spearman", "kendall-a", "kendall-b", "kendall-c" or "pearson".
        resamples: Number of random resamples for the intervals.
        seed: Seed of the random resampling.
        empty: How an empty summary counts: as the worst possible value ("worst"), or not at all.
        columns: The names of the columns, if they are not the usual ones.
        limit: Read at most this many rows.
        cache: Where scores are looked up and kept, as in `evaluate`.
        jobs: Number of processes.
        engine: Where the work is done, instead of `jobs` processes on this machine.
        device: Where models run: "cpu", "cuda", "mps"; the fastest available one if empty.
        offline: Whether a model that is not on this machine is an error instead of a download.
        progress: How to show progress, or a function, as in `evaluate`.

    >>> rows = [
    ...     {"source": "s", "references": "a b c", "summary": words, "human": {"good": grade}}
    ...     for words, grade in [("a b c", 3), ("a b", 2), ("a", 1)]
    ... ]
    >>> result = sweep(rows, "rouge-1:value=f1|recall", "good")
    >>> [(point.label, row[0].value) for point, row in zip(result.points, result.agreements)]
    [('value=f1', 1.0), ('value=recall', 1.0)]
    """
    check_arguments(sweep, locals())
    planned = plan(specs)
    names = names_of(human)
    with placed_on(device, offline), opened_cache(cache) as opened:
        run = Run(planned.measures, cache=opened, engine=engine or local_engine(jobs))
        rows = read_examples(
            data, columns, needs=run.needs, human=names, limit=limit, twice=run.needs_corpus
        )
        counted = RowsWithTotal(rows)
        scored = score_table(
            run, counted, lambda results: watched(results, progress, counted.total)
        )
    table = scored.table.with_empty(empty)
    if not table.human:
        raise ReadError(f"{rows.name} has no human scores", argument="human")
    qualities = table.qualities(names)
    return SweepResult(
        planned.points,
        qualities,
        _agreements(table, planned.points, qualities, level, coefficient, resamples, seed),
        table,
        level,
        coefficient,
        scored.problem,
        notes_on_columns(rows),
    )


def _agreements(
    table: ScoreTable,
    points: Sequence[Point],
    qualities: Sequence[str],
    level: Level,
    coefficient: Coefficient,
    resamples: int,
    seed: int,
) -> list[list[Number]]:
    """One row per setting, one column per human score."""
    columns = [table.signed(point.column) for point in points]
    draws = draw_resamples(table.grid, "documents", resamples=resamples, seed=seed)
    found: list[list[Number]] = [[] for _ in points]
    for quality in qualities:
        human = table.human[quality]
        spread = bootstrap(columns, human, table.grid, level, coefficient, draws)
        for at, column in enumerate(columns):
            value = agreement(column, human, table.grid, level, coefficient).value
            low, high = interval(spread[at], of=len(table.grid.documents))
            found[at].append(Number(value, low, high))
    return found
