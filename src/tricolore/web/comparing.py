"""Systems compared by measures, as the API sends it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tricolore.api.compare import compare
from tricolore.report.systems import SystemTable
from tricolore.run.run import Result, Scores
from tricolore.run.table import results_table
from tricolore.web.catalogue import finite
from tricolore.web.problems import ApiError
from tricolore.web.service import ScorePlan


def check_systems_of(plan: ScorePlan, most: int) -> None:
    """Raise an error unless there are at least two systems, and not too many."""
    systems = {example.system for example in plan.examples}
    if len(systems) > most:
        raise ApiError(
            413, f"there are {len(systems)} systems; a request may have {most}", argument="examples"
        )
    if len(systems) < 2:
        raise ApiError(
            422,
            "two systems are needed to compare",
            "say in `system` what wrote each summary",
            argument="examples",
        )


def comparison_json(
    plan: ScorePlan, results: Sequence[Scores], *, alpha: float, seed: int
) -> dict[str, Any]:
    """Differences of all pairs of systems, ranks, means, and the answer in words."""
    rows = [Result(*row) for row in zip(plan.examples, results, strict=True)]
    means = SystemTable(plan.measures, seed=seed)
    for row in rows:
        means.add(row.example, row.scores)
    found = compare(results_table(rows, plan.measures).table, alpha=alpha, seed=seed)
    table = means.table()
    pairs = [
        {
            "measure": one.measure,
            "first": one.first,
            "second": one.second,
            "documents": one.documents,
            "difference": one.difference,
            "low": one.low,
            "high": one.high,
            "p": one.p,
            "corrected": one.corrected,
            "is_significant": one.significant(alpha),
        }
        for measure in found.measures
        for one in found.comparisons[measure]
    ]
    ranks = [
        {"measure": measure, "system": one.system, "rank": one.rank, "mean": one.value}
        for measure in found.measures
        for one in found.rankings[measure]
    ]
    plain: dict[str, Any] = finite(
        {
            "answer": found.answer,
            "systems": list(found.systems),
            "measures": list(plan.measures_json),
            "pairs": pairs,
            "ranks": ranks,
            "table": table.to_json(),
            "notes": [*table.notes, *found.scores.notes],
        }
    )
    return plain
