"""From records to examples: which column is what, and what can be wrong with a row."""

from __future__ import annotations

import json
import math
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Self

from tricolore.data.records import Format, Record, Records, convert
from tricolore.errors import ReadError
from tricolore.example import Example, Unreadable

_USUAL = {
    "source": ("source", "document", "text", "article"),
    "summary": ("summary", "hypothesis", "prediction"),
    "references": ("references", "reference"),
    "system": ("system",),
    "doc_id": ("doc_id",),
}
_HEAD = 100
"""Records that are looked at to find out which columns there are."""


class _RowError(ValueError):
    """What is wrong with one row."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The names of the columns; an empty one means: the usual names."""

    source: str = ""
    summary: str = ""
    references: str = ""
    system: str = ""
    doc_id: str = ""
    human: tuple[str, ...] = ()


class ExampleFile:
    """The examples of a file, one a record; unreadable rows stay in their place.

    Can be gone through several times; standard input is copied to a temporary file for that
    when `twice` is asked for. `odd_human` says what human scores the last pass left out, as
    they are not numbers, and how many.
    """

    def __init__(
        self,
        path: str,
        columns: Columns | None = None,
        *,
        format: Format | None = None,
        needs: frozenset[str] = frozenset(),
        limit: int | None = None,
        twice: bool = False,
    ) -> None:
        self.columns = columns or Columns()
        self.needs = needs
        self.limit = limit
        self._spool = _copy_of_stdin() if twice and path == "-" else None
        self.name = "standard input" if path == "-" else path
        self.odd_human: dict[str, int] = {}
        self._is_guessed = path == "-" and format is None
        if self._spool:
            path, format = self._spool.name, format or "jsonl"
        self.records = Records(path, format)
        self.records.name = self.name

    def __iter__(self) -> Iterator[Example | Unreadable]:
        records = iter(self.records)
        head = list(islice(records, _HEAD))
        found = self._find_columns([record for record in head if isinstance(record, dict)])
        self.odd_human = {}
        rows = (_row(record, found, self.odd_human) for record in chain(head, records))
        yield from islice(rows, self.limit)

    def at_least_one(self) -> Iterator[Example | Unreadable]:
        """The rows; an error at their end if not a single one is an example."""
        first, is_any = "", False
        for row in self:
            is_any = is_any or isinstance(row, Example)
            if not first and isinstance(row, Unreadable):
                first = row.problem
            yield row
        if not is_any:
            raise ReadError(self._none(first))

    def _none(self, problem: str) -> str:
        """What to say of a file without a row, or of which no row is an example."""
        if not problem:
            return f"{self.name} has no rows"
        said = f"not a single row of {self.name} could be read: {problem}"
        if "is not UTF-8" in problem:
            return f"{said}; if it is text, {convert('latin1')}"
        if self._is_guessed and "JSON" in problem:
            return f"{said}; if it is not JSON Lines, say so with --format csv, tsv or parquet"
        return said

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._spool:
            self._spool.close()

    def sources(self) -> Iterator[str]:
        """The sources of all readable rows; one of several documents is joined to one text."""
        for row in self.at_least_one():
            if isinstance(row, Example):
                yield "\n".join(row.source)

    def _find_columns(self, head: list[dict[str, Any]]) -> dict[str, Any]:
        present = list(dict.fromkeys(name for record in head for name in record))
        found: dict[str, Any] = {}
        for role, usual in _USUAL.items():
            wanted = getattr(self.columns, role)
            names = (wanted,) if wanted else usual
            found[role] = _column(names, present)
            needed = wanted or role == "summary" or role in self.needs
            if head and needed and found[role] is None:
                option = "--" + role.replace("_", "-")
                raise ReadError(
                    f"{self.name} has no {role.removesuffix('s')} column: looked for "
                    f"{', '.join(names)}; it has {', '.join(present) or 'no columns'}; "
                    f"name yours with {option} COLUMN"
                )
        found["human"] = self._find_human(head, present)
        return found

    def _find_human(self, head: list[dict[str, Any]], present: Sequence[str]) -> dict[str, str]:
        """The names of the human scores that stand in columns of their own, by column."""
        found = {n: n.removeprefix("human.") for n in present if n.startswith("human.")}
        nested = {name for r in head if isinstance(r.get("human"), dict) for name in r["human"]}
        for name in self.columns.human:
            column = _column((name,), present)
            if column is not None:
                found[column] = name
            elif head and name not in {*nested, *found.values()}:
                raise ReadError(f"{self.name} has no column '{name}', asked for by --human")
        return found


