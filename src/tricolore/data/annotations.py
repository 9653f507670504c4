"""Scores of single annotators, if a file has them: the key `annotations`.

{"overall": [2, 3, 3]}                               annotators without names, by position
{"overall": [{"annotator": 5, "score": 2}, ...]}     annotators with names
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricolore.data.json_lines import write_json_lines
from tricolore.data.records import Records
from tricolore.data.unusable import UnusableValue
from tricolore.errors import ReadError
from tricolore.example import Example

Label = float | str
Rating = tuple[str, Label]
"""An annotator and the score: a number, or a label of a scale."""


@dataclass(frozen=True)
class Judged:
    """An example and the single judgements that its human scores are the means of."""

    example: Example
    annotations: Mapping[str, Sequence[Rating]]

    def to_json(self) -> dict[str, Any]:
        """The example as a row of our JSON Lines."""
        row = self.example.to_json()
        if self.annotations:
            row["annotations"] = {
                quality: [{"annotator": who, "score": score} for who, score in ratings]
                for quality, ratings in self.annotations.items()
            }
        return row


def judged(annotations: Mapping[str, Sequence[Rating]], **texts: Any) -> Judged:
    """An example whose human scores are the means of the annotations."""
    means = {
        quality: sum(float(score) for _, score in ratings) / len(ratings)
        for quality, ratings in annotations.items()
        if ratings
    }
    return Judged(Example(human=means, **texts), annotations)


def write_judged(rows: Iterable[Judged], target: str | Path) -> str:
    """Write the rows as JSON Lines, whole or not at all, and return a one-line description."""
    documents, systems, human = list[str](), set[str](), dict[str, None]()

    def plain() -> Iterator[dict[str, Any]]:
        for row in rows:
            documents.append(row.example.doc_id)
            systems.add(row.example.system)
            human.update(dict.fromkeys(row.example.human))
            yield row.to_json()

    write_json_lines(plain(), target)
    named = f", {len(systems)} systems" if systems - {""} else ""
    return (
        f"{len(documents)} summaries of {len(set(documents))} documents{named}; "
        f"human: {', '.join(human) or 'none'}"
    )


@dataclass(frozen=True)
class AnnotatorTable:
    """The judgements of one quality: file rows × annotators, NaN where there is none."""

    people: list[str]
    scores: NDArray[np.float64]
    """The mean if an annotator judged the same summary twice."""


def read_annotators(
    data: str | Iterable[Any],
    quality: str,
    *,
    values: Mapping[str, float] | None = None,
    name: str = "the data",
) -> AnnotatorTable:
    """The judgements of a quality in a file, or in rows; `values` gives the numbers of labels.

    Annotators are sorted by name, numbers as numbers. `name` is what errors call the rows; a file
    has its own.
    """
    records = Records(data) if isinstance(data, str) else data
    if isinstance(records, Records):
        name = records.name
    rows: list[list[Rating]] = []
    known: dict[str, None] = {}
    for record in records:
        given = record.get("annotations") if isinstance(record, dict) else None
        if isinstance(given, UnusableValue):
            raise ReadError(f"the 'annotations' of {name} are {given} in a row")
        if isinstance(given, dict):
            known.update(dict.fromkeys(given))
        rows.append(list(_ratings(given.get(quality), quality)) if isinstance(given, dict) else [])
    if quality not in known:
        has = f"it has {', '.join(known)}" if known else "it has no 'annotations'"
        raise ReadError(f"{name} has no single judgements of '{quality}'", has)
    return _table(rows, values)


def _ratings(given: object, quality: str) -> Iterable[Rating]:
    if isinstance(given, UnusableValue):
        raise ReadError(f"the judgements of '{quality}' are {given} in a row")
    if not isinstance(given, list):
        return
    for at, rating in enumerate(given, 1):
        if isinstance(rating, dict):
            if "annotator" not in rating or "score" not in rating:
                raise ReadError(
                    f"a judgement of '{quality}' is {rating}; wanted are annotator and score"
                )
            yield str(rating["annotator"]), _usable(rating["score"], quality)
        elif rating is not None:
            yield str(at), _usable(rating, quality)


def _usable(score: Any, quality: str) -> Any:
    if isinstance(score, UnusableValue | list | dict):
        what = score if isinstance(score, UnusableValue) else "a list or an object, not a number"
        raise ReadError(f"a judgement of '{quality}' is {what}")
    return score


def _table(rows: Sequence[Sequence[Rating]], values: Mapping[str, float] | None) -> AnnotatorTable:
    people = sorted({who for ratings in rows for who, _ in ratings}, key=_by_number)
    at = {who: place for place, who in enumerate(people)}
    sums, counts = np.zeros((len(rows), len(people))), np.zeros((len(rows), len(people)))
    for row, ratings in enumerate(rows):
        for who, label in ratings:
            score = _score(label, values)
            if math.isfinite(score):
                sums[row, at[who]] += score
                counts[row, at[who]] += 1
    with np.errstate(invalid="ignore"):
        return AnnotatorTable(people, sums / counts)


def _score(label: Label | None, values: Mapping[str, float] | None) -> float:
    if label is None:
        return math.nan
    if values is not None:
        word = _word(label)
        if word not in values:
            raise ReadError(
                f"the label '{word}' has no value; there are values for {', '.join(values)}"
            )
        return values[word]
    try:
        return float(label)
    except (TypeError, ValueError, OverflowError):
        raise ReadError(f"the label '{label}' is not a number; say what it counts") from None


def _word(label: Label) -> str:
    # 2.0 and 2 are the same label.
    is_whole = isinstance(label, float) and label.is_integer()
    return str(int(label)) if is_whole else str(label)


def _by_number(who: str) -> tuple[int, float, str]:
    is_number = who.removeprefix("-").isdecimal()
    return (0, float(who), who) if is_number else (1, 0.0, who)
