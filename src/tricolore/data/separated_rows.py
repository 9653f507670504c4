"""Rows from CSV and TSV."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import IO, Any

from tricolore.data.encodings import check_not_utf_16, not_utf_8
from tricolore.data.unusable import REPEATED, UnusableFileError, too_long

_BROKEN = re.compile("[\ud800-\udfff]")
"""A byte that is not UTF-8, as `surrogateescape` decodes it."""
_CR_ENDS_LINES = re.compile(rb"[^\n]*\r[^\n]")


def separated_rows(
    stream: IO[bytes], delimiter: str, max_size: int
) -> Iterator[dict[str, Any] | str]:
    """The rows of a stream in UTF-8, each of at most `max_size` characters.

    For a row that cannot be read it is the reason. A line ends with a line feed; in a file without
    line feeds, with a carriage return. Other separators of Unicode are part of a cell.
    """
    csv.field_size_limit(sys.maxsize)
    with _text(stream) as text:
        lines = _RowLines(text, max_size)
        first = next((line for line in lines if line.strip()), "")
        check_not_utf_16(first.encode("utf-8", "surrogateescape"))
        if delimiter == "," and "," not in first and ";" in first:
            delimiter = ";"  # spreadsheets write this where the comma is the decimal sign
        rows = _numbered(csv.reader(chain([first], lines), delimiter=delimiter), lines)
        _, header = next(rows, (0, []))
        if isinstance(header, str):
            raise UnusableFileError(f"cannot be read: {header}")
        _want_utf_8(header, "its header")
        repeated = {name: REPEATED for name, count in Counter(header).items() if count > 1}
        for number, row in rows:
            where = f"the row that ends in line {number}"
            if isinstance(row, str):
                yield row
                continue
            _want_utf_8(row, where)
            if len(row) != len(header):
                yield f"{where} has {len(row)} cells where the header has {len(header)}"
            else:
                yield {**dict(zip(header, row, strict=True)), **repeated}


def _text(stream: IO[bytes]) -> IO[str]:
    # Bytes that are not UTF-8 are kept, so that the row that has them can be named.
    head = stream.peek(1)  # type: ignore[attr-defined]
    newline = "\r" if _CR_ENDS_LINES.match(head) and b"\n" not in head else "\n"
    return io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline=newline)


class _RowLines:
    """The lines of a text; an error if those of one row are too long together."""

    def __init__(self, text: IO[str], max_size: int) -> None:
        self._text = text
        self._max_size = max_size
        self._size = 0
        self.count = 0

    def begin_row(self) -> None:
        self._size = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._text.readline(self._max_size + 1)
        self.count += 1
        self._size += len(line)
        if self._size > self._max_size:
            where = f"the row that goes on in line {self.count}"
            words = f"cannot be read: {too_long(where, self._max_size)}"
            raise UnusableFileError(words, "a quote may be missing", argument="max_row_mb")
        if not line:
            raise StopIteration
        return line


def _numbered(rows: Iterator[list[str]], lines: _RowLines) -> Iterator[tuple[int, list[str] | str]]:
    """The rows that are not empty, each with its last line."""
    while True:
        lines.begin_row()
        try:
            row = next(rows, None)
        except csv.Error:
            yield lines.count, f"line {lines.count} has a carriage return outside quotes"
            continue
        if row is None:
            return
        if row:
            yield lines.count, row


def _want_utf_8(row: list[str], where: str) -> None:
    for cell in row:
        if not cell.isascii() and (found := _BROKEN.search(cell)):
            byte = ord(found.group()) & 0xFF
            raise not_utf_8(f"{where} has the byte 0x{byte:02x}")
