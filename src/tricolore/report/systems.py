"""The mean of every measure for every system, with its interval, computed in one pass."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tricolore.data.empty import (
    UNBOUNDED,
    Bounds,
    Empty,
    check_empty,
    empty_notes,
    has_worst,
    worst_value,
)
from tricolore.example import Example, Unreadable
from tricolore.measure import Measure
from tricolore.meta.intervals import FEW, interval, poisson_weights, too_few_note
from tricolore.meta.numeric.system_pairs import Pooled, with_empty
from tricolore.report.result_table import ARROWS, Number, ResultTable
from tricolore.score import Score

ScoredRow = tuple[Example, Mapping[str, Score]]

_AT_ONCE = 256
_TRUNCATED = "a text of which only the beginning was read"
_LANGUAGE = {
    "spaced": "a text without spaces between words, which it cannot split into words",
    "english": "a text that is not English, which it was not made for",
    "any": "a text in a language that one of its terms was not made for",
}


@dataclass(frozen=True)
class SystemValue:
    """One system's value by one measure.

    `count` rows are in the value, `empty` of them as empty summaries with the worst value;
    `missing` rows are not. `documents` have a value; they are counted up to five, which are enough
    for an interval.
    """

    value: float
    low: float
    high: float
    count: int
    missing: int
    empty: int = 0
    documents: int = FEW

    @property
    def has_interval(self) -> bool:
        """Whether there are enough documents for an interval."""
        return not math.isnan(self.low)


@dataclass(frozen=True)
class SystemNumber(Number):
    """A system's value by a measure."""

    @property
    def words(self) -> str:
        """The value as text for readers."""
        return "no value" if math.isnan(self.value) else super().words


@dataclass
class _Sums:
    # One row as it is, then one per resample; columns for count, empty, value and the parts.
    sums: NDArray[np.float64]
    documents: set[str] = field(default_factory=set)
    missing: int = 0


