"""From records to examples, with errors for rows that are not examples."""

from __future__ import annotations

import json
import math
import operator
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Self

from tricolore.data.columns import (
    HIGHLIGHTS,
    MISSING,
    UNITS,
    Columns,
    ColumnWarning,
    FoundColumns,
    Role,
    find_columns,
    is_marks,
    text_of,
    value_at,
)
from tricolore.data.record_files import RecordFiles, expanded_paths
from tricolore.data.records import MAX_ROW_MB, Format, Record, Records
from tricolore.data.unusable import REPEATED, UnusableValue
from tricolore.errors import ReadError
from tricolore.example import Example, Unreadable

_HEAD = 100
"""The number of records from which the columns are found."""
_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d*,\d+\s*")


class _RowError(ValueError):
    """What is wrong with one row."""


class Examples:
    """Examples made of the rows of a table; unreadable rows stay in their place.

    Can be iterated as often as its records can. `mapping` has the column of each role, `warnings`
    say where that may be wrong. `odd_human` counts the human scores that the last pass left out
    because they are not numbers.
    """

    def __init__(
        self,
        records: Iterable[Record | Example | Unreadable],
        columns: Columns | None = None,
        *,
        name: str = "the data",
        needs: Iterable[str] = (),
        limit: int | None = None,
    ) -> None:
        self.columns = columns or Columns()
        self.name = name
        self.needs = frozenset(needs)
        self.limit = _checked_limit(limit)
        self.odd_human: dict[str, int] = {}
        self.records = records
        """The rows as they are, with all columns."""
        self._found: FoundColumns | None = None
        self._begun: Iterator[Record | Example | Unreadable] | None = None

    def require(
        self, needs: Iterable[str], *, human: Iterable[str] = (), twice: bool = False
    ) -> None:
        """Add requirements, before the first row is read, or between two passes.

        `needs` are roles of columns, `human` names of human scores. With `twice`, a stream is
        copied, so that it can be read more than once.
        """
        if not self.needs >= frozenset(needs):
            self.needs |= frozenset(needs)
            self._found = self._begun = None  # the columns are looked for again
        names = dict.fromkeys((*self.columns.human, *human))
        self.columns = replace(self.columns, human=tuple(names))

    @property
    def found_columns(self) -> FoundColumns:
        """The columns of all roles and of human scores."""
        return self._columns()

    @property
    def mapping(self) -> dict[Role, str]:
        """The columns that are read as `source`, `summary` and so on; only those that exist."""
        return dict(self._columns().mapping)

    @property
    def warnings(self) -> list[ColumnWarning]:
        """Where the choice of a column may be wrong."""
        return self._columns().warnings

    @property
    def notes(self) -> list[str]:
        """What has gone wrong while the rows were read."""
        return []

    def describe_columns(self) -> str:
        """Which columns are read as what, in one line: `read: source=document, summary=…`."""
        return self._columns().describe()

    def __iter__(self) -> Iterator[Example | Unreadable]:
        found = self._columns()
        records, self._begun = self._begun or self._from_start(found), None
        self.odd_human = {}
        rows = (row_of(record, found, self.odd_human) for record in records)
        yield from islice(rows, self.limit)

    def at_least_one(self) -> Iterator[Example | Unreadable]:
        """The rows; an error at the end if none of them is an example."""
        first, is_any = "", False
        for row in self:
            is_any = is_any or isinstance(row, Example)
            if not first and isinstance(row, Unreadable):
                first = row.problem
            yield row
        if not is_any:
            raise self._none(first)

    def _none(self, problem: str) -> ReadError:
        """The error message for a table without rows, or without any example."""
        if not problem:
            return ReadError(f"{self.name} has no rows")
        return ReadError(f"not a single row of {self.name} could be read: {problem}")

    def _columns(self) -> FoundColumns:
        if self._found is None:
            records = iter(self.records)
            head = list(islice(records, _HEAD))
            rows = [record for record in head if isinstance(record, dict)]
            self._found = find_columns(rows, self.columns, needs=self.needs, name=self.name)
            # What cannot be read again: the next pass continues from here.
            self._begun = chain(head, records)
        return self._found

    def _from_start(self, found: FoundColumns) -> Iterator[Record | Example | Unreadable]:
        return iter(self.records)


