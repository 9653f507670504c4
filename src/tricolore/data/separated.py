"""Writing CSV and TSV, with a mark before cells that a spreadsheet would take for a formula."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, get_args

from tricolore.errors import WriteError

CsvFormulas = Literal["protect", "keep"]
"""Whether an apostrophe protects text that a spreadsheet would compute, or it is kept as it is."""

# The full-width forms, which some spreadsheets read as the others, are the last four.
_RISKY = re.compile("'*[=+@\t\r\n\uff1d\uff0b\uff0d\uff20-]")
_PROTECTED = re.compile(f"'{_RISKY.pattern}")
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", re.ASCII)


def check_csv_formulas(given: str) -> None:
    """Raise an error if it is not one of the two choices."""
    if given not in get_args(CsvFormulas):
        raise WriteError(f"csv_formulas is 'protect' or 'keep', not '{given}'")


def separated_lines(
    rows: Iterable[Sequence[Any]], *, delimiter: str = ",", csv_formulas: CsvFormulas = "protect"
) -> Iterator[str]:
    r"""Rows of cells as lines; None is an empty cell.

    >>> list(separated_lines([["a,b", 1, None], ["=1", -1, "x\ry"]]))
    ['"a,b",1,\n', '\'=1,-1,"x\ry"\n']
    """
    check_csv_formulas(csv_formulas)
    # A cell with a sign of this ending is quoted: any reader takes a bare CR for the end of a row.
    ending = "\r\n"
    writer = csv.writer(_Returned(), delimiter=delimiter, lineterminator=ending)
    is_protected = csv_formulas == "protect"
    for row in rows:
        cells = [protected(c) if is_protected and isinstance(c, str) else c for c in row]
        line: str = writer.writerow(cells)  # what `write` returns
        yield line.removesuffix(ending) + "\n"


class _Returned:
    """Stands for a file: gives back what is written."""

    def write(self, line: str) -> str:
        return line


def protected(cell: str) -> str:
    """A cell of text with an apostrophe before what looks like a formula; numbers stay.

    A cell that begins with apostrophes before such a sign gets one more, so that `unprotected`
    gives every cell back as it was.

    >>> protected("=1+1"), protected("'=1"), protected("-1"), protected("a=b")
    ("'=1+1", "''=1", '-1', 'a=b')
    """
    return f"'{cell}" if _RISKY.match(cell) and not _NUMBER.fullmatch(cell) else cell


def unprotected(cell: str) -> str:
    """The cell that was protected.

    >>> unprotected("'=1+1"), unprotected("''=1"), unprotected("-1"), unprotected("'a'")
    ('=1+1', "'=1", '-1', "'a'")
    """
    return cell[1:] if _PROTECTED.match(cell) else cell
