"""Where the tables and figures of a command go: the terminal, or a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tricolore.api.studies.study import Study
    from tricolore.report.result_table import OutputFormat, ResultTable
    from tricolore.report.statistics import TitledTable

_ENDINGS: dict[str, OutputFormat] = {
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".html": "html",
    ".txt": "table",
}


def form_of(format: OutputFormat | None, output: str) -> OutputFormat:
    """The requested format, or the one that the ending of the output names."""
    from tricolore.errors import WriteError

    if format or not output:
        return format or "table"
    ending = Path(output).suffix.lower()
    if ending not in _ENDINGS:
        raise WriteError(
            f"{output} ends in '{ending}', which names no known format",
            f"known are {', '.join(_ENDINGS)}",
            argument="format",
        )
    return _ENDINGS[ending]


def put(sheets: Sequence[TitledTable], form: OutputFormat, output: str) -> None:
    """Print the tables, or write them to a file."""
    from rich.console import Console

    from tricolore.data.atomic import open_text
    from tricolore.report.statistics import write
    from tricolore.report.terminal import WIDTH, console

    if not output:
        write(console(), sheets, form)
        return
    with open_text(output) as stream:
        write(Console(file=stream, width=WIDTH, highlight=False), sheets, form)
    console(stderr=True).print(f"Written: {output}", style="dim", soft_wrap=True, markup=False)


def begin(plot: str) -> None:
    """Report what cannot be drawn before anything is computed."""
    if plot:
        from tricolore.report.plots import check_plot

        check_plot(plot)


def answer(
    sheet: ResultTable,
    format: OutputFormat | None,
    output: str,
    plot: str,
    draw: Callable[[], Figure],
    warnings: Sequence[str] = (),
) -> None:
    """Print the table, or write it, and draw the figure; the warnings are printed below both."""
    sheet.notes += warnings
    form = form_of(format, output)
    put([("", sheet)], form, output)
    if plot:
        from tricolore.report.plots import save
        from tricolore.report.terminal import console

        save(draw(), plot, warnings)
        if form == "table":
            console().print(f"Plot: {plot}", style="dim", soft_wrap=True, markup=False)


def present(study: Study[Any], format: OutputFormat | None, output: str, plot: str) -> None:
    """Print the tables of a study, or write them, and draw its figure."""
    form = form_of(format, output)
    figure = study.figure() if plot else None  # so that an error comes before anything is printed
    put([("", table) for table in study.tables], form, output)
    if figure is not None:
        from tricolore.report.plots import save

        save(figure, plot, study.warnings)
        if form == "table":
            print_lines([f"Plot: {plot}"], "dim")


def print_lines(lines: Sequence[str], style: str, *, stderr: bool = False) -> None:
    """Print lines of text as they are, in a style."""
    from tricolore.report.terminal import console

    out = console(stderr=stderr)
    for line in lines:
        out.print(line, style=style, soft_wrap=True, markup=False)
