"""The console, which shows text from data and never obeys it, and tables for the terminal."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from tricolore.measure import Measure
from tricolore.settings import write_setting
from tricolore.text.printable import printable

_EDGES, _BETWEEN = 2, 3  # the width of a table besides its cells: at its sides, and between columns
_WRAPPED = 20  # the narrowest that text is wrapped to

WIDTH = 100
"""The width of a table in a pipe or a file, unless the environment variable COLUMNS is set."""


class SafeConsole(Console):
    """The only console that we print to: nothing in a text is a command, markup or an emoji code.

    Texts come from data, paths and error messages of others. What a terminal would obey is
    replaced by visible marks, before the layout where that is possible and at the end in any case.
    """

    def __init__(
        self, file: IO[str] | None = None, *, stderr: bool = False, **settings: Any
    ) -> None:
        super().__init__(
            file=file, stderr=stderr, markup=False, emoji=False, highlight=False, **settings
        )

    def render_str(self, text: str, **settings: Any) -> Text:
        """A text that is printed, or a cell of a table; called by rich."""
        return super().render_str(printable(text, keep="\n\t"), **settings)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The pieces of anything that is printed; called by rich. Controls are those of rich."""
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else printable(segment.text, keep="\n")
            yield Segment(text, segment.style, segment.control)

    def print_exact(self, text: str) -> None:
        """Print what programs read without any change; a terminal gets what can be shown."""
        writable = text.encode("utf-8", "replace").decode()  # no encoding has lone surrogates
        shown = printable(text, keep="\n\t") if self.is_terminal else writable
        self.file.write(f"{shown}\n")


def console(*, stderr: bool = False) -> SafeConsole:
    """A console as wide as the terminal; in a pipe it has a fixed width."""
    made = SafeConsole(stderr=stderr)
    if made.is_terminal or made.is_jupyter or os.environ.get("COLUMNS", "").isdigit():
        return made
    return SafeConsole(stderr=stderr, width=WIDTH)


@dataclass(frozen=True)
class Column:
    """A column of a table, and how it may be laid out."""

    header: str
    cells: Sequence[str | Text]
    """Each is shown in one line, unless it wraps."""
    is_words: bool = False
    """Whether it is text, aligned left; numbers are aligned right."""
    wraps: bool = False
    """Whether cells may wrap; numbers and names may not."""
    is_joined: bool = False
    """Whether it explains the column before it, and stays beside that."""

    @property
    def least(self) -> int:
        """The width that the column needs."""
        cells = [_line(cell).plain for cell in (self.header, *self.cells)]
        widest = max(map(cell_len, cells))
        if not self.wraps:
            return widest
        longest_word = max(cell_len(word) for cell in cells for word in cell.split() or [""])
        return max(longest_word, min(widest, _WRAPPED))


def _line(cell: str | Text) -> Text:
    return Text(printable(cell)) if isinstance(cell, str) else cell


def plain_table(*headers: str) -> Table:
    """A table in the style of all our tables; only the first column is text.

    If it is too wide, cells wrap to the next line, and nothing is cut.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for at, header in enumerate(headers):
        side: Literal["left", "right"] = "left" if at == 0 else "right"
        table.add_column(_line(header), justify=side, overflow="fold")
    return table


def print_columns(out: SafeConsole, columns: Sequence[Column], *, keys: int = 1) -> None:
    """Print columns as one table; as several below each other where the terminal is narrow.

    The first columns, the `keys`, identify a row, and are repeated in each of the tables.
    """
    for fitting in _fitting(columns[:keys], columns[keys:], out.width):
        out.print(_side_by_side(fitting, out.width))


def print_signatures(out: SafeConsole, measures: Sequence[Measure]) -> None:
    """One line per measure with everything that its values depend on."""
    for measure in measures:
        out.print(signature_line(measure), style="dim", soft_wrap=True)


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
        table.add_row(*map(_line, row))
    return table
