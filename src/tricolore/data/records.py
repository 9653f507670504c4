"""The rows of a file as they stand there: JSON, CSV, TSV, Parquet, plain or gzipped."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, Any, Literal, cast

from tricolore.errors import ReadError

Format = Literal["jsonl", "csv", "tsv", "parquet"]
Record = dict[str, Any] | str
"""A row by column name; or, for a row that cannot be read, the reason."""

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
}


class Records:
    """The records of one file; can be gone through again unless it is standard input.

    `fraction` says how far the current pass has come, from 0 to 1, where that can be known.
    """

    def __init__(self, path: str, format: Format | None = None) -> None:
        self.path = path
        self.name = "standard input" if path == "-" else path
        if path != "-":
            _want_file(path)
        self.format = format or _format_of(path)
        self._raw: IO[bytes] | None = None
        self._size = 0

    def __iter__(self) -> Iterator[Record]:
        if self.format == "parquet":
            yield from self._parquet()
            return
        stream = self._open()
        try:
            if self.format == "jsonl":
                yield from _json_lines(stream)
            else:
                yield from _separated(stream, "," if self.format == "csv" else "\t")
        except (EOFError, gzip.BadGzipFile) as error:
            raise ReadError(f"{self.path} is not a whole gzip file: {error}") from error
        except _EncodingError as error:
            raise ReadError(f"{self.name} {error}") from error
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
        if self.path == "-":
            return sys.stdin.buffer
        try:
            self._raw = open(self.path, "rb")  # noqa: SIM115 (the caller closes it)
            self._size = Path(self.path).stat().st_size
        except OSError as error:
            raise ReadError(f"{self.path} cannot be read: {error.strerror}") from error
        if self.path.endswith(".gz"):
            return cast(IO[bytes], gzip.GzipFile(fileobj=self._raw))
        return self._raw

    def _parquet(self) -> Iterator[Record]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        stream: Any = io.BytesIO(sys.stdin.buffer.read()) if self.path == "-" else self.path
        try:
            with pq.ParquetFile(stream) as file:
                for batch in file.iter_batches(batch_size=256):
                    yield from batch.to_pylist()
        except (OSError, pa.ArrowInvalid) as error:
            raise ReadError(f"{self.path} cannot be read as Parquet: {error}") from error


class _EncodingError(ValueError):
    """A whole file that is not UTF-8, and how to make it so."""

    def __init__(self, what: str, encoding: str) -> None:
        super().__init__(f"{what}; {convert(encoding)}")


def convert(encoding: str) -> str:
    """How to make a file UTF-8."""
    return f"convert it first: iconv -f {encoding} -t utf-8 FILE > NEW"


def _want_file(path: str) -> None:
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror}") from error
    if stat.S_ISDIR(mode):
        raise ReadError(f"{path} cannot be read: it is a directory, not a file")


def _format_of(path: str) -> Format:
    if path == "-":
        return "jsonl"
    ending = Path(path.removesuffix(".gz")).suffix.lower()
    if ending not in _ENDINGS:
        raise ReadError(
            f"{path} ends in '{ending}', which names no known format; "
            f"known are {', '.join(_ENDINGS)} (also with .gz), or say it with --format"
        )
    return _ENDINGS[ending]


def _json_lines(stream: IO[bytes]) -> Iterator[Record]:
    """An object a line; or one array of objects, over as many lines as it likes."""
    first = stream.readline()
    if first.startswith(_UTF_16):
        raise _EncodingError("is UTF-16, not UTF-8", "utf-16")
    first = first.removeprefix(codecs.BOM_UTF8)
    if not first.startswith(b"["):
        yield from _lines(chain([first], stream))
        return
    whole = first + stream.read()
    array = _array(whole)
    if array is None:
        yield from _lines(whole.splitlines(keepends=True))
        return
    for number, row in enumerate(array, 1):
        yield row if isinstance(row, dict) else f"item {number} is not a JSON object"


def _array(text: bytes) -> list[Any] | None:
    try:
        found = json.loads(text.decode("utf-8"), strict=False)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) and any(isinstance(x, dict) for x in found) else None


def _lines(lines: Iterable[bytes]) -> Iterator[Record]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            # strict=False: a raw tab or NUL inside a string is odd, but it is readable.
            row = json.loads(line.decode("utf-8"), strict=False)
        except UnicodeDecodeError as error:
            byte = line[error.start]
            yield f"line {number} is not UTF-8 (byte 0x{byte:02x} at {error.start})"
        except (json.JSONDecodeError, RecursionError) as error:
            yield f"line {number} is not JSON: {error}"
        else:
            yield row if isinstance(row, dict) else f"line {number} is not a JSON object"


def _separated(stream: IO[bytes], delimiter: str) -> Iterator[Record]:
    csv.field_size_limit(sys.maxsize)
    text = codecs.getreader("utf-8-sig")(stream, "surrogateescape")
    first = text.readline()
    if first.encode("utf-8", "surrogateescape").startswith(_UTF_16):
        raise _EncodingError("is UTF-16, not UTF-8", "utf-16")
    if delimiter == "," and "," not in first and ";" in first:
        delimiter = ";"  # what spreadsheets write where the comma is the decimal sign
    rows = csv.reader(chain([first], text), delimiter=delimiter)
    header = next(rows, None)
    if not header:
        return
    if _is_broken(header):
        raise _EncodingError("is not UTF-8 in its header", "latin1")
    for row in rows:
        where = f"the row that ends in line {rows.line_num}"
        if not row:
            continue
        if _is_broken(row):
            yield f"{where} is not UTF-8"
        elif len(row) != len(header):
            yield f"{where} has {len(row)} cells where the header has {len(header)}"
        else:
            yield dict(zip(header, row, strict=True))


def _is_broken(row: list[str]) -> bool:
    """Whether bytes that are not UTF-8 stand in it."""
    return any("\udc80" <= letter <= "\udcff" for cell in row for letter in cell)
