"""Where the tables and figures of a command go: the terminal, or a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tricolore.api.report import ReportedScores
    from tricolore.api.studies.study import Study
    from tricolore.data.separated import CsvFormulas
    from tricolore.report.result_table import OutputFormat, ResultTable
    from tricolore.report.statistics import TitledTable
    from tricolore.report.terminal import SafeConsole

F = TypeVar("F", bound=str)

_ENDINGS: dict[str, OutputFormat] = {
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".html": "html",
    ".txt": "table",
}


_STANDARD = ("", "-")
"""Standard output, by default or by name."""


def begin(
    format: OutputFormat | None, output: str, plot: str = "", *, figures: bool = False
) -> OutputFormat:
    """The format of the tables; reports what cannot be written before anything is computed.

    `figures` says that `plot` is a directory for several figures.
    """
    form = begin_page(format, output, _ENDINGS)
    if plot:
        from tricolore.report.plots import check_plot, check_plot_directory

        check_plot_directory(plot) if figures else check_plot(plot)
    return form


def begin_page(format: F | None, output: str, endings: Mapping[str, F]) -> F:
    """The format of a page: the requested one, or the one that the ending of the output names.

    `endings` are the known formats; standard output has that of `.txt`. What cannot be written is
    an error.
    """
    from tricolore.data.atomic import check_target
    from tricolore.errors import WriteError

    if output in _STANDARD:
        return format or endings[".txt"]
    ending = Path(output).suffix.lower()
    if format is None and ending not in endings:
        raise WriteError(
            f"{output} ends in '{ending}', which names no known format",
            f"known are {', '.join(endings)}",
            argument="format",
        )
    check_target(output)
    return format or endings[ending]


def begin_report(report: str) -> None:
    """Report what keeps a report from being written, before anything is computed."""
    if report:
        from tricolore.api.report import check_report

        check_report(report, argument="report")


def put_report(report: str, scores: ReportedScores, **settings: Any) -> None:
    """Write the report of a result, if one was asked for."""
    if report:
        from tricolore.api.report import report as make_report

        make_report(scores, **settings).save(report)
        print_lines([f"Report: {report}"], "dim", stderr=True)


def put(
    sheets: Sequence[TitledTable],
    form: OutputFormat,
    output: str,
    *,
    csv_formulas: CsvFormulas = "protect",
) -> None:
    """Print the tables, or write them to a file."""
    from tricolore.report.statistics import write

    put_page(lambda place: write(place, sheets, form, csv_formulas=csv_formulas), output)


def put_page(write: Callable[[SafeConsole], None], output: str) -> None:
    """Print what a function writes, or write it to a file."""
    from tricolore.data.atomic import open_text
    from tricolore.report.terminal import WIDTH, SafeConsole, console

    if output in _STANDARD:
        write(console())
        return
    with open_text(output) as stream:
        write(SafeConsole(stream, width=WIDTH))
    print_lines([f"Written: {output}"], "dim", stderr=True)


def answer(
    sheet: ResultTable,
    form: OutputFormat,
    output: str,
    plot: str,
    draw: Callable[[], Figure],
    warnings: Sequence[str] = (),
) -> None:
    """Print the table, or write it, and draw the figure; the warnings are printed below both."""
    sheet.notes += warnings
    put([("", sheet)], form, output)
    _save(draw() if plot else None, form, plot, warnings)


def present(study: Study[Any], form: OutputFormat, output: str, plot: str) -> None:
    """Print the tables of a study, or write them, and draw its figure."""
    figure = study.figure() if plot else None  # so that an error comes before anything is printed
    put([("", table) for table in study.tables], form, output)
    _save(figure, form, plot, study.warnings)


def _save(figure: Figure | None, form: OutputFormat, plot: str, warnings: Sequence[str]) -> None:
    if figure is not None:
        from tricolore.report.plots import save

        save(figure, plot, warnings)
        if form == "table":
            print_lines([f"Plot: {plot}"], "dim")


def print_lines(lines: Sequence[str], style: str, *, stderr: bool = False) -> None:
    """Print lines of text as they are, in a style."""
    from tricolore.report.terminal import console

    out = console(stderr=stderr)
    for line in lines:
        out.print(line, style=style, soft_wrap=True)
