"""The report of a request, as a page to download."""

from __future__ import annotations

from collections.abc import Sequence

from tricolore.api.evaluate import Evaluation
from tricolore.api.report import report
from tricolore.api.run_summary import RunSummary
from tricolore.report.systems import SystemTable
from tricolore.run.run import Result, Scores
from tricolore.web.service import ScorePlan


def report_page(plan: ScorePlan, results: Sequence[Scores]) -> str:
    """The HTML page that `tricolore.report` makes of the scores of a request."""
    rows = [Result(*row) for row in zip(plan.examples, results, strict=True)]
    systems = SystemTable(plan.measures)
    for row in rows:
        systems.add(row.example, row.scores)
    summary = RunSummary(systems=systems.table(), rows=len(rows))
    return report(Evaluation(rows, plan.measures, summary)).html
