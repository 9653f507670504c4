"""Results of a run as a table in memory: one column per measure and part."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tricolore.data.score_table import ScoreTable
from tricolore.example import Example, Unreadable
from tricolore.measure import Measure
from tricolore.run.run import Result, Run, Watch


@dataclass(frozen=True)
class ScoredTable:
    """A table with one row per example, and the rows that are not in it."""

    table: ScoreTable
    rows: list[int]
    """The index of each row among the given rows."""
    unreadable: int
    problem: str
    """Why the first missing value is missing; empty if none is."""


def score_table(run: Run, rows: Iterable[Example | Unreadable], watch: Watch = iter) -> ScoredTable:
    """Score examples and keep values, parts and human scores by column.

    >>> run = Run(["coverage"])
    >>> scored = score_table(run, [Example(source="a b", summary="a", human={"q": 2})])
    >>> scored.table.values["coverage"].tolist(), scored.table.human["q"].tolist()
    ([1.0], [2.0])
    """
    results = run.score(rows)  # this also fits the measures that need it
    return results_table(watch(results), run.measures)


def results_table(results: Iterable[Result], measures: Sequence[Measure]) -> ScoredTable:
    """The values, parts and human scores of results by column."""
    kept: list[int] = []
    examples: list[Example] = []
    unreadable, problem = 0, ""
    values: dict[str, list[float]] = {
        name: []
        for measure in measures
        for name in (measure.label, *(f"{measure.label}.{part}" for part in measure.part_names))
    }
    for place, result in enumerate(results):
        if isinstance(result.example, Unreadable):
            unreadable += 1
            continue
        kept.append(place)
        examples.append(result.example)
        for measure in measures:
            score = result.scores[measure.label]
            problem = problem or score.problem or ""
            values[measure.label].append(score.value)
            for part in measure.part_names:
                values[f"{measure.label}.{part}"].append(score.parts.get(part, math.nan))
    qualities = dict.fromkeys(name for example in examples for name in example.human)
    table = ScoreTable.of(
        [example.doc_id for example in examples],
        [example.system for example in examples],
        values,
        {name: [e.human.get(name, np.nan) for e in examples] for name in qualities},
        is_empty=[not example.summary.strip() for example in examples],
    )
    return ScoredTable(table, kept, unreadable, problem)
