"""The raw rows of a file: JSON, CSV, TSV, Parquet, plain or gzipped."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, Literal, cast

from tricolore.errors import ReadError

Format = Literal["jsonl", "csv", "tsv", "parquet"]
Record = dict[str, Any] | str
"""A row by column name; or, for a row that cannot be read, the reason."""

_UTF_8 = ("utf-8", "utf-8-sig")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BROKEN = re.compile("[\udc80-\udcff]")
"""A byte that is not UTF-8, as `surrogateescape` decodes it."""
_HEAD = 100
"""The number of lines of which most must be UTF-8."""
_ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
}


class Records:
    """The records of one file; can be read again unless it is a stream.

    A stream is standard input (`-`), a named pipe or a process substitution. With `twice` it is
    copied to a temporary file first, so that it too can be read again.

    `encoding` is that of the text; UTF-8 if it is not given. `fraction` says how far the current
    pass has come, from 0 to 1, where that can be known.
    """

    def __init__(
        self,
        path: str,
        format: Format | None = None,
        *,
        encoding: str = "",
        twice: bool = False,
    ) -> None:
        self.path = path
        self.name = "standard input" if path == "-" else path
        is_stream = path == "-" or _is_stream(path)
        self.is_guessed = format is None and is_stream and _ending(path) not in _ENDINGS
        """Whether the format is only assumed."""
        self.format: Format = "jsonl" if self.is_guessed else format or _format_of(path)
        self._encoding = _checked(encoding)
        self._is_stream = is_stream
        self._copy: tempfile._TemporaryFileWrapper[bytes] | None = None
        if twice:
            self.copy_stream()
        self._raw: IO[bytes] | None = None
        self._size = 0

    def copy_stream(self) -> None:
        """Copy a stream to a temporary file, so that it can be read again."""
        if self._is_stream and self._copy is None:
            self._copy = self._copied()

    def close(self) -> None:
        """Remove the copy of a stream."""
        if self._copy:
            self._copy.close()

    def __iter__(self) -> Iterator[Record]:
        if self.format == "parquet":
            yield from self._parquet()
            return
        stream = self._open()
        try:
            if self.format == "jsonl":
                yield from _json_lines(_in_utf_8(stream, self._encoding))
            else:
                with _text(stream, self._encoding) as text:
                    yield from _separated(text, "," if self.format == "csv" else "\t")
        except (EOFError, gzip.BadGzipFile) as error:
            raise ReadError(f"{self.name} is not a whole gzip file: {error}") from error
        except UnicodeDecodeError as error:
            words = f"{self.name} cannot be read as {self._encoding}: {error.reason}"
            raise ReadError(words, argument="encoding") from error
        except _EncodingError as error:
            raise ReadError(f"{self.name} {error}", error.hint, argument="encoding") from error
        finally:
            stream.close()
            if self._raw:
                self._raw.close()

    @property
    def fraction(self) -> float | None:
        """How much of the file the current pass has read."""
        if self._raw is None or not self._size or self._raw.closed:
            return None
        return self._raw.tell() / self._size

    def _open(self) -> IO[bytes]:
        if self.path == "-" and not self._copy:
            return sys.stdin.buffer
        path = self._copy.name if self._copy else self.path
        try:
            self._raw = open(path, "rb")  # noqa: SIM115 (the caller closes it)
            self._size = Path(path).stat().st_size
        except OSError as error:
            raise ReadError(f"{self.name} cannot be read: {error.strerror}") from error
        if self.path.endswith(".gz"):
            return cast(IO[bytes], gzip.GzipFile(fileobj=self._raw))
        return self._raw

    def _copied(self) -> tempfile._TemporaryFileWrapper[bytes]:
        copy = tempfile.NamedTemporaryFile()  # noqa: SIM115 (`close` closes it)
        if self.path == "-":
            shutil.copyfileobj(sys.stdin.buffer, copy)
        else:
            with open(self.path, "rb") as stream:
                shutil.copyfileobj(stream, copy)
        copy.flush()
        return copy

    def _parquet(self) -> Iterator[Record]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        stream: Any = self.path
        if self._is_stream:
            with self._open() as opened:
                stream = io.BytesIO(opened.read())
        try:
            with pq.ParquetFile(stream) as file:
                for batch in file.iter_batches(batch_size=256):
                    yield from batch.to_pylist()
        except (OSError, pa.ArrowInvalid) as error:
            raise ReadError(f"{self.name} cannot be read as Parquet: {error}") from error


class _EncodingError(ValueError):
    """The error for a whole file that is not UTF-8."""

    def __init__(self, words: str, encoding: str = "") -> None:
        super().__init__(words)
        often = "its encoding, often cp1252 if it comes from a spreadsheet on Windows"
        self.hint = f"name {encoding or often}"


class _Undecodable(str):
    """The error for a line that is not UTF-8."""


def _checked(encoding: str) -> str:
    try:
        name = codecs.lookup(encoding or "utf-8").name
        io.TextIOWrapper(io.BytesIO(), name)  # some codecs are not for text
    except LookupError:
        raise ReadError(f"there is no encoding '{encoding}'", argument="encoding") from None
    return name


def _in_utf_8(stream: IO[bytes], encoding: str) -> Iterator[bytes]:
    """The lines of a stream as UTF-8."""
    if encoding in _UTF_8:
        yield from stream
        return
    with io.TextIOWrapper(stream, encoding, newline="\n") as text:
        for line in text:
            yield line.encode("utf-8", "surrogatepass")


def _is_stream(path: str) -> bool:
    """Whether it is a pipe or a device; an error if it is nothing that can be read."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror}") from error
    if stat.S_ISDIR(mode):
        raise ReadError(f"{path} cannot be read: it is a directory, not a file")
    return not stat.S_ISREG(mode)