class ExampleFile(Examples):
    """The examples of a file, or of several with the same columns, one per record.

    Can be iterated several times. Standard input and pipes are copied to a temporary file for that
    when `twice` is given. `encoding` is that of the text; UTF-8 if it is not given. `max_row_mb`
    is the longest row of a text file, in millions of bytes.
    """

    records: Records | RecordFiles

    def __init__(
        self,
        file: str | Records | RecordFiles,
        columns: Columns | None = None,
        *,
        format: Format | None = None,
        encoding: str = "",
        needs: Iterable[str] = (),
        limit: int | None = None,
        max_row_mb: float = MAX_ROW_MB,
        twice: bool = False,
    ) -> None:
        if isinstance(file, str):
            file = Records(file, format, encoding=encoding, max_row_mb=max_row_mb, twice=twice)
        super().__init__(file, columns, name=file.name, needs=needs, limit=limit)

    def require(
        self, needs: Iterable[str], *, human: Iterable[str] = (), twice: bool = False
    ) -> None:
        """The same, for a file or a stream."""
        super().require(needs, human=human)
        if twice:
            self.records.copy_stream()

    @property
    def notes(self) -> list[str]:
        """What has gone wrong while the rows were read, such as a change of the file."""
        return self.records.notes

    def _columns(self) -> FoundColumns:
        found = super()._columns()
        if self.records.is_repeatable:
            self._begun = None  # the next pass reads only the columns that are used
        return found

    def _from_start(self, found: FoundColumns) -> Iterator[Record | Example | Unreadable]:
        return self.records.rows(only=found.used)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.records.close()

    def _none(self, problem: str) -> ReadError:
        error = super()._none(problem)
        if self.records.is_guessed and "JSON" in problem:
            hint = "if it is not JSON Lines, name its format"
            return ReadError(error.problem, hint, argument="input_format")
        return error


def example_file(
    paths: Sequence[str],
    columns: Columns | None = None,
    *,
    format: Format | None = None,
    encoding: str = "",
    needs: Iterable[str] = (),
    limit: int | None = None,
    max_row_mb: float = MAX_ROW_MB,
    twice: bool = False,
) -> ExampleFile:
    """The examples of one file or several; a path may be a pattern such as `data/*.jsonl`."""
    found = expanded_paths(paths)
    records = RecordFiles(found, format, encoding=encoding, max_row_mb=max_row_mb, twice=twice)
    # One file is read as it is: its rows need no name of a file.
    file = records.files[0] if len(found) == 1 else records
    return ExampleFile(file, columns, needs=needs, limit=limit)


class Sources:
    """The sources of all readable rows, iterable repeatedly; several are joined to one text."""

    def __init__(self, rows: Iterable[Example | Unreadable]) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[str]:
        rows = self._rows
        for row in rows.at_least_one() if isinstance(rows, Examples) else rows:
            if isinstance(row, Example):
                yield "\n".join(row.source)


def row_of(
    record: Record | Example | Unreadable, found: FoundColumns, odd: dict[str, int]
) -> Example | Unreadable:
    """The example of a record, or why there is none; human scores that are odd are counted."""
    if isinstance(record, Example | Unreadable):
        return record
    if isinstance(record, str):
        return Unreadable(record)
    at = found.mapping
    names = {"doc_id": "", "system": ""}
    try:
        for role in ("system", "doc_id"):
            names[role] = _name(record, at.get(role))
        return Example(
            summary=_one_text(record, at.get("summary", "summary")),
            source=_texts(record, at.get("source")),
            references=_texts(record, at.get("references")),
            human=_human(record, found.human, odd),
            units=_marks(record, UNITS),
            highlights=_marks(record, HIGHLIGHTS) if found.has_highlights else (),
            **names,
        )
    except _RowError as bad:
        return Unreadable(str(bad), **names)
    except (TypeError, ValueError) as bad:  # of a content unit or a highlight
        return Unreadable(f"the row has a wrong mark: {bad}", **names)


def _checked_limit(limit: int | None) -> int | None:
    if limit is None:
        return None
    try:
        rows = operator.index(limit)
    except TypeError:
        rows = -1
    if rows < 0:
        words = f"the limit is a number of rows, 0 or more, not {limit!r}"
        raise ReadError(words, argument="limit")
    return min(rows, sys.maxsize)


