"""Positions of rows in files, from which they can be read without what comes before."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import islice
from typing import IO, Any

from tricolore.data.json_rows import is_array, json_line_marks, json_row, json_rows_from
from tricolore.data.parquet_rows import parquet_rows
from tricolore.data.record_files import RecordFiles
from tricolore.data.records import Record, Records


@dataclass(frozen=True, slots=True)
class RowPosition:
    """Where a row is: the file, the number of rows before it there, and the place of its line.

    `offset` counts the bytes of the unpacked text in UTF-8 and `line` the lines from 1; both are 0
    for formats that are not lines of JSON.
    """

    file: int
    row: int = 0
    offset: int = 0
    line: int = 0

    def to_json(self) -> dict[str, int]:
        """The position as plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class RowMark:
    """A row that is known by its position, and read only if it is asked for."""

    position: RowPosition
    content: bytes | Record

    def record(self) -> Record:
        """The row; or, if it cannot be read, the reason."""
        return json_row(self.content) if isinstance(self.content, bytes) else self.content


def row_marks(files: RecordFiles, only: Collection[str]) -> Iterator[RowMark]:
    """All rows of some files, with as little work as possible.

    `only` are the columns that a record must have; lines of JSON are not parsed at all.
    """
    for number, file in enumerate(files.files):
        with file.errors():
            yield from _marks(number, file, only)
        file.file.finish()


def _marks(number: int, file: Records, only: Collection[str]) -> Iterator[RowMark]:
    if has_lines(file):
        with closing(file.text()) as stream:
            marks = json_line_marks(stream, file.max_size)
            for row, (offset, line, content) in enumerate(marks):
                yield RowMark(RowPosition(number, row, offset, line), content)
        return
    for row, record in enumerate(file.rows(only)):
        yield RowMark(RowPosition(number, row), record)


def has_lines(file: Records) -> bool:
    """Whether a file is lines of JSON in UTF-8, each of which is a row."""
    if file.format != "jsonl" or not file.is_utf_8:
        return False
    with closing(file.text()) as stream:
        return not is_array(stream)


class RowReader:
    """Reads rows of files from any position on.

    Plain lines of JSON and Parquet can be entered anywhere. Packed files are unpacked, and tables
    and arrays are read, from their beginning; from there one only goes on, so whoever reads one
    part after the other does that once.
    """

    def __init__(self, files: RecordFiles, only: Collection[str]) -> None:
        self._files = files
        self._only = only
        self._open: _OpenFile | None = None

    def rows(self, start: RowPosition, count: int) -> Iterator[Record]:
        """As many rows from a position on, across the ends of files, as long as there are any."""
        for number in range(start.file, len(self._files.files)):
            position = start if number == start.file else RowPosition(number)
            file = self._files.files[number]
            with file.errors():
                for record in islice(self._at(position).rows(position), count):
                    count -= 1
                    yield self._files.located(record, file)
            if not count:
                return

    def _at(self, position: RowPosition) -> _OpenFile:
        if self._open is None or self._open.number != position.file:
            self.close()
            self._open = _OpenFile(position.file, self._files.files[position.file], self._only)
        return self._open

    def close(self) -> None:
        """Close the file that is open."""
        if self._open:
            self._open.close()
        self._open = None


class _OpenFile:
    """One file that is read in pieces, usually forwards."""

    def __init__(self, number: int, file: Records, only: Collection[str]) -> None:
        self.number = number
        self._file = file
        self._only = only
        self._has_lines = has_lines(file)
        self._stream: IO[bytes] | None = None
        self._sequence: Iterator[Record] | None = None
        self._next = 0

    def rows(self, position: RowPosition) -> Iterator[Record]:
        """The rows from a position on."""
        if self._file.format == "parquet":
            yield from parquet_rows(self._file.file.random_access(), self._only, position.row)
        elif self._has_lines:
            yield from self._lines(position)
        else:
            yield from self._in_sequence(position)

    def _lines(self, position: RowPosition) -> Iterator[Record]:
        stream = self._forward(position.offset)
        if position.offset == 0:  # this checks the encoding, too
            return self._file.text_rows(stream)
        return json_rows_from(stream, self._file.max_size, position.line)

    def _forward(self, offset: int) -> IO[bytes]:
        """The text from an offset on."""
        if self._stream is None or self._stream.tell() > offset:
            self.close()
            self._stream = self._file.text()
        self._stream.seek(offset)  # a packed file is unpacked as far as that
        return self._stream

    def _in_sequence(self, position: RowPosition) -> Iterator[Record]:
        if self._sequence is None or self._next > position.row:
            self._sequence, self._next = self._file.rows(self._only), 0
        for record in self._sequence:
            self._next += 1
            if self._next > position.row:
                yield record

    def close(self) -> None:
        """Close what is open."""
        if self._stream:
            self._stream.close()
        self._stream = self._sequence = None


def position_of(plain: Any) -> RowPosition:
    """The inverse of `RowPosition.to_json`."""
    return RowPosition(**{name: int(plain[name]) for name in ("file", "row", "offset", "line")})