def _column(names: Sequence[str], present: Sequence[str]) -> str | None:
    """The first of the names that there is; if none, the only one that is so but for its case."""
    for name in names:
        if name in present:
            return name
    for name in names:
        alike = [other for other in present if other.casefold() == name.casefold()]
        if len(alike) == 1:
            return alike[0]
    return None


def _copy_of_stdin() -> tempfile._TemporaryFileWrapper[bytes]:
    copy = tempfile.NamedTemporaryFile()  # noqa: SIM115 (the file of examples closes it)
    shutil.copyfileobj(sys.stdin.buffer, copy)
    copy.flush()
    return copy


class Sources:
    """The sources of an example file, as often as one likes."""

    def __init__(self, file: ExampleFile) -> None:
        self._file = file

    def __iter__(self) -> Iterator[str]:
        return self._file.sources()


def _row(record: Record, found: Mapping[str, Any], odd: dict[str, int]) -> Example | Unreadable:
    if isinstance(record, str):
        return Unreadable(record)
    doc_id, system = _word(record, found["doc_id"]), _word(record, found["system"])
    try:
        return Example(
            summary=_one_text(record, found["summary"]),
            source=_texts(record, found["source"]),
            references=_texts(record, found["references"]),
            doc_id=doc_id,
            system=system,
            human=_human(record, found["human"], odd),
        )
    except _RowError as bad:
        return Unreadable(str(bad), doc_id, system)


def _word(record: Mapping[str, Any], column: str | None) -> str:
    value = record.get(column) if column else None
    return "" if value is None else str(value)


def _one_text(record: Mapping[str, Any], column: str) -> str:
    if column not in record:
        raise _RowError(f"the row has no '{column}'")
    value = record[column]
    if not isinstance(value, str):
        raise _RowError(f"'{column}' is {_kind(value)}, not text")
    return value


def _texts(record: Mapping[str, Any], column: str | None) -> tuple[str, ...]:
    value = record.get(column) if column else None
    if value is None:
        return ()
    if isinstance(value, str):
        return _cell(value)
    if not isinstance(value, list):
        raise _RowError(f"'{column}' is {_kind(value)}, not text or a list of texts")
    for at, text in enumerate(value, 1):
        if not isinstance(text, str):
            raise _RowError(f"'{column}' holds {_kind(text)} at place {at}, not text")
    return tuple(value)


def _cell(text: str) -> tuple[str, ...]:
    """A text; or several, written as a JSON list, which is how they fit a cell of a CSV."""
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
    """The human scores that are numbers; what is not one is counted in `odd`."""
    nested = record.get("human")
    given = dict(nested) if isinstance(nested, dict) else {}
    given |= {name: record.get(column) for column, name in columns.items()}
    scores = {}
    for name, value in given.items():
        if value is None or value == "":
            continue
        try:
            scores[name] = float(value)
        except (TypeError, ValueError):
            words = f"the human score '{name}' is {_kind(value)}, not a number"
            odd[words] = odd.get(words, 0) + 1
            continue
        if not math.isfinite(scores[name]):
            del scores[name]
    return scores


def _kind(value: object) -> str:
    if value is None:
        return "null"
    names = {bool: "a truth value", int: "a number", float: "a number", str: "text"}
    names |= {list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)
