"""`tricolore sweep`: one measure at many settings, and how each agrees with people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tricolore.cli.options import (
    CachePlace,
    Device,
    DocId,
    Empty,
    Encoding,
    Jobs,
    Judged,
    Limit,
    Offline,
    Plot,
    References,
    Resamples,
    Seed,
    Source,
    Summary,
    System,
    answer,
    begin,
    open_cache,
    place_models,
    read_examples,
    score_rows,
)
from tricolore.cli.output import Format, Output
from tricolore.meta.choices import Coefficient, Level

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tricolore.data.score_table import ScoreTable
    from tricolore.report.result_table import Number
    from tricolore.run.sweep import Point


def sweep(
    file: Judged,
    measures: Annotated[
        str,
        typer.Option(
            "-m", "--measures", help="Such as estime:layer=0..5 or rouge-1:stem=true|false."
        ),
    ],
    human: Annotated[str, typer.Option(help="Human qualities, with commas; all if not said.")] = "",
    level: Annotated[Level, typer.Option(help="Of the agreement.")] = "summary",
    coefficient: Annotated[Coefficient, typer.Option(help="Of the agreement.")] = "spearman",
    resamples: Resamples = 1000,
    seed: Seed = 0,
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    limit: Limit = None,
    empty: Empty = "worst",
    encoding: Encoding = "",
    cache: CachePlace = "",
    jobs: Jobs = 1,
    device: Device = "",
    offline: Offline = False,
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """Score a measure at every setting that a range or choices stand for; correlate with people.

    ESTIME paper, figures 1 to 13; importance paper, figure 5. What settings share is done once.
    """
    from tricolore.data.columns import Columns
    from tricolore.meta.choices import SYMBOLS
    from tricolore.report.result_table import ResultTable
    from tricolore.run.processes import local_engine
    from tricolore.run.run import Run
    from tricolore.run.sweep import plan

    begin(plot)
    place_models(device, offline)
    planned = plan(measures)
    asked = [name.strip() for name in human.split(",") if name.strip()]
    columns = Columns(
        source=source, summary=summary, references=references, system=system, doc_id=doc_id
    )
    with open_cache(cache) as kept:
        run = Run(planned.measures, cache=kept, engine=local_engine(jobs))
        needs = frozenset(need for measure in run.measures for need in measure.needs)
        rows = read_examples(file, asked, needs, limit, columns, encoding)
        scored = score_rows(run, rows, empty)
    table = scored.table
    qualities = table.qualities(asked)
    found = _agreements(table, planned.points, qualities, level, coefficient, resamples, seed)
    symbol = SYMBOLS[coefficient]
    sheet = ResultTable(["setting", *qualities])
    for point, figures in zip(planned.points, found, strict=True):
        sheet.add(f"{point.series} {point.label}".strip(), *figures)
    sheet.notes = [
        f"{level.capitalize()}-level {symbol} with people, over {len(table)} summaries; 95 % "
        "interval, bootstrap over documents."
    ]
    if scored.problem:
        sheet.notes.append(f"Some values are missing; the first: {scored.problem}.")
    title = f"{level}-level {symbol}"
    answer(
        sheet,
        format,
        output,
        plot,
        lambda: _drawn(planned.points, found, qualities, title),
        table.notes,
    )


def _agreements(
    table: ScoreTable,
    points: list[Point],
    qualities: list[str],
    level: Level,
    coefficient: Coefficient,
    resamples: int,
    seed: int,
) -> list[list[Number]]:
    """A row a point, a column a quality."""
    from tricolore.meta.bootstrap import bootstrap, draw_resamples, interval
    from tricolore.meta.levels import agreement
    from tricolore.report.result_table import Number

    columns = [table.signed(point.column) for point in points]
    draws = draw_resamples(table.grid, "documents", resamples=resamples, seed=seed)
    found: list[list[Number]] = [[] for _ in points]
    for quality in qualities:
        people = table.human[quality]
        spread = bootstrap(columns, people, table.grid, level, coefficient, draws)
        for at, column in enumerate(columns):
            value = agreement(column, people, table.grid, level, coefficient).value
            low, high = interval(spread[at])
            if len(table.grid.documents) < 2:
                low = high = float("nan")
            found[at].append(Number(value, low, high))
    return found


def _drawn(
    points: list[Point], found: list[list[Number]], qualities: list[str], title: str
) -> Figure:
    """A curve a quality and a series; over numbers if one setting that is a number is swept."""
    from tricolore.report.plots import Labels, Line, curves

    series = list(dict.fromkeys(point.series for point in points))
    swept = list(dict.fromkeys(key for point in points for key in point.settings))
    words = list(dict.fromkeys(point.label for point in points))
    written = [next(iter(point.settings.values()), "") for point in points]
    is_number = len(swept) == 1 and all(word.lstrip("-").isdigit() for word in written)
    lines = []
    for name in series:
        mine = [at for at, point in enumerate(points) if point.series == name]
        x = [float(written[at]) if is_number else words.index(points[at].label) for at in mine]
        for place, quality in enumerate(qualities):
            figures = [found[at][place] for at in mine]
            label = quality if len(series) == 1 else f"{name}, {quality}"
            lines.append(
                Line(
                    label,
                    x,
                    [figure.value for figure in figures],
                    [figure.low for figure in figures],
                    [figure.high for figure in figures],
                )
            )
    what = swept[0] if len(swept) == 1 else "setting"
    ticks = [] if is_number else [word.replace(f"{what}=", "") for word in words]
    return curves(
        lines, Labels(f"{what} of {series[0]}" if len(series) == 1 else what, title, ticks)
    )
