"""The mean of every measure for every system, with its interval, computed in one pass."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tricolore.arrays import Floats
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
from tricolore.report.system_rows import SystemRows, pooled_parts
from tricolore.report.system_sums import MeasureSums
from tricolore.score import Score

ScoredRow = tuple[Example, Mapping[str, Score]]

_AT_ONCE = 256
_SHOWN = 100
"""Systems that are shown on a screen."""
_TRUNCATED = "a text of which only the beginning was read"
_CASE = (
    "a summary without capital letters, unlike its source, and its model is cased: "
    "consider lowercase=true"
)
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


@dataclass(frozen=True, slots=True)
class SystemNumber(Number):
    """A system's value by a measure."""

    @property
    def words(self) -> str:
        """The value as text for readers."""
        return "no value" if math.isnan(self.value) else super(SystemNumber, self).words


class SystemTable:
    """Means and 95 % intervals by system and measure, by a Poisson bootstrap over documents.

    An empty summary has the worst possible value of a measure, as in `ScoreTable.with_empty`,
    unless `empty` is "skip". Memory does not grow with the number of rows. It hardly grows with the
    number of systems either: where `memory` bytes are not enough for the resamples of all systems,
    there are no intervals. With `note_correlates`, a note says which columns follow copying or
    length more than quality.
    """

    def __init__(
        self,
        measures: Sequence[Measure],
        *,
        empty: Empty = "worst",
        seed: int = 0,
        resamples: int = 1000,
        memory: int = 1 << 27,
        note_correlates: bool = True,
    ):
        check_empty(empty)
        self._notes_correlates = note_correlates
        self.measures = list(measures)
        self.empty = empty
        self.rows: Counter[str] = Counter()
        self.empty_summaries: Counter[str] = Counter()
        self._flags: Counter[tuple[str, str]] = Counter()
        self._index: dict[str, int] = {}
        self._sums = {m.label: MeasureSums(len(_columns(m)), resamples) for m in self.measures}
        self._observed: dict[str, Bounds] = {}
        self._waiting: list[ScoredRow] = []
        self._seed = seed
        self._resamples = resamples
        per_system = sum(8 * resamples * len(_columns(measure)) for measure in self.measures)
        self._most_with_intervals = memory // max(1, per_system)

    def add(self, example: Example | Unreadable, scores: Mapping[str, Score]) -> None:
        """Add one row. Unreadable rows belong to no system."""
        if isinstance(example, Unreadable):
            return
        self._waiting.append((example, scores))
        if len(self._waiting) >= _AT_ONCE:
            self._settle()

    def add_rows(self, rows: SystemRows) -> None:
        """Add rows that are given by column."""
        self._settle()
        self._add_up(rows)

    @property
    def systems(self) -> list[str]:
        """The systems, in order of their names."""
        self._settle()
        return sorted(self._index)

    @property
    def has_intervals(self) -> bool:
        """Whether there are few enough systems for intervals."""
        self._settle()
        return len(self._index) <= self._most_with_intervals

    def cell(self, system: str, measure: Measure) -> SystemValue:
        """The mean of a measure for a system."""
        column = self._column(measure, [system])
        return SystemValue(
            float(column.values[0]),
            float(column.low[0]),
            float(column.high[0]),
            int(column.count[0]),
            int(column.missing[0]),
            int(column.empty[0]),
            int(column.documents[0]),
        )

    def _column(self, measure: Measure, systems: Sequence[str]) -> _SystemValues:
        """The means of a measure for systems."""
        self._settle()
        kept = self._sums[measure.label]
        places = [self._index[system] for system in systems]
        sums, missing = kept.totals[places], kept.missing[places]
        count, empty = sums[:, 0], sums[:, 1]
        if not math.isfinite(self._worst(measure)):  # empty summaries are left out
            count, missing, empty = count - empty, missing + empty, np.zeros_like(empty)
        column = _SystemValues(self._pooled(measure, sums), count, missing, empty)
        if self.has_intervals:
            for at, place in enumerate(places):
                column.documents[at] = documents = min(len(kept.documents[place]), FEW)
                resampled = self._pooled(measure, kept.resampled[place])
                column.low[at], column.high[at] = interval(resampled, of=documents)
        return column

    def _pooled(self, measure: Measure, sums: Floats) -> Floats:
        """The values of rows of sums."""
        columns = dict(zip(_columns(measure), sums.T, strict=True))
        pooled: Pooled = measure.pooled
        worst = self._worst(measure)
        if math.isfinite(worst):
            pooled = with_empty(pooled, worst)
        else:
            columns["count"] = columns["count"] - columns["empty"]
        with np.errstate(all="ignore"):
            return np.asarray(pooled(columns), dtype=float)

    def _worst(self, measure: Measure) -> float:
        if self.empty == "skip":
            return math.nan
        observed = self._observed.get(measure.label, UNBOUNDED)
        return worst_value(measure.direction, measure.bounds, observed)

    def table(self) -> ResultTable:
        """Systems as rows, measures as columns; the notes say what is missing or not a mean."""
        systems = self.systems
        columns = [self._column(measure, systems) for measure in self.measures]
        has_empty = any(self.empty_summaries.values())
        heads = [f"{m.label} {ARROWS[m.direction]}".strip() for m in self.measures]
        table = ResultTable(["system", *heads, "rows", *(["empty"] if has_empty else [])])
        table.shown_rows = _SHOWN
        for at, name in enumerate(systems):
            figures = [column.number(at) for column in columns]
            empty = [self.empty_summaries[name]] if has_empty else []
            table.add(name or "(all)", *figures, self.rows[name], *empty)
        table.notes = self._notes(columns)
        return table

    def _notes(self, columns: Sequence[_SystemValues]) -> list[str]:
        notes = []
        pooled = [measure.label for measure in self.measures if measure.is_pooled]
        counts = [int(n) for c in columns for n in c.documents[~np.isnan(c.low)]]
        if counts:
            few = too_few_note(min(counts))
            value = "Value" if pooled else "Mean"
            note = f" {few.capitalize()}." if few else ""
            notes.append(f"{value} [95 % interval, bootstrap over documents].{note}")
        elif not self.has_intervals:
            most = self._most_with_intervals
            notes.append(f"Without intervals, which are computed for at most {most} systems here.")
        if pooled:
            joined = ", ".join(pooled)
            notes.append(f"Not a mean, but of all rows of a system together: {joined}.")
        skipped = [measure.label for measure in self.measures if measure.direction == "neither"]
        empties = {name: self.empty_summaries[name] for name in sorted(self.empty_summaries)}
        unbounded = {
            measure.label: self._worst(measure)
            for measure in self.measures
            if measure.label not in skipped and not has_worst(measure.direction, measure.bounds)
        }
        notes += empty_notes(empties, self.empty, skipped, unbounded)
        return [*notes, *self._flag_notes(), *self._correlate_notes()]

    def _correlate_notes(self) -> list[str]:
        """Notes on columns with an arrow that describe a summary rather than judge it."""
        notes = []
        for correlate in ("copying", "length") if self._notes_correlates else ():
            followers = [
                measure.label
                for measure in self.measures
                if measure.follows == correlate and measure.direction != "neither"
            ]
            if followers:
                follow = "follows" if len(followers) == 1 else "follow"
                notes.append(f"{', '.join(followers)} {follow} {correlate} more than quality.")
        return notes

    def _flag_notes(self) -> list[str]:
        """Notes on measures with doubtful values, and why."""
        notes = []
        total = self.rows.total()
        for measure in self.measures:
            for flag, words in (
                ("truncated", _TRUNCATED),
                ("language", _LANGUAGE[measure.language]),
                ("case", _CASE),
            ):
                if count := self._flags[measure.label, flag]:
                    have = "has" if count == 1 else "have"
                    notes.append(f"{measure.label}: {count} of {total} rows {have} {words}.")
        return notes

    def _settle(self) -> None:
        """Add the rows that wait to the sums."""
        rows, self._waiting = self._waiting, []
        if rows:
            self._add_up(SystemRows.of(rows, self.measures))

    def _add_up(self, rows: SystemRows) -> None:
        self.rows.update(rows.systems)
        self.empty_summaries.update(np.array(rows.systems, dtype=object)[rows.is_empty].tolist())
        self._flags.update(rows.flags)
        for system in rows.systems:
            self._index.setdefault(system, len(self._index))
        places = np.array([self._index[system] for system in rows.systems])
        weights = None
        if len(self._index) <= self._most_with_intervals:
            distinct = sorted(set(rows.documents))
            drawn = poisson_weights(distinct, resamples=self._resamples, seed=self._seed)
            at = {document: place for place, document in enumerate(distinct)}
            weights = drawn[[at[document] for document in rows.documents]]
        empty = rows.is_empty
        for measure in self.measures:
            values = rows.values[measure.label]
            table = np.column_stack([np.ones(len(values)), np.zeros(len(values)), values])
            table[empty] = [1.0, 1.0] + [0.0] * (table.shape[1] - 2)
            sound = np.isfinite(table[:, 2])
            self._observe(measure.label, table[sound & ~empty, 2])
            sums = self._sums[measure.label]
            sums.add(len(self._index), places, np.nan_to_num(table), sound)
            if weights is None:
                sums.forget_resamples()
                continue
            skips = self.empty == "skip" or measure.direction == "neither"
            with_value = sound & ~empty if skips else sound
            sums.resample(places, np.nan_to_num(table), sound, weights)
            sums.note_documents(places, rows.documents, with_value)

    def _observe(self, label: str, values: Floats) -> None:
        """Remember the lowest and the highest value of all systems."""
        if len(values):
            low, high = self._observed.get(label, (math.inf, -math.inf))
            self._observed[label] = min(low, float(values.min())), max(high, float(values.max()))


@dataclass
class _SystemValues:
    """What one measure says of systems: one entry per system."""

    values: Floats
    count: Floats
    missing: Floats
    empty: Floats
    low: Floats = field(init=False)
    high: Floats = field(init=False)
    documents: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.low, self.high = (np.full(len(self.values), np.nan) for _ in range(2))
        self.documents = np.zeros(len(self.values))

    def number(self, at: int) -> SystemNumber:
        value, missing = float(self.values[at]), int(self.missing[at])
        if np.isnan(self.low[at]):
            return SystemNumber(value, missing=missing)
        return SystemNumber(value, float(self.low[at]), float(self.high[at]), missing=missing)


def _columns(measure: Measure) -> list[str]:
    return ["count", "empty", "value", *pooled_parts(measure)]
