"""A table of numbers for the terminal, or as Markdown, LaTeX, CSV, JSON or HTML."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

from rich.text import Text

from tricolore.data.json_lines import to_json_text
from tricolore.data.separated import CsvFormulas, separated_lines
from tricolore.report.escaping import LATEX_NEEDS, in_latex, in_markdown, markdown_paragraph
from tricolore.report.terminal import Column, SafeConsole, print_columns
from tricolore.text.printable import printable

OutputFormat = Literal["table", "markdown", "latex", "csv", "json", "html"]


ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
"""What follows the name of a measure in a header: whether higher or lower is better."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number, perhaps with its interval; `is_marked` highlights it.

    `missing` is the number of missing values that it should be based on.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    is_marked: bool = False
    missing: int = 0

    @property
    def words(self) -> str:
        """The number as text for readers."""
        if math.isnan(self.value):
            return "–"
        shown = f"{self.value:z.3f}"
        return shown + (f" [{self.low:z.3f}, {self.high:z.3f}]" if self.has_interval else "")

    @property
    def has_interval(self) -> bool:
        """Whether both ends are known."""
        return math.isfinite(self.low) and math.isfinite(self.high)


Cell = str | int | Number


@dataclass
class ResultTable:
    """Rows under headers; the notes are below the table, except in CSV and JSON."""

    headers: Sequence[str]
    rows: list[list[Cell]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    shown_rows: int | None = None
    """How many rows fit a screen; all if None. Files have all rows."""

    def add(self, *cells: Cell) -> None:
        """Add a row."""
        if len(cells) != len(self.headers):
            raise ValueError(f"{len(cells)} cells for {len(self.headers)} headers")
        self.rows.append(list(cells))

    def write(
        self, out: SafeConsole, form: OutputFormat, *, csv_formulas: CsvFormulas = "protect"
    ) -> None:
        """Print the table in one of the formats; `csv_formulas` is as in `csv`."""
        match form:
            case "table":
                self.cut()._print(out)
            case "csv":
                out.print_exact(self.csv(csv_formulas))
            case _:
                out.print_exact(getattr(self, form)())

    def cut(self) -> ResultTable:
        """The table for a screen: the first rows, and a note on how many are not shown."""
        if self.shown_rows is None or len(self.rows) <= self.shown_rows:
            return self
        rest = len(self.rows) - self.shown_rows
        note = f"{rest} more {'row is' if rest == 1 else 'rows are'} not shown."
        return ResultTable(self.headers, self.rows[: self.shown_rows], [note, *self.notes])

    def _print(self, out: SafeConsole) -> None:
        print_columns(out, self._columns(), keys=self._keys())
        for note in self.notes:
            out.print(note, style="dim", soft_wrap=True)

    def _columns(self) -> list[Column]:
        keys = self._keys()
        return [
            Column(
                header,
                [_shown(row[at]) for row in self.rows],
                is_words=at < keys,
                is_joined=header.split(" ")[0] == "p",  # a p-value belongs to the column before it
            )
            for at, header in enumerate(self.headers)
        ]

    def _keys(self) -> int:
        """The number of leading columns that are names, which identify a row."""
        count = 0
        while count < len(self.headers) and self._is_named(count):
            count += 1
        return max(1, min(count, len(self.headers) - 1))

    def _is_named(self, at: int) -> bool:
        return all(isinstance(row[at], str) and row[at] for row in self.rows)

    def markdown(self) -> str:
        """The table as Markdown, with its notes as paragraphs; highlighted numbers are bold."""
        rule = ["---"] + ["---:"] * (len(self.headers) - 1)
        lines = [[in_markdown(header) for header in self.headers], rule]
        lines += [[_markdown(cell) for cell in row] for row in self.rows]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return "\n\n".join([table, *map(markdown_paragraph, self.notes)])

    def latex(self) -> str:
        """The table as LaTeX, with booktabs, and its notes in small print."""
        return "\n".join(
            [
                f"% {LATEX_NEEDS}",
                f"\\begin{{tabular}}{{l{'r' * (len(self.headers) - 1)}}}",
                "\\toprule",
                _latex_row(map(in_latex, self.headers)),
                "\\midrule",
                *(_latex_row(map(_latex, row)) for row in self.rows),
                "\\bottomrule",
                "\\end{tabular}",
                *(f"\n{{\\footnotesize\\noindent {in_latex(note)}\\par}}" for note in self.notes),
            ]
        )

    def csv(self, csv_formulas: CsvFormulas = "protect") -> str:
        """The table as CSV: all digits, the ends of intervals in separate columns.

        `csv_formulas` says whether text that a spreadsheet would take for a formula begins with
        an apostrophe ("protect"), or is written as it is ("keep").
        """
        columns = [[row[at] for row in self.rows] for at in range(len(self.headers))]
        fields = [_csv_fields(column) for column in columns]
        lines: list[list[str | int | float]] = [
            [
                f"{header} {name}".strip()
                for header, names in zip(self.headers, fields, strict=True)
                for name in names
            ]
        ]
        for row in self.rows:
            cells = zip(row, fields, strict=True)
            lines.append([_csv_value(cell, name) for cell, names in cells for name in names])
        return "".join(separated_lines(lines, csv_formulas=csv_formulas)).rstrip("\n")

    def to_json(self) -> list[dict[str, Any]]:
        """The rows by header, as plain values; None where there is no number.

        A number with an interval, or one for which values are missing, is a dict.
        """
        return [
            {header: _plain(cell) for header, cell in zip(self.headers, row, strict=True)}
            for row in self.rows
        ]

    def json(self) -> str:
        """The rows of `to_json` as text."""
        return to_json_text(self.to_json(), indent=1)

    def html(self) -> str:
        """The table as HTML, with its notes as caption; all text is escaped."""
        head = "".join(f"<th>{_html_text(header)}</th>" for header in self.headers)
        lines = [f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>"]
        for row in self.rows:
            cells = (f"<td>{_html(cell)}</td>" for cell in row)
            lines.append(f"<tr>{''.join(cells)}</tr>")
        lines.append("</tbody>")
        if self.notes:
            lines.append(f"<caption>{'<br>'.join(map(_html_text, self.notes))}</caption>")
        return "\n".join([*lines, "</table>"])


def words_of(cell: Cell) -> str:
    """A cell as text for readers."""
    if not isinstance(cell, Number):
        return str(cell)
    return cell.words + (f" ({cell.missing} missing)" if cell.missing else "")


def _html(cell: Cell) -> str:
    words = _html_text(words_of(cell))
    return f"<strong>{words}</strong>" if _is_marked(cell) else words


def _html_text(text: str) -> str:
    return escape(printable(text, keep="\n\t"))


def _markdown(cell: Cell) -> str:
    words = in_markdown(cell) if isinstance(cell, str) else words_of(cell)
    return f"**{words}**" if _is_marked(cell) else words


def _latex(cell: Cell) -> str:
    words = in_latex(words_of(cell))
    return f"\\textbf{{{words}}}" if _is_marked(cell) else words


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + " \\\\"


def _csv_fields(column: Sequence[Cell]) -> list[str]:
    """The CSV columns of one column: its values, interval ends and numbers of missing values."""
    figures = [cell for cell in column if isinstance(cell, Number)]
    ends = ["low", "high"] if any(figure.has_interval for figure in figures) else []
    return ["", *ends, *(["missing"] if any(figure.missing for figure in figures) else [])]


def _csv_value(cell: Cell, name: str) -> str | int | float:
    if not isinstance(cell, Number):
        return "" if name else cell
    number: float = getattr(cell, name or "value")
    return "" if math.isnan(number) else number


def _is_marked(cell: Cell) -> bool:
    return isinstance(cell, Number) and cell.is_marked


def _shown(cell: Cell) -> Text:
    marked = _is_marked(cell)
    words = printable(words_of(cell)) + (" !" if marked else "")
    return Text(words, style="bold yellow" if marked else "")


def _plain(cell: Cell) -> Any:
    if not isinstance(cell, Number):
        return cell
    value = None if math.isnan(cell.value) else cell.value
    if not cell.has_interval and not cell.missing:
        return value
    ends = {"low": cell.low, "high": cell.high} if cell.has_interval else {}
    return {"value": value, **ends, **({"missing": cell.missing} if cell.missing else {})}
