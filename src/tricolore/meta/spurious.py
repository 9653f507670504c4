"""Does a measure follow length or copying more than quality? (Importance paper, A.1.)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tricolore.arrays import Floats
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError, SpecError, did_you_mean
from tricolore.meta.choices import Level, Statistic
from tricolore.meta.levels import Agreement, agreement
from tricolore.registry import get_measures

CORRELATES = ("coverage", "density", "compression", "length", "novelty")
"""Measures of how a summary was made rather than of how good it is (Durmus et al. 2022)."""


@dataclass(frozen=True)
class Spurious:
    """A measure's correlation with human scores and with what should not matter."""

    column: str
    human: Mapping[str, Agreement]
    correlates: Mapping[str, Agreement]

    @property
    def best(self) -> float:
        """The strongest correlation with human scores, of either sign; NaN if none is known."""
        known = [abs(found.value) for found in self.human.values() if found.n]
        return max((value for value in known if value == value), default=float("nan"))

    def is_higher(self, correlate: str) -> bool:
        """Whether the measure correlates with this more than with any human score."""
        return abs(self.correlates[correlate].value) > self.best


def scored_columns(table: ScoreTable, given: Sequence[str]) -> list[str]:
    """The columns that specs name; the error for one that is not there says how to score it."""
    for spec in given:
        try:
            table.select([spec])
        except ReadError as error:
            if spec in table.texts or any(column.startswith(spec) for column in table.columns):
                raise  # not a column of numbers, or the beginning of several names
            raise ReadError(*_advice(table, spec, given)) from error
    return table.select(given)


def _advice(table: ScoreTable, spec: str, given: Sequence[str]) -> tuple[str, str]:
    """What is wrong with a spec that no column has, and what to do about it."""
    problem = f"{table.name} has no column '{spec}'"
    try:
        get_measures(spec)
    except SpecError as error:
        return problem, did_you_mean(spec, table.columns, str(error)).removeprefix("; ")
    return problem, f"score it too: tricolore score … -m {','.join(given)},…"


def correlate_columns(table: ScoreTable, given: Sequence[str] = ()) -> list[str]:
    """The columns of the spurious correlates: those given, or all known ones in the table."""
    if given:
        return scored_columns(table, given)
    found = [c for c in table.measures if c.partition(":")[0] in CORRELATES]
    if not found:
        raise ReadError(
            f"{table.name} has none of {', '.join(CORRELATES)}; score them too: "
            f"tricolore score … -m {','.join(CORRELATES)},…"
        )
    return found


def spurious(
    table: ScoreTable,
    columns: Sequence[str],
    qualities: Sequence[str],
    correlates: Sequence[str],
    *,
    level: Level = "summary",
    statistic: Statistic = "spearman",
) -> list[Spurious]:
    """Each measure against each human quality and each correlate.

    The measure is taken so that higher is better, the correlates as they are. A correlate is
    not compared with itself.
    """

    def agree(column: str, other: Floats) -> Agreement:
        return agreement(table.signed(column), other, table.grid, level, statistic)

    return [
        Spurious(
            column,
            {quality: agree(column, table.human[quality]) for quality in qualities},
            {other: agree(column, table.values[other]) for other in correlates if other != column},
        )
        for column in columns
    ]
