"""Which system is better by which measure, and whether the difference is significant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from tricolore.api.running import names_of
from tricolore.api.score_tables import ScoresOrFile, settled_table
from tricolore.arguments import check_arguments
from tricolore.data.empty import Empty
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError
from tricolore.meta.holm import holm
from tricolore.meta.permutation import default_permutations
from tricolore.meta.system_tests import SystemComparison, SystemRank, ranking
from tricolore.meta.system_tests import compare_system_pairs as compare_by_measure
from tricolore.report.answers import comparison_answers
from tricolore.report.result_table import OutputFormat, ResultTable
from tricolore.report.statistics import TitledTable, difference_table, pair_table, ranking_table


@dataclass(frozen=True)
class ComparisonResult:
    """Systems compared by measures, on the documents that all of them have a value for.

    `comparisons` has every pair of systems and `rankings` the systems from the best, both by
    measure. In a notebook it shows the answer in words and the main table.
    """

    scores: ScoreTable
    """The values that were compared; empty summaries are settled."""
    systems: Sequence[str]
    measures: Sequence[str]
    comparisons: Mapping[str, Sequence[SystemComparison]]
    rankings: Mapping[str, Sequence[SystemRank]]
    alpha: float
    permutations: int
    """The number of random permutations of each test."""

    @property
    def table(self) -> ResultTable:
        """Two systems: one row per measure. More: one row per system, with its ranks."""
        lower = {name for name in self.measures if self.scores.lower(name)}
        neither = {name for name in self.measures if self._is_neutral(name)}
        if len(self.systems) == 2:
            _, sheet = difference_table(self._pairs, self.rankings, lower, neither, self.alpha)
        else:
            _, sheet = ranking_table(self.rankings, self.comparisons, lower, neither, self.alpha)
        sheet.notes += self.scores.notes
        return sheet

    @property
    def pairs(self) -> ResultTable:
        """One row per pair of systems and measure, with everything that is known of it."""
        _, sheet = pair_table(self._pairs, self.rankings, self.scores.empty_summaries)
        sheet.notes += self.scores.notes
        return sheet

    def sheets(self, form: OutputFormat = "table", *, pairs: bool = False) -> list[TitledTable]:
        """The tables with their titles: csv and json get the pairs, other formats the main table.

        Args:
            form: What the tables will be written as.
            pairs: Whether to list every pair below a ranking as well.
        """
        if form in ("csv", "json"):
            return [("", self.pairs)]
        if not pairs or len(self.systems) == 2:
            return [("", self.table)]
        table = self.table  # the notes on the scores belong below the last table
        table.notes = table.notes[: len(table.notes) - len(self.scores.notes)]
        return [("", table), ("Every pair", self.pairs)]

    @property
    def answer(self) -> str:
        """The result in words."""
        return " ".join(self.answers)

    @property
    def answers(self) -> list[str]:
        """The result in sentences."""
        return comparison_answers(
            self.comparisons, self.rankings, self.systems, self.scores.directions, self.alpha
        )

    def to_json(self) -> list[dict[str, Any]]:
        """The rows of `pairs` as plain values."""
        return self.pairs.to_json()

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.answer)}</p>\n{self.table.html()}"

    @property
    def _pairs(self) -> list[SystemComparison]:
        return [one for measure in self.measures for one in self.comparisons[measure]]

    def _is_neutral(self, measure: str) -> bool:
        return self.scores.directions.get(measure) == "neither"


def compare(
    scores: ScoresOrFile,
    *,
    systems: str | Sequence[str] = (),
    measures: str | Sequence[str] = "",
    empty: Empty | None = None,
    alpha: float = 0.05,
    resamples: int = 10_000,
    permutations: int = 0,
    seed: int = 0,
) -> ComparisonResult:
    """Compare systems by measures: differences paired by document, and a ranking.

    All systems are compared on the documents that each of them has a value for. P-values are
    those of a paired permutation test. Holm's correction is for all pairs of systems within a
    measure; with two systems, for the measures.

    Args:
        scores: The path of a score file, a table of scores, or the result of `evaluate`.
        systems: The systems to compare; all if none are named.
        measures: The measures to compare them by, by label or its beginning; all if not given.
        empty: How an empty summary counts: as the worst possible value ("worst", the default)
            or not at all ("skip").
        alpha: Significance level.
        resamples: Number of bootstrap resamples for the intervals.
        permutations: Number of random permutations; 0 means as many as resamples, and at least
            50 per test.
        seed: Seed of the random resampling.

    >>> docs, systems = [str(n // 2) for n in range(12)], ["a", "b"] * 6
    >>> values = {"coverage": [0.9, 0.5, 0.8, 0.6] * 3}
    >>> found = compare(ScoreTable.of(docs, systems, values), resamples=999)
    >>> found.answer
    'a is better than b by coverage, by 0.300 [0.233, 0.367].'
    """
    check_arguments(compare, locals())
    table = settled_table(scores, empty)
    columns, names = table.select(measures), _systems(table, names_of(systems))
    # Two systems: one test per measure; more: one per pair.
    tests = len(columns) if len(names) == 2 else len(names) * (len(names) - 1) // 2
    permutations = permutations or default_permutations(tests, resamples)
    found = {
        column: compare_by_measure(
            table, column, names, resamples=resamples, permutations=permutations, seed=seed
        )
        for column in columns
    }
    if not any(one.documents for each in found.values() for one in each):
        listed = ", ".join(name or "(none)" for name in names)
        raise ReadError(
            f"{table.name}: {listed} share no document with a value of {', '.join(columns)}",
            "systems are compared on the same documents: give rows of one document the same doc_id",
        )
    if len(names) == 2:
        found = _corrected_for_measures(found)
    rankings = {column: ranking(table, column, found[column], alpha) for column in columns}
    return ComparisonResult(table, names, columns, found, rankings, alpha, permutations)


def _systems(table: ScoreTable, asked: Sequence[str]) -> list[str]:
    known = table.grid.systems
    for name in asked:
        if name not in known:
            raise ReadError(f"{table.name} has no system '{name}'; it has: {', '.join(known)}")
    names = list(asked or known)
    if len(names) < 2:
        raise ReadError(f"{table.name}: two systems are needed to compare, not {len(names)}")
    return names


def _corrected_for_measures(
    found: Mapping[str, Sequence[SystemComparison]],
) -> dict[str, list[SystemComparison]]:
    """Two systems by many measures: the correction is for the measures."""
    corrected = holm([one.p for [one] in found.values()])
    return {
        column: [replace(one, corrected=float(p))]
        for (column, [one]), p in zip(found.items(), corrected, strict=True)
    }
