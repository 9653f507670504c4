"""Where the rows of parts come from: files that every process opens for itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tricolore.data.columns import FoundColumns
from tricolore.data.examples import ExampleFile, row_of
from tricolore.data.input_file import FileState
from tricolore.data.manifest import Part
from tricolore.data.record_files import RecordFiles
from tricolore.data.records import Format
from tricolore.data.row_positions import RowMark, RowPosition, RowReader, row_marks
from tricolore.errors import ReadError
from tricolore.example import Example, Unreadable

_MOST = 2
"""A part is at most so many times as long as asked for, to keep the rows of a document together."""


@dataclass(frozen=True)
class PartSource:
    """How to read the rows of parts. It can be sent to another process."""

    paths: Sequence[str]
    formats: Sequence[Format]
    states: Sequence[FileState]
    """What the files were like when the parts were planned."""
    encoding: str
    max_row_mb: float
    columns: FoundColumns

    @staticmethod
    def of(examples: ExampleFile) -> PartSource:
        """The source of examples, which must have been read once."""
        files = record_files(examples)
        states = [file.file.first_state for file in files.files]
        return PartSource(
            files.paths,
            [file.format for file in files.files],
            [state for state in states if state is not None],
            files.files[0].encoding,
            files.files[0].max_row_mb,
            examples.found_columns,
        )

    def open(self) -> PartReader:
        """Open the files."""
        files = RecordFiles(
            self.paths, formats=self.formats, encoding=self.encoding, max_row_mb=self.max_row_mb
        )
        for file, state in zip(files.files, self.states, strict=True):
            file.file.expect(state)
        return PartReader(files, self.columns)


class PartReader:
    """Reads the rows of parts; quickest if they are asked for in order."""

    def __init__(self, files: RecordFiles, columns: FoundColumns) -> None:
        self._files = files
        self._columns = columns
        self._reader = RowReader(files, columns.used)
        self.odd_human: dict[str, int] = {}
        """Human scores that are not numbers, in the part that was read last."""

    def rows(self, part: Part) -> Iterator[Example | Unreadable]:
        """The rows of a part; an error if a file is not as it was when the part was planned."""
        self._check()
        self.odd_human = {}
        read = 0
        for record in self._reader.rows(part.start, part.rows):
            read += 1
            yield row_of(record, self._columns, self.odd_human)
        self._check()
        if read < part.rows:
            raise ReadError(f"{self._files.name} has fewer rows than before")

    def close(self) -> None:
        """Close the files."""
        self._reader.close()

    def _check(self) -> None:
        for file in self._files.files:
            file.file.want_unchanged()


@dataclass(frozen=True)
class PlannedParts:
    """The parts of some files, and how many rows of each file are in them."""

    parts: Sequence[Part]
    rows: Sequence[int]


def plan_parts(examples: ExampleFile, part_rows: int) -> PlannedParts:
    """Divide the rows of files into parts of about as many rows.

    Neighbouring rows of one document stay in one part, unless that would make it twice as long.
    """
    files, found = record_files(examples), examples.found_columns
    columns = {column for role, column in found.mapping.items() if role in ("doc_id", "source")}
    plan = _PartPlan(part_rows, found, len(files.files))
    for at, mark in enumerate(row_marks(files, columns | {found.mapping["summary"]})):
        if at == examples.limit:
            break
        plan.add(mark)
    plan.end_part()
    return PlannedParts(plan.parts, plan.rows)


class _PartPlan:
    def __init__(self, part_rows: int, found: FoundColumns, files: int) -> None:
        self.parts: list[Part] = []
        self.rows = [0] * files
        self._part_rows = part_rows
        self._found = found
        self._start = RowPosition(0)
        self._count = 0
        self._first = 1
        self._last: RowMark | None = None

    def add(self, mark: RowMark) -> None:
        if self._count >= self._part_rows and not self._belongs(mark):
            self.end_part()
        if not self._count:
            self._start = mark.position
        self._count += 1
        self._last = mark
        self.rows[mark.position.file] += 1

    def end_part(self) -> None:
        if self._count:
            self.parts.append(Part(len(self.parts), self._first, self._count, self._start))
            self._first += self._count
            self._count = 0

    def _belongs(self, mark: RowMark) -> bool:
        """Whether a row is about the document of the row before."""
        if self._count >= _MOST * self._part_rows or self._last is None:
            return False
        document = self._document(mark)
        return document is not None and document == self._document(self._last)

    def _document(self, mark: RowMark) -> str | None:
        row = row_of(mark.record(), self._found, {})
        return row.doc_id if isinstance(row, Example) else None


def record_files(examples: ExampleFile) -> RecordFiles:
    """The files of examples; an error if one of them is a stream, which is read once only."""
    records = examples.records
    files = records if isinstance(records, RecordFiles) else RecordFiles.of([records])
    for file in files.files:
        if file.file.is_stream:
            raise ReadError(
                f"{file.name} cannot be scored in parts, since it can be read only once",
                "copy it to a file first",
            )
    return files
