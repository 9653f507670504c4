"""The rows of several files, one file after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from glob import glob, has_magic
from pathlib import Path

from tricolore.data.object_store import (
    has_pattern,
    is_stored,
    matching_addresses,
)
from tricolore.data.records import MAX_ROW_MB, Format, Record, Records
from tricolore.errors import ReadError


def expanded_paths(paths: Iterable[str]) -> list[str]:
    """The paths, with the files that a pattern such as `data/*.jsonl` matches, in order of name.

    A path that exists is no pattern, whatever its characters are.
    """
    found: list[str] = []
    for path in paths:
        if is_stored(path):
            is_pattern = has_pattern(path)
        else:
            is_pattern = has_magic(path) and not Path(path).exists()
        if not is_pattern:
            found.append(path)
            continue
        matches = (
            matching_addresses(path) if is_stored(path) else sorted(glob(path, recursive=True))
        )
        if not matches:
            raise ReadError(f"no file matches '{path}'")
        found += matches
    return found


class RecordFiles:
    """The records of several files, which have the same columns.

    `formats` are those of the files where they are not the same for all.
    """

    def __init__(
        self,
        paths: Sequence[str],
        format: Format | None = None,
        *,
        formats: Sequence[Format | None] = (),
        encoding: str = "",
        max_row_mb: float = MAX_ROW_MB,
        twice: bool = False,
    ) -> None:
        repeated = next((path for path in paths if paths.count(path) > 1), None)
        if repeated:
            raise ReadError(f"{repeated} is given more than once")
        self._take(
            [
                Records(path, given, encoding=encoding, max_row_mb=max_row_mb, twice=twice)
                for path, given in zip(paths, formats or [format] * len(paths), strict=True)
            ]
        )

    @staticmethod
    def of(files: Sequence[Records]) -> RecordFiles:
        """Files that are open already."""
        made = RecordFiles.__new__(RecordFiles)
        made._take(files)
        return made

    def _take(self, files: Sequence[Records]) -> None:
        self.files = files
        self.name = files[0].name if len(files) == 1 else f"{len(files)} files"
        self._current = 0

    @property
    def paths(self) -> list[str]:
        """The paths of the files."""
        return [file.path for file in self.files]

    @property
    def is_guessed(self) -> bool:
        """Whether the format of a file is only assumed."""
        return any(file.is_guessed for file in self.files)

    @property
    def is_repeatable(self) -> bool:
        """Whether the rows can be read again."""
        return all(file.is_repeatable for file in self.files)

    @property
    def fraction(self) -> float | None:
        """How much of the files the current pass has read, from 0 to 1, where that is known."""
        part = self.files[self._current].fraction
        return None if part is None else (self._current + part) / len(self.files)

    @property
    def notes(self) -> list[str]:
        """What has gone wrong without being an error."""
        return [note for file in self.files for note in file.notes]

    def copy_stream(self) -> None:
        """Copy streams to temporary files, so that they can be read again."""
        for file in self.files:
            file.copy_stream()

    def close(self) -> None:
        """Remove the copies of streams."""
        for file in self.files:
            file.close()

    def __iter__(self) -> Iterator[Record]:
        return self.rows()

    def rows(self, only: Collection[str] | None = None) -> Iterator[Record]:
        """The rows; with `only`, other columns may be left out where that saves work."""
        for number, file in enumerate(self.files):
            self._current = number
            for record in file.rows(only):
                yield self.located(record, file)

    def located(self, record: Record, file: Records) -> Record:
        """A record; the reason why a row cannot be read says in which of several files it is."""
        if isinstance(record, str) and len(self.files) > 1:
            return f"{file.name}: {record}"
        return record
