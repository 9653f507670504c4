"""The raw rows of a file: JSON, CSV, TSV, Parquet, plain or gzipped."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal

from tricolore.data.encodings import checked_encoding, in_utf_8, is_utf_8
from tricolore.data.input_file import InputFile
from tricolore.data.json_rows import json_rows
from tricolore.data.parquet_rows import parquet_rows
from tricolore.data.separated_rows import separated_rows
from tricolore.data.unusable import UnusableFileError
from tricolore.errors import ReadError

Format = Literal["jsonl", "csv", "tsv", "parquet"]
Record = dict[str, Any] | str
"""A row by column name; or, for a row that cannot be read, the reason."""

MAX_ROW_MB = 64
"""The longest row of a text file, in millions of bytes, unless another limit is given."""

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
    copied to a temporary file first, so that it too can be read again. A file must not change
    until it has been read for the last time.

    `encoding` is that of the text; UTF-8 if it is not given. `max_row_mb` limits the length of a
    row of text, so that a damaged file cannot fill the memory.
    """

    def __init__(
        self,
        path: str,
        format: Format | None = None,
        *,
        encoding: str = "",
        max_row_mb: float = MAX_ROW_MB,
        twice: bool = False,
    ) -> None:
        self.file = InputFile(path)
        self.path = path
        self.name = self.file.name
        self.is_guessed = format is None and self.file.is_stream and _ending(path) not in _ENDINGS
        """Whether the format is only assumed."""
        self.format: Format = "jsonl" if self.is_guessed else format or _format_of(self.name)
        self.encoding = checked_encoding(encoding)
        if not 0 < max_row_mb < 1e9:
            words = f"the limit of a row is a number of MB above 0, not {max_row_mb}"
            raise ReadError(words, argument="max_row_mb")
        self.max_row_mb = max_row_mb
        self.max_size = int(max_row_mb * 1_000_000)
        if twice or self.format == "parquet":
            self.file.copy_stream()

    def copy_stream(self) -> None:
        """Copy a stream to a temporary file, so that it can be read again."""
        self.file.copy_stream()

    def close(self) -> None:
        """Remove the copy of a stream."""
        self.file.close()

    @property
    def fraction(self) -> float | None:
        """How much of the file the current pass has read, from 0 to 1, where that is known."""
        return self.file.fraction

    @property
    def notes(self) -> list[str]:
        """What has gone wrong without being an error."""
        return [f"{self.name} changed while it was read."] if self.file.has_changed else []

    def __iter__(self) -> Iterator[Record]:
        return self.rows()

    @property
    def paths(self) -> list[str]:
        """The path, as of several files."""
        return [self.path]

    @property
    def is_utf_8(self) -> bool:
        """Whether the text needs no conversion."""
        return is_utf_8(self.encoding)

    @property
    def is_repeatable(self) -> bool:
        """Whether the rows can be read again."""
        return self.file.is_repeatable

    def rows(self, only: Collection[str] | None = None) -> Iterator[Record]:
        """The rows; with `only`, other columns may be left out where that saves work."""
        with self.errors():
            if self.format == "parquet":
                yield from parquet_rows(self.file.random_access(), only)
            else:
                with self.text() as stream:
                    yield from self.text_rows(stream)
        self.file.finish()

    def complete(self) -> Iterator[dict[str, Any]]:
        """The rows of a file that must be sound: a bad row, or a change meanwhile, is an error."""
        for record in self:
            if isinstance(record, str):
                raise ReadError(f"{self.name}: {record}")
            yield record
        self.file.want_unchanged()

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Say of errors within a block which file they are about."""
        try:
            try:
                yield
            except (EOFError, zlib.error) as error:
                raise UnusableFileError(f"is not a whole gzip file: {error}") from error
            except OSError as error:  # among them `gzip.BadGzipFile`
                if self.file.is_gzipped and error.strerror is None:
                    raise UnusableFileError(f"is not a whole gzip file: {error}") from error
                raise UnusableFileError(f"cannot be read: {error.strerror or error}") from error
            except UnicodeError as error:
                reason = getattr(error, "reason", error)
                words = f"cannot be read as {self.encoding}: {reason}"
                raise UnusableFileError(words, argument="encoding") from error
        except UnusableFileError as error:
            self.file.want_unchanged()
            words = f"{self.name} {error}"
            raise ReadError(words, error.hint, argument=error.argument) from error

    def text(self) -> IO[bytes]:
        """The text of the file in UTF-8, from its beginning."""
        return in_utf_8(self.file.open(), self.encoding)

    def text_rows(self, stream: IO[bytes]) -> Iterator[Record]:
        """The rows of the whole text."""
        if self.format == "jsonl":
            return json_rows(stream, self.max_size)
        delimiter = "," if self.format == "csv" else "\t"
        return separated_rows(stream, delimiter, self.max_size)


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
