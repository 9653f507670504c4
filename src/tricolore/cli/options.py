"""What commands have in common: their options, what they read, how they answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tricolore.cli.output import form_of, put

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tricolore.data.columns import Columns as ColumnNames
    from tricolore.data.examples import Examples
    from tricolore.data.records import Records
    from tricolore.data.score_table import ScoreTable
    from tricolore.example import Example, Unreadable
    from tricolore.models.placement import Placement
    from tricolore.report import result_table
    from tricolore.report.result_table import ResultTable
    from tricolore.run.cache import Cache
    from tricolore.run.run import Run
    from tricolore.run.table import ScoredTable

_INPUT, _OUT, _RUN = "What is read", "What comes out", "How it is run"

Scores = Annotated[str, typer.Argument(help="What `tricolore score -o` wrote.")]
Judged = Annotated[
    str, typer.Argument(help="Examples with human scores, as for `tricolore score`.")
]
Columns = Annotated[
    str, typer.Option("-m", "--measures", help="Columns of the scores; all measures if not said.")
]
Quality = Annotated[str, typer.Option(help="The human quality to agree with.")]
Resamples = Annotated[
    int,
    typer.Option("--bootstrap", min=2, help="Resamples of the intervals.", rich_help_panel=_RUN),
]
Seed = Annotated[int, typer.Option(help="Of what is drawn.", rich_help_panel=_RUN)]
Draws = Annotated[int, typer.Option(min=2, help="Random draws.", rich_help_panel=_RUN)]
Form = Annotated[
    Literal["table", "markdown", "latex", "csv", "json"],
    typer.Option("--as", help="The form of the table.", rich_help_panel=_OUT),
]
Plot = Annotated[
    str, typer.Option(help="Draw it: a .png, .svg or .pdf file.", rich_help_panel=_OUT)
]
Empty = Annotated[
    Literal["worst", "skip"],
    typer.Option(
        "--empty",
        help="How an empty summary counts: as the worst possible value, or not at all (skip).",
    ),
]
CachePlace = Annotated[
    str, typer.Option("--cache", help="A directory, or off.", rich_help_panel=_RUN)
]
Jobs = Annotated[int, typer.Option(min=1, help="Processes.", rich_help_panel=_RUN)]
Device = Annotated[
    str, typer.Option(help="For models: cpu, cuda, mps; the best there is.", rich_help_panel=_RUN)
]
Offline = Annotated[
    bool, typer.Option("--offline", help="Never touch the network.", rich_help_panel=_RUN)
]
Limit = Annotated[
    int | None, typer.Option(min=1, help="Only the first rows.", rich_help_panel=_INPUT)
]
_COLUMN = typer.Option(help="Column.", rich_help_panel=_INPUT)
Source = Annotated[str, _COLUMN]
Summary = Annotated[str, _COLUMN]
References = Annotated[str, _COLUMN]
System = Annotated[str, _COLUMN]
DocId = Annotated[str, _COLUMN]
InputFormat = Annotated[
    Literal["jsonl", "csv", "tsv", "parquet"] | None,
    typer.Option("--format", help="When the file's name does not tell.", rich_help_panel=_INPUT),
]
Encoding = Annotated[
    str,
    typer.Option(
        help="Encoding of a text file, such as cp1252 or utf-16 [default: utf-8].",
        rich_help_panel=_INPUT,
        show_default=False,
    ),
]


def place_models(device: str, offline: bool) -> Placement:
    """Use a placement in this process; the environment says what the options do not."""
    from dataclasses import replace

    from tricolore.models.placement import current, place_process

    given = current()
    placement = replace(given, device=device or given.device, offline=offline or given.offline)
    place_process(placement)
    return placement


def begin(plot: str) -> None:
    """Say what cannot be drawn before anything is computed."""
    if plot:
        from tricolore.report.plots import check_plot

        check_plot(plot)


def answer(
    sheet: ResultTable,
    format: result_table.OutputFormat | None,
    output: str,
    plot: str,
    draw: Callable[[], Figure],
    warnings: Sequence[str] = (),
) -> None:
    """Print the table, or write it, and draw the figure; the warnings are said below both."""
    sheet.notes += warnings
    form = form_of(format, output)
    put([("", sheet)], form, output)
    if plot:
        from tricolore.report.plots import save
        from tricolore.report.terminal import console

        save(draw(), plot, warnings)
        if form == "table":
            console().print(f"Plot: {plot}", style="dim", soft_wrap=True)


def one_quality(known: Any, asked: str, name: str) -> str:
    """The quality asked for; or the only one there is."""
    from tricolore.errors import ReadError

    qualities = list(known)
    if not qualities:
        raise ReadError(f"{name} has no human scores")
    if not asked and len(qualities) == 1:
        return str(qualities[0])
    if asked not in qualities:
        said = f"there is no human score '{asked}' in {name};" if asked else "which human score?"
        raise ReadError(f"{said} --human is one of {', '.join(qualities)}")
    return asked


def show_columns(examples: Examples) -> None:
    """Say on standard error which columns are read as what, and where that may be wrong."""
    from tricolore.report.terminal import console

    out = console(stderr=True)
    if line := examples.describe_columns():
        out.print(line, style="dim", soft_wrap=True, markup=False)
    for warning in examples.warnings:
        words = f"{warning}; choose with --{warning.role.replace('_', '-')} COLUMN"
        out.print(words, style="yellow", soft_wrap=True, markup=False)


def read_examples(
    file: str | Records,
    qualities: list[str],
    needs: frozenset[str],
    limit: int | None = None,
    columns: ColumnNames | None = None,
    encoding: str = "",
) -> list[Example | Unreadable]:
    """All rows; a quality that is not under `human` is looked for among the columns."""
    from dataclasses import replace

    from tricolore.data.columns import Columns
    from tricolore.data.examples import ExampleFile
    from tricolore.data.records import Records
    from tricolore.errors import ReadError
    from tricolore.example import Example

    records = Records(file, encoding=encoding, twice=True) if isinstance(file, str) else file
    found = ExampleFile(records, columns, needs=needs, limit=limit)
    show_columns(found)
    rows = list(found.at_least_one())
    have = {name for row in rows if isinstance(row, Example) for name in row.human}
    missing = tuple(name for name in qualities if name not in have)
    if missing:
        has = f"; it has {', '.join(sorted(have))}" if have else ""
        try:
            wider = replace(columns or Columns(), human=missing)
            rows = list(ExampleFile(records, wider, needs=needs, limit=limit))
        except ReadError:
            raise ReadError(f"{records.name} has no human score '{missing[0]}'{has}") from None
    return rows


@contextmanager
def open_cache(given: str) -> Iterator[Cache | None]:
    """The cache of a run; a run that is stopped says that it will go on from there."""
    from platformdirs import user_cache_path

    from tricolore.run.cache import Cache

    place = Path(given) if given else user_cache_path("tricolore")
    with nullcontext() if given == "off" else Cache(place) as cache:
        try:
            yield cache
        except KeyboardInterrupt:
            if cache:
                print("tricolore: stopped; the same command goes on where it was", file=sys.stderr)
            raise


def score_rows(
    run: Run, rows: list[Example | Unreadable], empty: Literal["worst", "skip"]
) -> ScoredTable:
    """Fit where a corpus is needed, and score; settle how empty summaries count."""
    from dataclasses import replace

    from tricolore.cli.progress import watched
    from tricolore.example import Example
    from tricolore.run.table import score_table

    if run.needs_corpus:
        run.fit(["\n".join(row.source) for row in rows if isinstance(row, Example)])
    scored = score_table(run, rows, lambda results: watched(results, total=len(rows)))
    return replace(scored, table=scored.table.with_empty(empty))


def numbers(written: str, option: str) -> list[float]:
    """A list of numbers as it is typed."""
    from tricolore.errors import ReadError

    try:
        return [float(word) for word in written.split(",") if word.strip()]
    except ValueError:
        raise ReadError(f"{option} takes numbers with commas, not '{written}'") from None


def label_values(written: str, option: str) -> dict[str, float]:
    """Labels and numbers as they are typed: `bad=0,good=3`."""
    from tricolore.errors import ReadError

    found = {}
    for pair in filter(None, written.split(",")):
        label, equals, value = pair.rpartition("=")
        try:
            found[label.strip()] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise ReadError(f"{option} takes label=number with commas, not '{pair}'")
    return found


def number_values(written: str, option: str) -> dict[float, float]:
    """The same with numbers for labels: `0=3,1=3,2=1`."""
    from tricolore.errors import ReadError

    try:
        return {float(label): value for label, value in label_values(written, option).items()}
    except ValueError:
        raise ReadError(f"{option} takes number=number with commas, not '{written}'") from None


def want_systems(table: ScoreTable, name: str) -> None:
    """Say that there is nothing to rank where there is one system, or none is told."""
    from tricolore.errors import ReadError

    if len(table.grid.systems) < 2:
        raise ReadError(f"{name} has one system only: a system-level correlation needs several")
