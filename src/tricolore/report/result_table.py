"""A table of numbers for the terminal, or as Markdown, LaTeX, CSV, JSON or HTML."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

from rich.console import Console
from rich.text import Text

from tricolore.report.terminal import Column, print_columns

OutputFormat = Literal["table", "markdown", "latex", "csv", "json", "html"]


ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}
"""What follows the name of a measure in a header: whether higher or lower is better."""


@dataclass(frozen=True)
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
    """Rows under headers; the notes are shown only on the terminal and in HTML."""

    headers: Sequence[str]
    rows: list[list[Cell]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, *cells: Cell) -> None:
        """Add a row."""
        if len(cells) != len(self.headers):
            raise ValueError(f"{len(cells)} cells for {len(self.headers)} headers")
        self.rows.append(list(cells))

    def write(self, out: Console, form: OutputFormat) -> None:
        """Print the table in one of the formats."""
        if form == "table":
            self._print(out)
        else:
            text = {
                "markdown": self.markdown,
                "latex": self.latex,
                "csv": self.csv,
                "json": self.json,
                "html": self.html,
            }[form]()
            out.print(Text(text), soft_wrap=True)

    def _print(self, out: Console) -> None:
        print_columns(out, self._columns(), keys=self._keys())
        for note in self.notes:
            out.print(Text(note), style="dim", soft_wrap=True)

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
        """The table as Markdown; highlighted numbers are bold."""
        rule = ["---"] + ["---:"] * (len(self.headers) - 1)
        lines = [[_piped(header) for header in self.headers], rule]
        for row in self.rows:
            lines.append(
                [f"**{words_of(c)}**" if _is_marked(c) else _piped(words_of(c)) for c in row]
            )
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def latex(self) -> str:
        """The table as LaTeX, with booktabs."""
        body = [
            " & ".join(
                f"\\textbf{{{_tex(words_of(c))}}}" if _is_marked(c) else _tex(words_of(c))
                for c in row
            )
            for row in self.rows
        ]
        return "\n".join(
            [
                f"\\begin{{tabular}}{{l{'r' * (len(self.headers) - 1)}}}",
                "\\toprule",
                " & ".join(map(_tex, self.headers)) + " \\\\",
                "\\midrule",
                *(f"{line} \\\\" for line in body),
                "\\bottomrule",
                "\\end{tabular}",
            ]
        )

    def csv(self) -> str:
        """The table as CSV: all digits, the ends of intervals in separate columns."""
        columns = [[row[at] for row in self.rows] for at in range(len(self.headers))]
        fields = [_csv_fields(column) for column in columns]
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(
            f"{header} {name}".strip()
            for header, names in zip(self.headers, fields, strict=True)
            for name in names
        )
        for row in self.rows:
            writer.writerow(
                _csv_value(cell, name)
                for cell, names in zip(row, fields, strict=True)
                for name in names
            )
        return stream.getvalue().rstrip("\n")

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
        return json.dumps(self.to_json(), ensure_ascii=False, indent=1)

    def html(self) -> str:
        """The table as HTML, with its notes as caption; all text is escaped."""
        head = "".join(f"<th>{escape(header)}</th>" for header in self.headers)
        lines = [f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>"]
        for row in self.rows:
            cells = (f"<td>{_html(cell)}</td>" for cell in row)
            lines.append(f"<tr>{''.join(cells)}</tr>")
        lines.append("</tbody>")
        if self.notes:
            lines.append(f"<caption>{'<br>'.join(map(escape, self.notes))}</caption>")
        return "\n".join([*lines, "</table>"])


def words_of(cell: Cell) -> str:
    """A cell as text for readers."""
    if not isinstance(cell, Number):
        return str(cell)
    return cell.words + (f" ({cell.missing} missing)" if cell.missing else "")


def _html(cell: Cell) -> str:
    words = escape(words_of(cell))
    return f"<strong>{words}</strong>" if _is_marked(cell) else words


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
    return Text(words_of(cell) + (" !" if marked else ""), style="bold yellow" if marked else "")


def _piped(text: str) -> str:
    return text.replace("|", "\\|")


_TEX = {
    "↑": "$\\uparrow$",
    "↓": "$\\downarrow$",
    "\\": "\\textbackslash{}",
    "–": "--",
    "−": "$-$",
    "ρ": "$\\rho$",
    "τ": "$\\tau$",
}
_TEX |= {letter: f"\\{letter}" for letter in "&%$#_{}"}


def _tex(text: str) -> str:
    return "".join(_TEX.get(letter, letter) for letter in text)


def _plain(cell: Cell) -> Any:
    if not isinstance(cell, Number):
        return cell
    value = None if math.isnan(cell.value) else cell.value
    if not cell.has_interval and not cell.missing:
        return value
    ends = {"low": cell.low, "high": cell.high} if cell.has_interval else {}
    return {"value": value, **ends, **({"missing": cell.missing} if cell.missing else {})}
