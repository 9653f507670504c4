"""Reading scores back: the document, the system and the values of each row."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tricolore.arrays import Flags, Floats
from tricolore.data.empty import UNBOUNDED, Bounds, Empty, check_empty, empty_notes, worst_value
from tricolore.data.grid import Grid
from tricolore.data.metadata import read_metadata
from tricolore.data.records import Format, Records
from tricolore.data.score_files import score_files
from tricolore.data.scores import CSV_FORMULAS, is_evidence
from tricolore.data.separated import unprotected
from tricolore.data.unusable import UnusableValue
from tricolore.errors import ReadError, SpecError, TricoloreError
from tricolore.measure import Direction
from tricolore.registry import GROUPS, direction_of, get_measure, get_measures, split_specs
from tricolore.text.plural import plural

_NOT_VALUES = {"row", "doc_id", "system", "status", "problem", "flags"}
_HUMAN = "human."


@dataclass(frozen=True)
class ScoreTable:
    """The scores of many summaries by many measures, and human scores.

    `values` has one column per measure and per part (`estime.soft`), `human` one per quality; NaN
    where there is none. `directions` says whether higher or lower is better in a column of
    `values`.
    """

    grid: Grid
    values: Mapping[str, Floats]
    human: Mapping[str, Floats] = field(default_factory=dict)
    directions: Mapping[str, Direction] = field(default_factory=dict)
    measures: tuple[str, ...] = ()
    """The columns of `values` that are a measure's value and not a part."""
    signatures: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    name: str = "the table"
    texts: Mapping[str, str] = field(default_factory=dict)
    """Columns that are not numbers, with the first cell that is not a number."""
    bounds: Mapping[str, Bounds] = field(default_factory=dict)
    """The lowest and the highest possible value of each column, where known."""
    is_empty: Flags = field(default_factory=lambda: np.zeros(0, dtype=bool))
    """Whether the summary of a row is empty."""
    unreadable: int = 0
    """The number of input rows that could not be read and are left out."""
    empty: Empty | None = None
    """How empty summaries count, if `with_empty` has decided it."""

    @staticmethod
    def of(
        doc_ids: Sequence[str],
        systems: Sequence[str],
        values: Mapping[str, ArrayLike],
        human: Mapping[str, ArrayLike] | None = None,
        directions: Mapping[str, Direction] | None = None,
        is_empty: Sequence[bool] | None = None,
    ) -> ScoreTable:
        """A table made in memory; missing directions are taken from the registry.

        >>> table = ScoreTable.of(["d1", "d2"], ["a", "a"], {"estime": [3, 1]})
        >>> table.signed("estime").tolist()
        [-3.0, -1.0]
        """
        columns = {label: _floats(column) for label, column in values.items()}
        return ScoreTable(
            grid=Grid.of(doc_ids, systems),
            values=columns,
            human={name: _floats(column) for name, column in (human or {}).items()},
            directions={c: direction_of(c) for c in columns} | dict(directions or {}),
            measures=tuple(c for c in columns if not is_part(c, columns)),
            bounds=_known_bounds(columns, {}),
            is_empty=np.array(is_empty or [False] * len(doc_ids), dtype=bool),
        )

    @staticmethod
    def read(path: str | Path, format: Format | None = None) -> ScoreTable:
        """Read scores that we have written, a file or a directory, or a table like these."""
        rows, unreadable = _rows(str(path), format)
        about = read_metadata(str(path))
        signatures = about.get("signatures", {})
        # A measure of a package that is not installed here is known from the file alone.
        known = about.get("directions", {})
        numbers, texts = _columns(rows)
        human = {c.removeprefix(_HUMAN): v for c, v in numbers.items() if c.startswith(_HUMAN)}
        values = {c: v for c, v in numbers.items() if not c.startswith(_HUMAN)}
        measures = [c for c in values if c in signatures] or [
            c for c in values if not is_part(c, values)
        ]
        return ScoreTable(
            grid=Grid.of(
                [str(_or(row.get("doc_id"), f"row {at}")) for at, row in enumerate(rows, 1)],
                [str(_or(row.get("system"), "")) for row in rows],
            ),
            values=values,
            human=human,
            directions={c: known[c] if c in known else direction_of(c) for c in values},
            measures=tuple(measures),
            signatures=signatures,
            name=str(path),
            texts=texts,
            bounds=_known_bounds(values, about.get("bounds", {})),
            is_empty=np.array([row.get("status") == "empty" for row in rows], dtype=bool),
            unreadable=unreadable,
        )

    def __len__(self) -> int:
        return len(self.grid)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of `values`: the measures first, then their parts."""
        return (*self.measures, *(c for c in self.values if c not in self.measures))

    @property
    def notes(self) -> list[str]:
        """Notes to show below statistics of this table."""
        notes = []
        if count := self.grid.repeated:
            have = "has" if count == 1 else "have"
            notes.append(
                f"{plural(count, 'row')} {have} the same document and system as another; "
                "all are counted."
            )
        if self.unreadable:
            are = "is" if self.unreadable == 1 else "are"
            notes.append(f"{plural(self.unreadable, 'row')} could not be read and {are} left out.")
        if self.empty:
            skipped = [c for c in self.measures if self.directions.get(c) == "neither"]
            notes += empty_notes(self.empty_summaries, self.empty, skipped)
        return notes

    def notes_on(self, columns: Iterable[str]) -> list[str]:
        """The same notes, and how many values each system lacks in some columns."""
        notes = self.notes
        for column in columns:
            lacking = {name or "(none)": n for name, n in self.missing(column).items() if n}
            if lacking:
                counts = ", ".join(f"{name} {count}" for name, count in lacking.items())
                notes.append(f"{column}: {sum(lacking.values())} values missing ({counts}).")
        return notes

    @property
    def empty_summaries(self) -> dict[str, int]:
        """How many summaries of each system are empty."""
        counts = np.bincount(self.grid.system[self.is_empty], minlength=len(self.grid.systems))
        return dict(zip(self.grid.systems, counts.tolist(), strict=True))

    def missing(self, column: str) -> dict[str, int]:
        """How many values of a column each system lacks: rows without a value, and whole documents.

        >>> table = ScoreTable.of(["1", "1", "2"], ["a", "b", "a"], {"chrf": [3, 5, math.nan]})
        >>> table.missing("chrf")
        {'a': 1, 'b': 1}
        """
        grid, unknown = self.grid, ~np.isfinite(self.values[column])
        rows = np.bincount(grid.system[unknown], minlength=len(grid.systems))
        has = np.zeros((len(grid.systems), len(grid.documents)), dtype=bool)
        has[grid.system, grid.doc] = True
        counts = rows + (~has).sum(axis=1)
        return dict(zip(grid.systems, counts.tolist(), strict=True))

    def with_empty(self, empty: Empty) -> ScoreTable:
        """This table with the values that empty summaries count as.

        With `worst` that is the worst possible value: the lower end of a measure's bounds where
        higher is better, the upper end where lower is. Where that end is infinite or not known
        (counts, parts), it is the worst value in the table. Columns where neither direction is
        better, and all columns with `skip`, keep no value there. Rows that could not be read are
        always left out.

        >>> values = {"chrf": [30, math.nan], "estime": [7, math.nan], "length": [9, math.nan]}
        >>> table = ScoreTable.of(["1", "2"], ["a", "a"], values, is_empty=[False, True])
        >>> {c: v.tolist() for c, v in table.with_empty("worst").values.items()}
        {'chrf': [30.0, 0.0], 'estime': [7.0, 7.0], 'length': [9.0, nan]}
        """
        check_empty(empty)
        if empty == "skip" or not self.is_empty.any():
            return replace(self, empty=empty)
        values = {}
        for column, own in self.values.items():
            known = own[np.isfinite(own)]
            seen = (float(known.min()), float(known.max())) if len(known) else UNBOUNDED
            bounds = self.bounds.get(column, UNBOUNDED)
            worst = worst_value(self.directions.get(column, "neither"), bounds, seen)
            values[column] = np.where(self.is_empty & ~np.isfinite(own), worst, own)
        return replace(self, values=values, empty=empty)

    def signed(self, column: str) -> Floats:
        """The values of a column so that higher is better: negated where lower is."""
        values = self.values[column]
        return -values if self.lower(column) else values

    def lower(self, column: str) -> bool:
        """Whether lower is better in a column."""
        return self.directions.get(column) == "lower"

    def select(self, specs: str | Iterable[str] = "") -> list[str]:
        """The columns in a list, by label, spec, group or unique prefix; all measures by default.

        >>> table = ScoreTable.of(["d"], ["a"], {"chrf": [0.5], "estime": [3], "estime.soft": [1]})
        >>> table.select(), table.select("chr,estime.so")
        (['chrf', 'estime'], ['chrf', 'estime.soft'])
        """
        given = split_specs(specs) if isinstance(specs, str) else list(specs)
        if not given and not self.measures:
            raise ReadError(f"{self.name} has no scores of a measure")
        found = [c for spec in given for c in self._named(spec)] if given else self.measures
        return list(dict.fromkeys(found))

    def qualities(self, names: str | Iterable[str] = "") -> list[str]:
        """The human qualities in a list, by name or unique prefix; all by default."""
        given = names.split(",") if isinstance(names, str) else list(names)
        given = [name.strip().removeprefix(_HUMAN) for name in given if name.strip()]
        if not self.human:
            raise ReadError(
                f"{self.name} has no human scores: no column begins with 'human.'",
                "they are written if the examples that are scored have them",
                argument="human_columns",
            )
        found = [_one(name, self.human, self.name, "human score") for name in given]
        return list(dict.fromkeys(found or self.human))

    def _named(self, spec: str) -> list[str]:
        if spec in self.values:
            return [spec]
        if spec in self.texts:
            raise ReadError(
                f"{self.name}: the column '{spec}' is not numbers: '{self.texts[spec]}'"
            )
        try:
            labels = [measure.label for measure in get_measures(spec)]
        except SpecError:
            labels = []
        if labels and all(label in self.values for label in labels):
            return labels
        if spec in GROUPS:
            members = [c for c in self.measures if c.startswith(spec)]
            if members:
                return members
        near = [c for c in self.measures if c.startswith(spec)]
        return [_one(spec, near or self.columns, self.name, "measure", self.measures)]


def _one(
    name: str, known: Iterable[str], where: str, what: str, shown: Iterable[str] | None = None
) -> str:
    known = list(known)
    near = [name] if name in known else [k for k in known if k.startswith(name)]
    if len(near) == 1:
        return near[0]
    if near:
        raise ReadError(f"'{name}' may be {_list(near)} of {where}; write more of the name")
    raise ReadError(f"{where} has no {what} '{name}'; it has: {_list(shown or known)}")


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def is_part(column: str, columns: Iterable[str]) -> bool:
    """Whether it is `label.part` of another column; `b=0.7` is a setting, not a part of `b=0`."""
    return any(
        column.startswith(f"{label}.") and not column[len(label) + 1 :][:1].isdigit()
        for label in columns
    )


def _known_bounds(
    columns: Iterable[str], recorded: Mapping[str, Sequence[float | None]]
) -> dict[str, Bounds]:
    """The bounds of the columns that are measures; those that a file records come first."""
    found: dict[str, Bounds] = {}
    for column in columns:
        if column in recorded:
            low, high = recorded[column]
            found[column] = (
                -math.inf if low is None else low,
                math.inf if high is None else high,
            )
            continue
        with suppress(TricoloreError):
            found[column] = get_measure(column).bounds
    return found


def _floats(column: ArrayLike) -> Floats:
    made = np.array(column, dtype=float)
    made[~np.isfinite(made)] = np.nan
    return made


def _or(value: Any, other: str) -> Any:
    return other if value is None or value == "" else value


def _rows(path: str, format: Format | None) -> tuple[list[dict[str, Any]], int]:
    """The rows of readable examples, and the number of other rows."""
    rows = []
    unreadable = 0
    for record in _records(path, format):
        for name in ("doc_id", "system", "status"):
            if isinstance(record.get(name), list | dict | UnusableValue):
                words = "a list or an object" if not isinstance(record[name], UnusableValue) else ""
                raise ReadError(f"{path}: the column '{name}' is {words or record[name]}")
        if is_scored(record):
            rows.append(record)
        else:
            unreadable += 1
    if not rows:
        raise ReadError(f"{path} has no scores")
    return rows, unreadable


def is_scored(record: Mapping[str, Any]) -> bool:
    """Whether a row is in the table: it is not if `score` could not read its example."""
    return bool(record.get("doc_id")) or any(v not in (None, "") for v in _cells(record))


def score_records(path: str, format: Format | None = None) -> Iterator[dict[str, Any]]:
    """The rows of scores; text that was protected from spreadsheets is as it was before."""
    for file in score_files(path):
        yield from _file_records(file, format)


def _file_records(path: str, format: Format | None) -> Iterator[dict[str, Any]]:
    records = Records(path, format)
    is_text = records.format in ("csv", "tsv")
    if is_text and read_metadata(path).get(CSV_FORMULAS) == "protect":
        for record in records.complete():
            yield {
                name: unprotected(cell) if isinstance(cell, str) else cell
                for name, cell in record.items()
            }
    else:
        yield from records.complete()


def _records(path: str, format: Format | None) -> Iterable[dict[str, Any]]:
    try:
        yield from score_records(path, format)
    except ReadError as error:
        if error.argument != "encoding":
            raise
        raise ReadError(error.problem, "save it as UTF-8") from error


def _cells(record: Mapping[str, Any]) -> Iterable[Any]:
    return (value for name, value in record.items() if _may_be_value(name))


def _may_be_value(name: str) -> bool:
    return name not in _NOT_VALUES and not is_evidence(name)


def _columns(rows: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Floats], dict[str, str]]:
    """The columns of numbers; for each other column, the first cell that is not a number."""
    names = dict.fromkeys(name for row in rows for name in row if _may_be_value(name))
    numbers: dict[str, Floats] = {}
    texts: dict[str, str] = {}
    for name in names:
        cells = [row.get(name) for row in rows]
        try:
            numbers[name] = _floats([_number(cell) for cell in cells])
        except (TypeError, ValueError, OverflowError):
            texts[name] = next(str(cell)[:40] for cell in cells if not _is_number(cell))
    return numbers, texts


def _number(cell: Any) -> float:
    return math.nan if cell is None or cell == "" else float(cell)


def _is_number(cell: Any) -> bool:
    try:
        _number(cell)
    except (TypeError, ValueError, OverflowError):
        return False
    return True
