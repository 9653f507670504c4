"""Read scores back together with their examples, from two files."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tricolore.data.examples import Examples
from tricolore.data.frames import examples_from
from tricolore.data.metadata import read_metadata
from tricolore.data.score_table import is_part, is_scored, score_records
from tricolore.errors import ReadError
from tricolore.example import Example, Unreadable
from tricolore.score import Score, Span

_OTHERS = {"row", "doc_id", "system", "status", "problem", "flags"}
_NOT_AS_WRITTEN = (
    *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
)
"""What is raised if a cell has another type than `ScoreFile` writes."""


@dataclass(frozen=True)
class StoredRow:
    """One row of a file of scores, with its example if that is given and could be read.

    `is_in_table` says whether `ScoreTable.read` has the row: rows that `score` could not read are
    not in it.
    """

    number: int
    doc_id: str
    system: str
    scores: Mapping[str, Score]
    example: Example | None = None
    is_in_table: bool = True


def read_results(scores: str, examples: Any) -> Iterator[tuple[Example, dict[str, Score]]]:
    """The examples of a file of scores, each with its scores by label, in the file's order.

    `examples` is what was scored: a path, or anything else that `examples_from` takes. The two
    are joined by the column `row`. Rows that could not be read are left out. Evidence is there if
    the scores were written with it. A score without a value has the problem of its whole row.
    """
    for row in stored_rows(scores, examples):
        if row.example is not None:
            yield row.example, dict(row.scores)


def stored_rows(
    scores: str, examples: Any = None, labels: Iterable[str] = ()
) -> Iterator[StoredRow]:
    """The rows of a file of scores, in its order; with their examples if these are given.

    `labels` are the measures whose scores are read: all if none are named. Without examples, a row
    without a number is numbered by its place.
    """
    known = _Rows(examples_from(examples)) if examples is not None else None
    labels = list(labels) or list(read_metadata(scores).get("signatures", {}))
    for place, record in enumerate(score_records(scores), 1):
        number = _row_number(record, scores) if known or record.get("row") else place
        example = known.row(number, scores) if known else None
        if known and example is not None:
            _check(example, record, number, scores, known.name)
        try:
            found = _scores(record, labels or _labels(record))
        except _NOT_AS_WRITTEN as error:
            words = f"the scores of row {number} in {scores} cannot be read: {error}"
            raise ReadError(words) from error
        yield StoredRow(
            number,
            str(record.get("doc_id") or ""),
            str(record.get("system") or ""),
            found,
            example if isinstance(example, Example) else None,
            is_scored(record),
        )


class _Rows:
    """The rows of a collection by number, read only as far as needed."""

    def __init__(self, examples: Examples) -> None:
        self.name = examples.name
        self._rest = iter(examples)
        self._read: list[Example | Unreadable] = []

    def row(self, number: int, scores: str) -> Example | Unreadable:
        while len(self._read) < number:
            following = next(self._rest, None)
            if following is None:
                raise ReadError(
                    f"{scores} has a score of row {number}, but {self.name} has "
                    f"{len(self._read)} rows: they do not belong together"
                )
            self._read.append(following)
        return self._read[number - 1]


def _row_number(record: Mapping[str, Any], scores: str) -> int:
    try:
        number = int(record["row"])
    except (KeyError, TypeError, ValueError, OverflowError):
        number = 0
    if number < 1:
        raise ReadError(f"{scores} is not a file of scores: a row has no number in 'row'")
    return number


def _check(
    example: Example | Unreadable,
    record: Mapping[str, Any],
    number: int,
    scores: str,
    examples: str,
) -> None:
    for name in ("doc_id", "system"):
        scored, here = str(record.get(name) or ""), getattr(example, name)
        if scored != here:
            raise ReadError(
                f"row {number} has {name} '{scored}' in {scores}, but '{here}' in {examples}: "
                "they do not belong together"
            )


def _labels(record: Mapping[str, Any]) -> list[str]:
    """The columns with the values of measures, if no metadata names them."""
    values = [
        name
        for name in record
        if name not in _OTHERS and not name.startswith("human.") and not name.endswith(".evidence")
    ]
    return [name for name in values if not is_part(name, values)]


def _scores(record: Mapping[str, Any], labels: Iterable[str]) -> dict[str, Score]:
    labels = list(labels)
    return {label: _score(record, label, labels) for label in labels if label in record}


def _score(record: Mapping[str, Any], label: str, labels: Iterable[str]) -> Score:
    value = _number(record[label])
    if math.isnan(value):
        return Score.missing(str(record.get("problem") or "there is no value"))
    parts = {
        name[len(label) + 1 :]: _number(cell)
        for name, cell in record.items()
        if is_part(name, [label]) and not name.endswith(".evidence") and name not in labels
    }
    evidence = record.get(f"{label}.evidence") or []
    if isinstance(evidence, str):
        evidence = json.loads(evidence)
    spans = tuple(Span.from_json(span) for span in evidence)
    return Score(value, parts, spans, flags=_flags(record, label))


def _flags(record: Mapping[str, Any], label: str) -> tuple[str, ...]:
    """The flags of one measure among those of a row: `sbert: truncated; estime: language`."""
    for entry in str(record.get("flags") or "").split("; "):
        name, _, found = entry.rpartition(": ")
        if name == label:
            return tuple(found.split(", "))
    return ()


def _number(cell: Any) -> float:
    return math.nan if cell is None or cell == "" else float(cell)