def _ending(path: str) -> str:
    return Path(path.removesuffix(".gz")).suffix.lower()


def _format_of(path: str) -> Format:
    ending = _ending(path)
    if ending not in _ENDINGS:
        raise ReadError(
            f"{path} ends in '{ending}', which names no known format",
            f"known are {', '.join(_ENDINGS)} (also with .gz)",
            argument="input_format",
        )
    return _ENDINGS[ending]


def _json_lines(lines: Iterator[bytes]) -> Iterator[Record]:
    """One object per line; or one array of objects, over any number of lines."""
    first = next(lines, b"")
    if first.startswith(_UTF_16):
        raise _EncodingError("is UTF-16, not UTF-8", "the encoding utf-16")
    first = first.removeprefix(codecs.BOM_UTF8)
    if not first.startswith(b"["):
        yield from _lines(chain([first], lines))
        return
    whole = b"".join(chain([first], lines))
    array = _array(whole)
    if array is None:
        yield from _lines(whole.splitlines(keepends=True))
        return
    for number, row in enumerate(array, 1):
        yield row if isinstance(row, dict) else f"item {number} is not a JSON object"


def _array(text: bytes) -> list[Any] | None:
    try:
        found = json.loads(text.decode("utf-8", "surrogateescape"), strict=False)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, list) or not any(isinstance(item, dict) for item in found):
        return None
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        words = f"is not UTF-8 (byte 0x{text[error.start]:02x} at {error.start})"
        raise _EncodingError(words) from None
    return found


def _lines(lines: Iterable[bytes]) -> Iterator[Record]:
    """The rows; a file whose first lines are mostly not UTF-8 is rejected as a whole."""
    rows = _each_line(lines)
    head = list(islice(rows, _HEAD))
    bad = [row for row in head if isinstance(row, _Undecodable)]
    if 2 * len(bad) > len(head):
        raise _EncodingError(f"is not UTF-8: {bad[0]}")
    yield from chain(head, rows)


def _each_line(lines: Iterable[bytes]) -> Iterator[Record]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            # strict=False: a raw tab or NUL inside a string is odd, but it is readable.
            row = json.loads(line.decode("utf-8"), strict=False)
        except UnicodeDecodeError as error:
            byte = line[error.start]
            yield _Undecodable(f"line {number} is not UTF-8 (byte 0x{byte:02x} at {error.start})")
        except (json.JSONDecodeError, RecursionError) as error:
            yield f"line {number} is not JSON: {error}"
        else:
            yield row if isinstance(row, dict) else f"line {number} is not a JSON object"


def _text(stream: IO[bytes], encoding: str) -> IO[str]:
    if encoding in _UTF_8:
        # Bytes that are not UTF-8 are kept, so that the row that has them can be named.
        return io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline="")
    return io.TextIOWrapper(stream, encoding, newline="")


def _separated(text: IO[str], delimiter: str) -> Iterator[Record]:
    csv.field_size_limit(sys.maxsize)
    first = text.readline()
    if first.encode("utf-8", "surrogateescape").startswith(_UTF_16):
        raise _EncodingError("is UTF-16, not UTF-8", "the encoding utf-16")
    if delimiter == "," and "," not in first and ";" in first:
        delimiter = ";"  # spreadsheets write this where the comma is the decimal sign
    rows = csv.reader(chain([first], text), delimiter=delimiter)
    header = next(rows, None)
    if not header:
        return
    _want_utf_8(header, "its header")
    for row in rows:
        where = f"the row that ends in line {rows.line_num}"
        if not row:
            continue
        _want_utf_8(row, where)
        if len(row) != len(header):
            yield f"{where} has {len(row)} cells where the header has {len(header)}"
        else:
            yield dict(zip(header, row, strict=True))


def _want_utf_8(row: list[str], where: str) -> None:
    for cell in row:
        if not cell.isascii() and (found := _BROKEN.search(cell)):
            byte = ord(found.group()) & 0xFF
            raise _EncodingError(f"is not UTF-8: {where} has the byte 0x{byte:02x}")
