"""Where a command's tables go: the terminal, or a file whose ending tells the form."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from tricolore.report.result_table import OutputFormat
    from tricolore.report.statistics import TitledTable

Format = Annotated[
    Literal["table", "markdown", "latex", "csv", "json", "html"] | None,
    typer.Option("--format", "--as", help="The form of the tables; a table if not said."),
]
Output = Annotated[
    str,
    typer.Option("-o", "--output", help=".md, .tex, .csv, .json, .html or .txt instead of stdout."),
]
_ENDINGS: dict[str, OutputFormat] = {
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".html": "html",
    ".txt": "table",
}


def form_of(format: OutputFormat | None, output: str) -> OutputFormat:
    """The form asked for, or the one that the ending of the output names."""
    from tricolore.errors import WriteError

    if format or not output:
        return format or "table"
    ending = Path(output).suffix.lower()
    if ending not in _ENDINGS:
        raise WriteError(
            f"{output} ends in '{ending}', which names no known form; known are "
            f"{', '.join(_ENDINGS)}, or say it with --format"
        )
    return _ENDINGS[ending]


def put(sheets: Sequence[TitledTable], form: OutputFormat, output: str) -> None:
    """Print the tables, or write them to a file."""
    from rich.console import Console

    from tricolore.data.atomic import open_text
    from tricolore.report.statistics import write
    from tricolore.report.terminal import console

    if not output:
        write(console(), sheets, form)
        return
    with open_text(output) as stream:
        write(Console(file=stream, width=1000, highlight=False), sheets, form)
    console(stderr=True).print(f"Written: {output}", style="dim", soft_wrap=True, markup=False)


def from_cache(reused: int, scored: int) -> str:
    """How much a run has found in the cache."""
    scores = "score" if reused == 1 else "scores"
    return f"{reused} {scores} from the cache, {scored} computed."