class SystemTable:
    """Means and 95 % intervals by system and measure, by a Poisson bootstrap over documents.

    An empty summary has the worst possible value of a measure, as in `ScoreTable.with_empty`,
    unless `empty` is "skip". Memory does not grow with the number of rows.
    """

    def __init__(
        self,
        measures: Sequence[Measure],
        *,
        empty: Empty = "worst",
        seed: int = 0,
        resamples: int = 1000,
    ):
        check_empty(empty)
        self.measures = list(measures)
        self.empty = empty
        self.rows: Counter[str] = Counter()
        self.empty_summaries: Counter[str] = Counter()
        self._seed = seed
        self._resamples = resamples
        self._flags: Counter[tuple[str, str]] = Counter()
        self._sums: dict[str, dict[str, _Sums]] = {}
        self._observed: dict[str, Bounds] = {}
        self._waiting: list[ScoredRow] = []

    def add(self, example: Example | Unreadable, scores: Mapping[str, Score]) -> None:
        """Add one row. Unreadable rows belong to no system."""
        if isinstance(example, Unreadable):
            return
        self.rows[example.system] += 1
        self.empty_summaries[example.system] += _is_empty(example)
        for label, score in scores.items():
            self._flags.update((label, flag) for flag in score.flags)
        self._waiting.append((example, scores))
        if len(self._waiting) >= _AT_ONCE:
            self._settle()

    @property
    def systems(self) -> list[str]:
        """The systems, in order of their names."""
        self._settle()
        return sorted(self._sums)

    def cell(self, system: str, measure: Measure) -> SystemValue:
        """The mean of a measure for a system."""
        self._settle()
        kept = self._sums[system][measure.label]
        columns = dict(zip(_columns(measure), kept.sums.T, strict=True))
        pooled: Pooled = measure.pooled
        missing, empty = kept.missing, int(kept.sums[0, 1])
        worst = self._worst(measure)
        if empty and math.isfinite(worst):
            pooled = with_empty(pooled, worst)
        else:  # they are left out
            columns["count"] = columns["count"] - columns["empty"]
            missing, empty = missing + empty, 0
        with np.errstate(all="ignore"):
            values = np.asarray(pooled(columns), dtype=float)
        documents = min(len(kept.documents), FEW)
        low, high = interval(values[1:], of=documents)
        count = int(columns["count"][0])
        return SystemValue(float(values[0]), low, high, count, missing, empty, documents)

    def _worst(self, measure: Measure) -> float:
        if self.empty == "skip":
            return math.nan
        observed = self._observed.get(measure.label, UNBOUNDED)
        return worst_value(measure.direction, measure.bounds, observed)

    def table(self) -> ResultTable:
        """Systems as rows, measures as columns; the notes say what is missing or not a mean."""
        cells = {m.label: [self.cell(name, m) for name in self.systems] for m in self.measures}
        has_empty = any(self.empty_summaries.values())
        heads = [f"{m.label} {ARROWS[m.direction]}".strip() for m in self.measures]
        table = ResultTable(["system", *heads, "rows", *(["empty"] if has_empty else [])])
        for at, name in enumerate(self.systems):
            row = [cells[measure.label][at] for measure in self.measures]
            figures = (SystemNumber(c.value, c.low, c.high, missing=c.missing) for c in row)
            empty = [self.empty_summaries[name]] if has_empty else []
            table.add(name or "(all)", *figures, self.rows[name], *empty)
        table.notes = self._notes([cell for row in cells.values() for cell in row])
        return table

    def _notes(self, cells: Sequence[SystemValue]) -> list[str]:
        notes = []
        pooled = [measure.label for measure in self.measures if measure.is_pooled]
        if any(cell.has_interval for cell in cells):
            fewest = min(cell.documents for cell in cells if cell.has_interval)
            note = f" {too_few_note(fewest).capitalize()}." if too_few_note(fewest) else ""
            value = "Value" if pooled else "Mean"
            notes.append(f"{value} [95 % interval, bootstrap over documents].{note}")
        if pooled:
            joined = ", ".join(pooled)
            notes.append(f"Not a mean, but of all rows of a system together: {joined}.")
        skipped = [measure.label for measure in self.measures if measure.direction == "neither"]
        empties = {name: self.empty_summaries[name] for name in self.systems}
        unbounded = {
            measure.label: self._worst(measure)
            for measure in self.measures
            if measure.label not in skipped and not has_worst(measure.direction, measure.bounds)
        }
        return [*notes, *empty_notes(empties, self.empty, skipped, unbounded), *self._flag_notes()]

    def _flag_notes(self) -> list[str]:
        """Notes on measures with doubtful values, and why."""
        notes = []
        total = self.rows.total()
        for measure in self.measures:
            for flag, words in (
                ("truncated", _TRUNCATED),
                ("language", _LANGUAGE[measure.language]),
            ):
                if count := self._flags[measure.label, flag]:
                    have = "has" if count == 1 else "have"
                    notes.append(f"{measure.label}: {count} of {total} rows {have} {words}.")
        return notes

    def _settle(self) -> None:
        rows, self._waiting = self._waiting, []
        if not rows:
            return
        documents = sorted({example.doc_id for example, _ in rows})
        drawn = poisson_weights(documents, resamples=self._resamples, seed=self._seed)
        drawn = np.hstack([np.ones((len(documents), 1)), drawn])
        at = {document: place for place, document in enumerate(documents)}
        for system in sorted({example.system for example, _ in rows}):
            of_system = [row for row in rows if row[0].system == system]
            weight = drawn[[at[example.doc_id] for example, _ in of_system]]
            for measure in self.measures:
                self._add(system, measure, of_system, weight)

    def _add(
        self, system: str, measure: Measure, rows: Sequence[ScoredRow], weight: NDArray[np.float64]
    ) -> None:
        width = len(_columns(measure))
        kept = self._sums.setdefault(system, {}).setdefault(
            measure.label, _Sums(np.zeros((self._resamples + 1, width)))
        )
        table = np.array([_line(scores[measure.label], measure) for _, scores in rows])
        empty = np.array([_is_empty(example) for example, _ in rows])
        table[empty] = [1.0, 1.0] + [0.0] * (width - 2)
        sound = np.isfinite(table[:, 2])
        kept.missing += int((~sound).sum())
        kept.sums += weight[sound].T @ np.nan_to_num(table[sound])
        self._observe(measure.label, table[sound & ~empty, 2])
        if self.empty == "skip" or measure.direction == "neither":
            sound = sound & ~empty
        if len(kept.documents) < FEW:
            kept.documents.update(_documents(rows, sound))

    def _observe(self, label: str, values: NDArray[np.float64]) -> None:
        """Remember the lowest and the highest value of all systems."""
        if len(values):
            low, high = self._observed.get(label, (math.inf, -math.inf))
            self._observed[label] = min(low, float(values.min())), max(high, float(values.max()))


def _columns(measure: Measure) -> list[str]:
    return ["count", "empty", "value", *measure.part_names]


def _line(score: Score, measure: Measure) -> list[float]:
    parts = (score.parts.get(part, np.nan) for part in measure.part_names)
    return [1.0, 0.0, score.value, *parts]


def _is_empty(example: Example) -> bool:
    return not example.summary.strip()


def _documents(rows: Sequence[ScoredRow], sound: NDArray[np.bool_]) -> Iterable[str]:
    documents = (example.doc_id for (example, _), good in zip(rows, sound, strict=True) if good)
    return list(dict.fromkeys(documents))[:FEW]
