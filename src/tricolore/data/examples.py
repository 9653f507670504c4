"""From records to examples, with errors for rows that are not examples."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Self

from tricolore.data.columns import (
    MISSING,
    Columns,
    ColumnWarning,
    FoundColumns,
    Role,
    find_columns,
    value_at,
)
from tricolore.data.records import Format, Record, Records
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
        self.limit = limit
        self.odd_human: dict[str, int] = {}
        self.records = records
        """The rows as they are, with all columns."""
        self._found: FoundColumns | None = None
        self._begun: Iterator[Record | Example | Unreadable] | None = None

    def require(
        self, needs: Iterable[str], *, human: Iterable[str] = (), twice: bool = False
    ) -> None:
        """Add requirements, before the first row is read.

        `needs` are roles of columns, `human` names of human scores. With `twice`, a stream is
        copied, so that it can be read more than once.
        """
        self.needs |= frozenset(needs)
        names = dict.fromkeys((*self.columns.human, *human))
        self.columns = replace(self.columns, human=tuple(names))

    @property
    def mapping(self) -> dict[Role, str]:
        """The columns that are read as `source`, `summary` and so on; only those that exist."""
        return dict(self._columns().mapping)

    @property
    def warnings(self) -> list[ColumnWarning]:
        """Where the choice of a column may be wrong."""
        return self._columns().warnings

    def describe_columns(self) -> str:
        """Which columns are read as what, in one line: `read: source=document, summary=…`."""
        return self._columns().describe()

    def __iter__(self) -> Iterator[Example | Unreadable]:
        found = self._columns()
        records, self._begun = self._begun or iter(self.records), None
        self.odd_human = {}
        rows = (_row(record, found, self.odd_human) for record in records)
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
            # A stream cannot be restarted: the next pass continues from here.
            self._begun = chain(head, records)
        return self._found


class ExampleFile(Examples):
    """The examples of a file, one per record.

    Can be iterated several times. Standard input and pipes are copied to a temporary file for that
    when `twice` is given. `encoding` is that of the text; UTF-8 if it is not given.
    """

    records: Records

    def __init__(
        self,
        file: str | Records,
        columns: Columns | None = None,
        *,
        format: Format | None = None,
        encoding: str = "",
        needs: Iterable[str] = (),
        limit: int | None = None,
        twice: bool = False,
    ) -> None:
        if isinstance(file, str):
            file = Records(file, format, encoding=encoding, twice=twice)
        super().__init__(file, columns, name=file.name, needs=needs, limit=limit)

    def require(
        self, needs: Iterable[str], *, human: Iterable[str] = (), twice: bool = False
    ) -> None:
        """The same, for a file or a stream."""
        super().require(needs, human=human)
        if twice:
            self.records.copy_stream()

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


class Sources:
    """The sources of all readable rows, iterable repeatedly; several are joined to one text."""

    def __init__(self, rows: Iterable[Example | Unreadable]) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[str]:
        rows = self._rows
        for row in rows.at_least_one() if isinstance(rows, Examples) else rows:
            if isinstance(row, Example):
                yield "\n".join(row.source)


def _row(
    record: Record | Example | Unreadable, found: FoundColumns, odd: dict[str, int]
) -> Example | Unreadable:
    if isinstance(record, Example | Unreadable):
        return record
    if isinstance(record, str):
        return Unreadable(record)
    at = found.mapping
    doc_id, system = _word(record, at.get("doc_id")), _word(record, at.get("system"))
    try:
        return Example(
            summary=_one_text(record, at.get("summary", "summary")),
            source=_texts(record, at.get("source")),
            references=_texts(record, at.get("references")),
            doc_id=doc_id,
            system=system,
            human=_human(record, found.human, odd),
        )
    except _RowError as bad:
        return Unreadable(str(bad), doc_id, system)


def _word(record: Mapping[str, Any], column: str | None) -> str:
    value = _value(record, column)
    return "" if value is None else str(value)


def _value(record: Mapping[str, Any], column: str | None) -> Any:
    value = value_at(record, column) if column else None
    # Data frames have NaN for a missing value.
    is_nothing = value is MISSING or (isinstance(value, float) and math.isnan(value))
    return None if is_nothing else value


def _one_text(record: Mapping[str, Any], column: str) -> str:
    value = value_at(record, column)
    if value is MISSING:
        raise _RowError(f"the row has no '{column}'")
    if value is None or value != value:
        return ""  # the system wrote nothing: pandas and Parquet have NaN or null for it
    if not isinstance(value, str):
        raise _RowError(f"'{column}' is {_kind(value)}, not text")
    return value


def _texts(record: Mapping[str, Any], column: str | None) -> tuple[str, ...]:
    """One text or several. Only the text of an object such as {title, text} is read."""
    value = _text_of(_value(record, column))
    if value is None:
        return ()
    if isinstance(value, str):
        return _cell(value)
    if not isinstance(value, list):
        raise _RowError(f"'{column}' is {_kind(value)}, not text or a list of texts")
    texts = [_text_of(item) for item in value]
    for at, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise _RowError(f"'{column}' holds {_kind(text)} at place {at}, not text")
    return tuple(texts)


def _text_of(value: Any) -> Any:
    return value["text"] if isinstance(value, dict) and "text" in value else value


def _cell(text: str) -> tuple[str, ...]:
    """A text; or several, written as a JSON list in one cell of a CSV."""
    if text.startswith("[") and text.rstrip().endswith("]"):
        try:
            listed = json.loads(text)
        except ValueError:
            return (text,)
        if listed and all(isinstance(item, str) for item in listed):
            return tuple(listed)
    return (text,)


def _human(
    record: Mapping[str, Any], columns: Mapping[str, str], odd: dict[str, int]
) -> dict[str, float]:
    """The human scores that are numbers; others are counted in `odd`."""
    nested = record.get("human")
    given = dict(nested) if isinstance(nested, dict) else {}
    given |= {name: _value(record, column) for column, name in columns.items()}
    scores = {}
    for name, value in given.items():
        if value is None or value == "":
            continue
        try:
            scores[name] = float(value)
        except (TypeError, ValueError):
            words = _odd(name, value, odd)
            odd[words] = odd.get(words, 0) + 1
            continue
        if not math.isfinite(scores[name]):
            del scores[name]
    return scores


def _odd(name: str, value: object, known: Iterable[str]) -> str:
    """What is wrong with a human score; only the first decimal comma is quoted."""
    if not (isinstance(value, str) and _DECIMAL_COMMA.fullmatch(value)):
        return f"the human score '{name}' is {_kind(value)}, not a number"
    start, end = f"the human score '{name}' is not a number: ", " has a decimal comma"
    same = (words for words in known if words.startswith(start) and words.endswith(end))
    return next(same, f"{start}{value.strip()}{end}")


def _kind(value: object) -> str:
    if value is None:
        return "null"
    names = {bool: "a truth value", int: "a number", float: "a number", str: "text"}
    names |= {list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)
