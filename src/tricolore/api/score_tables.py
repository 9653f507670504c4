"""What the use cases take as scores: a file, a table, or the result of `evaluate`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tricolore.api.evaluate import Evaluation
from tricolore.data.empty import Empty
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError, TricoloreError
from tricolore.example import Unreadable

ScoresOrFile = str | Path | ScoreTable | Evaluation
"""The path of a score file, a table of scores, or the result of `evaluate`."""


def settled_table(scores: ScoresOrFile, empty: Empty | None = None) -> ScoreTable:
    """The table of scores, with the values that empty summaries count as.

    Without `empty`, a table that already has such values stays as it is; otherwise empty summaries
    get the worst possible value.

    >>> table = ScoreTable.of(["1"], ["a"], {"chrf": [float("nan")]}, is_empty=[True])
    >>> settled_table(table).values["chrf"].tolist()
    [0.0]
    """
    if isinstance(scores, Evaluation):
        unreadable = sum(isinstance(result.example, Unreadable) for result in scores.results)
        table = replace(scores.table, unreadable=unreadable)
        return table.with_empty(empty or "worst")
    table = scores if isinstance(scores, ScoreTable) else ScoreTable.read(scores)
    if table.empty is None:
        return table.with_empty(empty or "worst")
    if empty not in (None, table.empty):
        raise TricoloreError(
            f"empty summaries of {table.name} count as '{table.empty}' already, not '{empty}'",
            "give the table as it was before that",
            argument="empty",
        )
    return table


def one_human_score(table: ScoreTable, asked: str = "") -> str:
    """The name of the requested human score, or of the only one."""
    names = table.qualities(asked)
    if len(names) > 1:
        raise ReadError(
            f"{table.name} has several human scores: {', '.join(names)}",
            "choose one of them",
            argument="human",
        )
    return names[0]


def check_systems(table: ScoreTable) -> None:
    """Raise an error if there are no systems to rank: one only, or none that is named."""
    if len(table.grid.systems) < 2:
        raise ReadError(
            f"{table.name} has one system only: a system-level correlation needs several"
        )
