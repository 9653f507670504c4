"""Tables for the terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tricolore.measure import Measure
from tricolore.settings import write_setting

_EDGES, _BETWEEN = 2, 3  # the width of a table besides its cells: at its sides, and between columns
_WRAPPED = 20  # the narrowest that text is wrapped to


@dataclass(frozen=True)
class Column:
    """A column of a table, and how it may be laid out."""

    header: str
    cells: Sequence[str | Text]
    is_words: bool = False
    """Whether it is text, aligned left; numbers are aligned right."""
    wraps: bool = False
    """Whether cells may wrap; numbers and names may not."""
    is_joined: bool = False
    """Whether it explains the column before it, and stays beside that."""

    @property
    def least(self) -> int:
        """The width that the column needs."""
        cells = [self.header, *map(str, self.cells)]
        widest = max(map(cell_len, cells))
        if not self.wraps:
            return widest
        longest_word = max(cell_len(word) for cell in cells for word in cell.split() or [""])
        return max(longest_word, min(widest, _WRAPPED))


WIDTH = 100
"""The width of a table in a pipe or a file, unless the environment variable COLUMNS is set."""


def console(*, stderr: bool = False) -> Console:
    """A console as wide as the terminal; in a pipe it has a fixed width."""
    made = Console(stderr=stderr, highlight=False)
    if made.is_terminal or made.is_jupyter or os.environ.get("COLUMNS", "").isdigit():
        return made
    return Console(stderr=stderr, highlight=False, width=WIDTH)


def plain_table(*headers: str) -> Table:
    """A table in the style of all our tables; only the first column is text.

    If it is too wide, cells wrap to the next line, and nothing is cut.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for at, header in enumerate(headers):
        table.add_column(Text(header), justify="left" if at == 0 else "right", overflow="fold")
    return table


def print_columns(out: Console, columns: Sequence[Column], *, keys: int = 1) -> None:
    """Print columns as one table; as several below each other where the terminal is narrow.

    The first columns, the `keys`, identify a row, and are repeated in each of the tables.
    """
    for fitting in _fitting(columns[:keys], columns[keys:], out.width):
        out.print(_side_by_side(fitting, out.width))


def print_signatures(out: Console, measures: Sequence[Measure]) -> None:
    """One line per measure with everything that its values depend on."""
    for measure in measures:
        out.print(Text(signature_line(measure)), style="dim", soft_wrap=True)


def signature_line(measure: Measure) -> str:
    """A signature as a short string."""
    return " ".join(f"{key}={_word(value)}" for key, value in measure.signature().items())


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + " ".join(f"{k}={_word(v)}" for k, v in value.items()) + "}"
    return write_setting(value)


def _fitting(
    keys: Sequence[Column], columns: Sequence[Column], width: int
) -> Iterator[list[Column]]:
    """Tables of the keys and as many of the other columns as fit side by side."""
    fitting: list[Column] = []
    for unit in _units(keys, columns, width):
        if fitting and _width([*keys, *fitting, *unit]) > width:
            yield [*keys, *fitting]
            fitting = []
        fitting += unit
    yield [*keys, *fitting]


def _units(keys: Sequence[Column], columns: Sequence[Column], width: int) -> Iterator[list[Column]]:
    """Groups of columns that stay together; single columns if a group does not fit."""
    units: list[list[Column]] = []
    for column in columns:
        if column.is_joined and units:
            units[-1].append(column)
        else:
            units.append([column])
    for unit in units:
        if _width([*keys, *unit]) <= width:
            yield unit
        else:
            yield from ([column] for column in unit)


def _width(columns: Sequence[Column]) -> int:
    return _EDGES + sum(c.least for c in columns) + _BETWEEN * (len(columns) - 1)


def _side_by_side(columns: Sequence[Column], width: int) -> Table:
    table = plain_table(*(column.header for column in columns))
    fits = _width(columns) <= width
    for column, made in zip(columns, table.columns, strict=True):
        made.justify = "left" if column.is_words else "right"
        made.no_wrap = fits and not column.wraps
    for row in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*row)
    return table
