"""What a report is about, whatever it was made from: rows, values, and results that are known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tricolore.api.agreement import AgreementResult
from tricolore.api.check import CheckCounts, CheckResult
from tricolore.api.checked import CheckedSummary
from tricolore.api.compare import ComparisonResult
from tricolore.api.evaluate import Evaluation
from tricolore.api.score_tables import settled_table
from tricolore.arrays import Floats
from tricolore.data.empty import Empty
from tricolore.data.results import StoredRow, stored_rows
from tricolore.data.score_table import ScoreTable
from tricolore.errors import TricoloreError
from tricolore.example import Example, Unreadable
from tricolore.measure import Measure
from tricolore.registry import get_measure
from tricolore.report.answers import finding_answer
from tricolore.run.run import Result, Scores
from tricolore.run.table import results_table
from tricolore.score import Score

_NO_TEXTS = (
    "The texts are not part of the scores. To see them here, make the report with the examples "
    "that were scored: tricolore report SCORES --examples FILE."
)
_NO_EVIDENCE = (
    "The score file has no evidence, so nothing is marked in the texts. To see it, score again "
    "with evidence: tricolore score FILE -o SCORES --evidence."
)
_NO_EVIDENCE_IN_MEMORY = (
    "The scores have no evidence, so nothing is marked in the texts: evaluate with evidence=True."
)
_FOUND_IN_PARTS = {
    "numbers": "unsupported_numbers",
    "contradicted": "contradicted_numbers",
    "names": "unsupported_names",
}
"""Parts of scores that count findings, by the word for them in an answer."""


@dataclass(frozen=True)
class ReportInput:
    """Scores of summaries: a table whose empty summaries are settled, and its rows in order."""

    name: str
    """The name of what was judged, such as a path; may be empty."""
    table: ScoreTable
    rows: Sequence[StoredRow]
    """One per row of the table."""
    columns: Sequence[str]
    """The measures to report on."""
    measures: Mapping[str, Measure]
    """The measures that are known here, by label."""
    signatures: Mapping[str, Mapping[str, Any]]
    """What the values depend on, by label, as far as it was recorded."""
    lacking: str = ""
    """What is not known about the examples, and how to get it."""
    findings: Sequence[str] = ()
    """What was found in the summaries, in words."""
    warnings: Sequence[str] = ()
    comparison: ComparisonResult | None = None
    agreement: AgreementResult | None = None

    @property
    def has_texts(self) -> bool:
        """Whether the texts of any row are known."""
        return any(row.example is not None for row in self.rows)

    def values_of(self, measure: Measure) -> Floats:
        """The values of another measure, from the texts; NaN where there are none."""
        known = [(at, row.example) for at, row in enumerate(self.rows) if row.example is not None]
        values = np.full(len(self.rows), math.nan)
        scores = measure.score([example for _, example in known])
        values[[at for at, _ in known]] = [score.value for score in scores]
        return values


def report_input(scores: Any, examples: Any = None, empty: Empty | None = None) -> ReportInput:
    """The rows, values and results of anything that a report can be about."""
    if isinstance(scores, str | Path):
        return _of_file(str(scores), examples, empty)
    if examples is not None:
        raise TricoloreError(
            "examples are for a score file: these scores have their own texts, or none",
            argument="examples",
        )
    if isinstance(scores, Evaluation):
        results = [r for r in scores if not isinstance(r.example, Unreadable)]
        table = settled_table(scores, empty or scores.empty)
        return _of_results(results, scores.measures, table, scores.summary.problem_lines)
    if isinstance(scores, CheckResult):
        return _of_check(scores, empty)
    if isinstance(scores, ComparisonResult):
        return _of_table(scores.scores, scores.measures, comparison=scores)
    if isinstance(scores, AgreementResult):
        columns = list(dict.fromkeys(entry.measure for entry in scores.entries))
        return _of_table(scores.scores, columns, agreement=scores)
    table = settled_table(scores, empty)
    return _of_table(table, table.select())


def _of_file(path: str, examples: Any, empty: Empty | None) -> ReportInput:
    table = settled_table(path, empty)
    columns = table.select()
    rows = [row for row in stored_rows(path, examples, columns) if row.is_in_table]
    measures = _known(columns)
    has_evidence = any(score.evidence for row in rows for score in row.scores.values())
    lacking = "" if has_evidence else _NO_EVIDENCE
    if examples is None:
        lacking = _NO_TEXTS
    findings = _findings(rows, measures.values(), table)
    return ReportInput(path, table, rows, columns, measures, table.signatures, lacking, findings)


def _of_results(
    results: Sequence[Result],
    measures: Sequence[Measure],
    table: ScoreTable,
    warnings: Sequence[str] = (),
    numbers: Sequence[int] = (),
) -> ReportInput:
    rows = [
        StoredRow(
            number,
            result.example.doc_id,
            result.example.system,
            result.scores,
            result.example if isinstance(result.example, Example) else None,
        )
        for number, result in zip(numbers or range(1, len(results) + 1), results, strict=True)
    ]
    known = {measure.label: measure for measure in measures}
    has_evidence = any(score.evidence for row in rows for score in row.scores.values())
    lacking = "" if has_evidence else _NO_EVIDENCE_IN_MEMORY
    findings = _findings(rows, measures, table)
    signatures = {measure.label: measure.signature() for measure in measures}
    return ReportInput("", table, rows, list(known), known, signatures, lacking, findings, warnings)


def _of_check(found: CheckResult, empty: Empty | None) -> ReportInput:
    if len(found.summaries) < found.counts.rows:
        raise TricoloreError(
            f"only {len(found.summaries)} of {found.counts.rows} summaries were kept",
            "check without `keep`",
        )
    label = found.measure.label
    known = sorted(found.summaries, key=lambda one: one.row)
    known = [one for one in known if not isinstance(one.example, Unreadable)]
    results = [Result(one.example, Scores({label: one.score})) for one in known]
    table = results_table(results, [found.measure]).table.with_empty(empty or "worst")
    numbers = [one.row for one in known]
    lines = list(filter(None, [found.failure_line]))
    return _of_results(results, [found.measure], table, [*lines, found.explanation], numbers)


def _of_table(
    table: ScoreTable,
    columns: Sequence[str],
    comparison: ComparisonResult | None = None,
    agreement: AgreementResult | None = None,
) -> ReportInput:
    grid = table.grid
    rows = [
        StoredRow(
            at + 1,
            grid.documents[grid.doc[at]],
            grid.systems[grid.system[at]],
            {column: _score(float(table.values[column][at])) for column in columns},
        )
        for at in range(len(table))
    ]
    measures = _known(columns)
    return ReportInput(
        table.name if table.name != "the table" else "",
        table,
        rows,
        columns,
        measures,
        table.signatures,
        _NO_TEXTS,
        _findings(rows, measures.values(), table),
        comparison=comparison,
        agreement=agreement,
    )


def _score(value: float) -> Score:
    return Score.missing("there is no value") if math.isnan(value) else Score(value)


def _known(columns: Iterable[str]) -> dict[str, Measure]:
    """The measures that labels name; a column of another tool names none."""
    found: dict[str, Measure] = {}
    for column in columns:
        with suppress(TricoloreError):
            found[column] = get_measure(column)
    return found


def _findings(
    rows: Sequence[StoredRow], measures: Iterable[Measure], table: ScoreTable
) -> list[str]:
    """What measures that look for numbers and names have found, in one sentence each."""
    said = []
    for measure in measures:
        if not measure.finds:
            continue
        label = measure.label
        scored = [row for row in rows if label in row.scores]
        if any(row.scores[label].evidence for row in scored):
            counts = CheckCounts()
            for row in scored:
                example = row.example or Unreadable("", row.doc_id, row.system)
                counts.add(CheckedSummary(row.number, example, row.scores[label]))
            said.append(finding_answer(counts.summaries, counts.checked, counts.not_checked))
        elif f"{label}.{_FOUND_IN_PARTS['numbers']}" in table.values:
            said.append(_finding_of_parts(table, label))
    return said


def _finding_of_parts(table: ScoreTable, label: str) -> str:
    """The same from the counts among the parts of a score, which have no sentences and words."""
    known = ~table.is_empty & np.isfinite(table.values[f"{label}.{_FOUND_IN_PARTS['numbers']}"])
    found = {
        word: int((table.values[column][known] > 0).sum())
        for word, part in _FOUND_IN_PARTS.items()
        if (column := f"{label}.{part}") in table.values
    }
    checked = int(known.sum())
    return finding_answer(found, checked, len(table) - checked)
