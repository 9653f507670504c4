"""The mean of every measure for every system, with its interval, gathered in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tricolore.example import Example, Unreadable
from tricolore.measure import Measure
from tricolore.meta.intervals import FEW, interval, weights
from tricolore.score import Score

Row = tuple[Example, Mapping[str, Score]]

_AT_ONCE = 256


@dataclass(frozen=True)
class Cell:
    """What is known of one system by one measure.

    `documents` have a value; they are counted up to five, from where on an interval says much.
    """

    value: float
    low: float
    high: float
    count: int
    missing: int
    documents: int = FEW


@dataclass
class _Sums:
    # One row as it is, then one a resample; a column each for count, value and the parts.
    sums: NDArray[np.float64]
    documents: set[str] = field(default_factory=set)
    missing: int = 0


class SystemTable:
    """Means and 95 % intervals by system and measure, by a Poisson bootstrap over documents.

    What is kept does not grow with the number of rows.
    """

    def __init__(self, measures: Sequence[Measure], *, seed: int = 0, resamples: int = 1000):
        self.measures = list(measures)
        self._seed = seed
        self._resamples = resamples
        self._sums: dict[str, dict[str, _Sums]] = {}
        self._waiting: list[Row] = []
        self.unreadable = 0

    def add(self, example: Example | Unreadable, scores: Mapping[str, Score]) -> None:
        """Take one row in. Unreadable ones belong to no system and are only counted."""
        if isinstance(example, Unreadable):
            self.unreadable += 1
            return
        self._waiting.append((example, scores))
        if len(self._waiting) >= _AT_ONCE:
            self._settle()

    @property
    def systems(self) -> list[str]:
        """The systems, in order of their names."""
        self._settle()
        return sorted(self._sums)

    def cell(self, system: str, measure: Measure) -> Cell:
        """The mean of a measure for a system."""
        self._settle()
        kept = self._sums[system][measure.label]
        columns = dict(zip(_columns(measure), kept.sums.T, strict=True))
        with np.errstate(all="ignore"):
            values = np.asarray(measure.pooled(columns), dtype=float)
        documents = min(len(kept.documents), FEW)
        low, high = interval(values[1:], of=documents)
        return Cell(float(values[0]), low, high, int(kept.sums[0, 0]), kept.missing, documents)

    def _settle(self) -> None:
        rows, self._waiting = self._waiting, []
        if not rows:
            return
        documents = sorted({example.doc_id for example, _ in rows})
        drawn = weights(documents, resamples=self._resamples, seed=self._seed)
        drawn = np.hstack([np.ones((len(documents), 1)), drawn])
        at = {document: place for place, document in enumerate(documents)}
        for system in sorted({example.system for example, _ in rows}):
            mine = [row for row in rows if row[0].system == system]
            weight = drawn[[at[example.doc_id] for example, _ in mine]]
            for measure in self.measures:
                self._add(system, measure, mine, weight)

    def _add(
        self, system: str, measure: Measure, rows: Sequence[Row], weight: NDArray[np.float64]
    ) -> None:
        width = len(_columns(measure))
        kept = self._sums.setdefault(system, {}).setdefault(
            measure.label, _Sums(np.zeros((self._resamples + 1, width)))
        )
        table = np.array([_line(scores[measure.label], measure) for _, scores in rows])
        sound = np.isfinite(table[:, 1])
        kept.missing += int((~sound).sum())
        kept.sums += weight[sound].T @ np.nan_to_num(table[sound])
        if len(kept.documents) < FEW:
            kept.documents.update(_documents(rows, sound))


def _columns(measure: Measure) -> list[str]:
    return ["count", "value", *measure.part_names]


def _line(score: Score, measure: Measure) -> list[float]:
    return [1.0, score.value, *(score.parts.get(part, np.nan) for part in measure.part_names)]


def _documents(rows: Sequence[Row], sound: NDArray[np.bool_]) -> Iterable[str]:
    found = (example.doc_id for (example, _), good in zip(rows, sound, strict=True) if good)
    return list(dict.fromkeys(found))[:FEW]
