"""A table of figures for the terminal, or as Markdown, LaTeX, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rich.console import Console
from rich.text import Text

from tricolore.report.tables import Column, print_columns

Form = Literal["table", "markdown", "latex", "csv", "json"]


@dataclass(frozen=True)
class Figure:
    """A number, perhaps with its interval; one that `is_marked` is set off."""

    value: float
    low: float = math.nan
    high: float = math.nan
    is_marked: bool = False

    @property
    def words(self) -> str:
        """As people read it."""
        if math.isnan(self.value):
            return "–"
        shown = f"{self.value:z.3f}"
        return shown + (f" [{self.low:z.3f}, {self.high:z.3f}]" if self.has_interval else "")

    @property
    def has_interval(self) -> bool:
        """Whether both ends are known."""
        return math.isfinite(self.low) and math.isfinite(self.high)


Cell = str | int | Figure


@dataclass
class Sheet:
    """Rows under headers; the notes are said below it on the terminal only."""

    headers: Sequence[str]
    rows: list[list[Cell]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, *cells: Cell) -> None:
        """Add a row."""
        if len(cells) != len(self.headers):
            raise ValueError(f"{len(cells)} cells for {len(self.headers)} headers")
        self.rows.append(list(cells))

    def write(self, out: Console, form: Form) -> None:
        """Print it in one of the forms."""
        if form == "table":
            self._print(out)
        else:
            made = {
                "markdown": self.markdown,
                "latex": self.latex,
                "csv": self.csv,
                "json": self.json,
            }[form]()
            out.print(Text(made), soft_wrap=True)

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
                is_joined=header.split(" ")[0] == "p",  # a p-value, of what stands before it
            )
            for at, header in enumerate(self.headers)
        ]

    def _keys(self) -> int:
        """How many columns from the first are names, which say what a row is of."""
        count = 0
        while count < len(self.headers) and self._is_named(count):
            count += 1
        return max(1, min(count, len(self.headers) - 1))

    def _is_named(self, at: int) -> bool:
        return all(isinstance(row[at], str) and row[at] for row in self.rows)

    def markdown(self) -> str:
        """For a page: the figures that are marked are bold."""
        rule = ["---"] + ["---:"] * (len(self.headers) - 1)
        lines = [[_piped(header) for header in self.headers], rule]
        for row in self.rows:
            lines.append([f"**{_words(c)}**" if _is_marked(c) else _piped(_words(c)) for c in row])
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def latex(self) -> str:
        """For a paper, with booktabs."""
        body = [
            " & ".join(
                f"\\textbf{{{_tex(_words(c))}}}" if _is_marked(c) else _tex(_words(c)) for c in row
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
        """For a program: all digits, the ends of intervals in columns of their own."""
        wide = {
            at
            for row in self.rows
            for at, cell in enumerate(row)
            if isinstance(cell, Figure) and cell.has_interval
        }
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        head: list[str] = []
        for at, header in enumerate(self.headers):
            head += [header, f"{header} low", f"{header} high"] if at in wide else [header]
        writer.writerow(head)
        for row in self.rows:
            cells: list[Any] = []
            for at, cell in enumerate(row):
                if not isinstance(cell, Figure):
                    cells += [cell, "", ""] if at in wide else [cell]
                    continue
                numbers = [cell.value, cell.low, cell.high] if at in wide else [cell.value]
                cells += ["" if math.isnan(number) else number for number in numbers]
            writer.writerow(cells)
        return stream.getvalue().rstrip("\n")

    def json(self) -> str:
        """For a program: a list of rows by header; null where there is no number."""
        rows = [
            {header: _plain(cell) for header, cell in zip(self.headers, row, strict=True)}
            for row in self.rows
        ]
        return json.dumps(rows, ensure_ascii=False, indent=1)


def _words(cell: Cell) -> str:
    return cell.words if isinstance(cell, Figure) else str(cell)


def _is_marked(cell: Cell) -> bool:
    return isinstance(cell, Figure) and cell.is_marked


def _shown(cell: Cell) -> Text:
    marked = _is_marked(cell)
    return Text(_words(cell) + (" !" if marked else ""), style="bold yellow" if marked else "")


def _piped(text: str) -> str:
    return text.replace("|", "\\|")


_TEX = {"\\": "\\textbackslash{}", "–": "--", "−": "$-$", "ρ": "$\\rho$", "τ": "$\\tau$"}
_TEX |= {letter: f"\\{letter}" for letter in "&%$#_{}"}


def _tex(text: str) -> str:
    return "".join(_TEX.get(letter, letter) for letter in text)


def _plain(cell: Cell) -> Any:
    if not isinstance(cell, Figure):
        return cell
    if not cell.has_interval:
        return None if math.isnan(cell.value) else cell.value
    return {"value": cell.value, "low": cell.low, "high": cell.high}