def _name(record: Mapping[str, Any], column: str | None) -> str:
    """The id of a document or the name of a system."""
    value = _value(record, column)
    if isinstance(value, list | dict | UnusableValue):
        raise _wrong(column, value, "text or a number")
    try:
        return "" if value is None else str(value)
    except ValueError:  # Python writes only integers of up to 4300 digits
        raise _RowError(f"'{column}' is a number with too many digits") from None


def _value(record: Mapping[str, Any], column: str | None) -> Any:
    value = value_at(record, column) if column else None
    return None if value is MISSING or _is_missing(value) else value


def _is_missing(value: Any) -> bool:
    """Whether there is no value: null, or what data frames have for it."""
    if isinstance(value, str):  # the usual case
        return False
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and math.isnan(value)


def _one_text(record: Mapping[str, Any], column: str) -> str:
    value = value_at(record, column)
    if value is MISSING:
        raise _RowError(f"the row has no '{column}'")
    if _is_missing(value):
        return ""  # the system wrote nothing
    if not isinstance(value, str):
        raise _wrong(column, value, "text")
    return value


def _texts(record: Mapping[str, Any], column: str | None) -> tuple[str, ...]:
    """One text or several. Only the text of an object such as {title, text} is read."""
    value = text_of(_value(record, column))
    if value is None:
        return ()
    if isinstance(value, str):
        return _cell(value)
    if not isinstance(value, list):
        raise _wrong(column, value, "text or a list of texts")
    texts = [text_of(item) for item in value]
    for at, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise _RowError(f"'{column}' holds {_kind(text)} at place {at}, not text")
    return tuple(texts)


def _cell(text: str) -> tuple[str, ...]:
    """A text; or several, written as a JSON list in one cell of a CSV."""
    if text.startswith("[") and text.rstrip().endswith("]"):
        try:
            listed = json.loads(text)
        except (ValueError, RecursionError):
            return (text,)
        if listed and all(isinstance(item, str) for item in listed):
            return tuple(listed)
    return (text,)


def _marks(record: Mapping[str, Any], column: str) -> list[Any]:
    """Content units or highlights: a list, or a list that is written as JSON in a cell.

    None if the column holds something else, which has nothing to do with us.
    """
    value = _value(record, column)
    if isinstance(value, str) and value.startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return []
    if isinstance(value, list) and (is_marks(value) or (column == UNITS and _are_texts(value))):
        return value
    return []


def _are_texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) and value.strip() for value in values)


def _human(
    record: Mapping[str, Any], columns: Mapping[str, str], odd: dict[str, int]
) -> dict[str, float]:
    """The human scores that are numbers; others are counted in `odd`."""
    nested = record.get("human")
    given = [*nested.items()] if isinstance(nested, dict) else []
    given += [(name, _value(record, column)) for column, name in columns.items()]
    scores: dict[str, float] = {}
    unusable: dict[str, str] = {}
    for name, value in given:
        if _is_missing(value) or (isinstance(value, str) and not value):
            continue
        if scores.get(name, value) != value:
            value = REPEATED
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.inf
        if math.isinf(number):
            unusable[name] = _odd(name, value, odd)
        elif not math.isnan(number):
            scores[name] = number
    for words in unusable.values():
        odd[words] = odd.get(words, 0) + 1
    return {name: number for name, number in scores.items() if name not in unusable}


def _odd(name: str, value: object, known: Iterable[str]) -> str:
    """What is wrong with a human score; only the first decimal comma is quoted."""
    start = f"the human score '{name}' is"
    if isinstance(value, UnusableValue):
        return f"{start} {value}"
    if isinstance(value, int | float):
        return f"{start} too large a number"
    if not (isinstance(value, str) and _DECIMAL_COMMA.fullmatch(value)):
        return f"{start} {_kind(value)}, not a number"
    start, end = f"{start} not a number: ", " has a decimal comma"
    same = (words for words in known if words.startswith(start) and words.endswith(end))
    return next(same, f"{start}{value.strip()}{end}")


def _wrong(column: str | None, value: object, wanted: str) -> _RowError:
    if isinstance(value, UnusableValue):
        return _RowError(f"'{column}' is {value}")
    return _RowError(f"'{column}' is {_kind(value)}, not {wanted}")


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, UnusableValue):
        return str(value)
    names = {bool: "a truth value", int: "a number", float: "a number", str: "text"}
    names |= {list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)
