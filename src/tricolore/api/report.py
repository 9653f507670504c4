"""One HTML file that shows what was judged, the answer in words, the numbers and the examples."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from tricolore.api.agreement import AgreementResult, agreement
from tricolore.api.check import CheckResult
from tricolore.api.compare import ComparisonResult, compare
from tricolore.api.evaluate import Evaluation
from tricolore.api.inputs import inputs_of
from tricolore.api.report_input import ReportInput, report_input
from tricolore.arguments import check_arguments
from tricolore.arrays import Floats
from tricolore.data.atomic import check_target, write_text
from tricolore.data.empty import Empty
from tricolore.data.outputs import reserved
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError, TricoloreError, WriteError
from tricolore.measure import Measure
from tricolore.meta.agreements import MeasureAgreement
from tricolore.meta.system_values import system_estimates
from tricolore.registry import get_measure
from tricolore.report.answers import (
    agreement_answer,
    comparison_answers,
    judged_answer,
    missing_answer,
)
from tricolore.report.charts import Chart, check_charts
from tricolore.report.example_browser import JudgedRow, browser_page_data, static_examples
from tricolore.report.example_sample import sampled
from tricolore.report.html_report import MeasureNotes, ReportContent, report_html
from tricolore.report.measure_pages import markdown_html, measure_page, page_extract, page_name
from tricolore.report.pages import templates
from tricolore.report.result_table import ResultTable
from tricolore.report.sections import (
    ReportSection,
    agreement_section,
    correlates_section,
    distribution_section,
    measures_section,
    system_table,
    systems_chart,
)
from tricolore.report.statistics import TitledTable
from tricolore.text.plural import listed, plural

ReportedScores = (
    str | Path | ScoreTable | Evaluation | CheckResult | ComparisonResult | AgreementResult
)
"""What a report can be about: a score file, a table of scores, or the result of a use case."""

MOST_EXAMPLES = 2000
"""The most examples that a report shows unless it is told otherwise."""

_COPYING = ("coverage", "novelty", "density")
"""Measures of copying, the first one that there is; the first is computed if there is none."""
_LENGTH = "length"
_NAMED = 12
_MOST_PAIRS = 150
"""Rows of the table of all pairs of systems and measures: a longer one is for `compare`."""


@dataclass(frozen=True)
class Report:
    """A finished report."""

    html: str

    def save(self, path: str | Path) -> None:
        """Write the page to a file."""
        write_text(path, self.html)


def report(
    scores: ReportedScores,
    examples: Any = None,
    *,
    output: str | Path = "",
    title: str = "",
    empty: Empty | None = None,
    alpha: float = 0.05,
    most_examples: int = MOST_EXAMPLES,
    seed: int = 0,
) -> Report:
    """Make a self-contained HTML page of scores: answers in words, tables, charts and examples.

    Args:
        scores: The path of a score file, a table of scores, or the result of `evaluate`, `check`,
            `compare` or `agreement`.
        examples: The texts that were scored, for a score file: anything that `evaluate` takes.
            Results of `evaluate` and `check` have their texts.
        output: The file to write; if empty, the page is only returned.
        title: The title of the page.
        empty: How an empty summary counts: as the worst possible value ("worst", the default)
            or not at all ("skip").
        alpha: Significance level.
        most_examples: The most examples that are shown; more are sampled.
        seed: Seed of the random resampling and of the sample of examples.

    >>> from tricolore import evaluate
    >>> rows = [{"source": "A cat sat on a mat.", "summary": "A cat sat.", "system": "a"}]
    >>> page = report(evaluate(rows, "coverage", evidence=True))
    >>> page.html[:15]
    '<!doctype html>'
    """
    check_arguments(report, locals())
    check_report(output)
    inputs = [*inputs_of(scores), *inputs_of(examples)]
    with reserved([(output, "output")] if output else [], inputs):
        judged = report_input(scores, examples, empty)
        made = Report(report_html(_content(judged, title, alpha, most_examples, seed)))
        if output:
            made.save(output)
    return made


def check_report(output: str | Path = "", *, argument: str = "output") -> None:
    """Raise an error if a report cannot be made or written, before anything is computed for it."""
    templates()
    check_charts()
    if str(output) == "-":
        raise WriteError("a report is written to a file, not to standard output", argument=argument)
    if output:
        check_target(output, argument=argument)


def _content(
    judged: ReportInput, title: str, alpha: float, most_examples: int, seed: int
) -> ReportContent:
    table, columns = judged.table, judged.columns
    compared, no_comparison = _comparison(judged, alpha, seed)
    estimates = {column: system_estimates(table, column, seed=seed) for column in columns}
    systems: ResultTable | None = None
    chart: Chart | None = None
    if columns:
        rankings = compared.rankings if compared else {}
        systems = system_table(table, estimates, rankings, _rank_notes(compared))
        chart = systems_chart(table, estimates, [str(row[0]) for row in systems.rows])
    agreed = _agreement(judged, seed)
    table, correlates, note = _with_correlates(judged)
    sections = [distribution_section(table, columns)] if columns else []
    if len(columns) > 1:
        sections.append(measures_section(table, columns))
    if agreed:
        partial = _partial(table, columns, correlates, agreed, seed)
        sections.append(agreement_section(agreed.entries, partial))
    sections.append(_correlates(table, columns, correlates, note))
    examples = [
        JudgedRow(row.number, row.example, row.scores)
        for row in judged.rows
        if row.example is not None
    ]
    shown, sample_note = sampled(examples, most_examples, seed)
    directions = {column: table.directions.get(column, "neither") for column in columns}
    missing = {column: int((~np.isfinite(table.values[column])).sum()) for column in columns}
    lost = missing_answer(missing, len(table))
    return ReportContent(
        title=title or _title(judged),
        judged=judged_answer(
            len(table), len(table.grid.documents), table.grid.systems, judged.columns
        ),
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, tricolore {version('tricolore')}",
        facts=_facts(judged),
        answers=[
            *_comparison_words(compared),
            *judged.findings,
            *([agreement_answer(agreed.entries)] if agreed else []),
        ],
        warnings=list(filter(None, [no_comparison, lost, *judged.warnings])),
        systems=systems,
        systems_chart=chart,
        differences=_differences(compared),
        sections=sections,
        browser=browser_page_data(shown, directions),
        static_examples=static_examples(shown, directions),
        example_notes=list(filter(None, [sample_note, judged.lacking])),
        measures=[_notes(judged, column) for column in columns],
        settings=_settings(judged, compared, alpha, seed),
    )


def _comparison(
    judged: ReportInput, alpha: float, seed: int
) -> tuple[ComparisonResult | None, str]:
    """The comparison of the systems, or why there is none."""
    if judged.comparison:
        return judged.comparison, ""
    if len(judged.table.grid.systems) < 2 or not judged.columns:
        return None, ""
    try:
        return compare(judged.table, measures=judged.columns, alpha=alpha, seed=seed), ""
    except ReadError as error:
        return None, f"The systems are not compared: {error.problem}."


def _rank_notes(compared: ComparisonResult | None) -> list[str]:
    """What a rank is; the notes on the differences of two systems are below their table."""
    if compared is None:
        return []
    if len(compared.systems) > 2:
        return compared.table.notes
    note = "A system has rank 2 if the other one is significantly better, or has more where neither"
    return [f"{note} way is better (below {compared.alpha:g}).", *compared.scores.notes]


def _comparison_words(compared: ComparisonResult | None) -> list[str]:
    """The comparison in one paragraph; who is longest or newest is no answer among many systems."""
    if compared is None:
        return []
    directions = compared.scores.directions
    judging = {
        measure: places
        for measure, places in compared.rankings.items()
        if len(compared.systems) == 2 or directions.get(measure, "neither") != "neither"
    }
    said = comparison_answers(
        compared.comparisons, judging, compared.systems, directions, compared.alpha
    )
    return [" ".join(said)] if said else []


def _differences(compared: ComparisonResult | None) -> TitledTable | None:
    """Two systems by every measure; or every pair, if there are few."""
    if compared is None:
        return None
    if len(compared.systems) == 2:
        return "Differences", compared.table
    pairs = compared.pairs
    return ("Every pair of systems", pairs) if len(pairs.rows) <= _MOST_PAIRS else None


def _agreement(judged: ReportInput, seed: int) -> AgreementResult | None:
    if judged.agreement or not judged.table.human or not judged.columns:
        return judged.agreement
    return agreement(judged.table, measures=judged.columns, seed=seed)


def _partial(
    table: ScoreTable,
    columns: Sequence[str],
    correlates: Sequence[str],
    agreed: AgreementResult,
    seed: int,
) -> Sequence[MeasureAgreement]:
    """What is left of the correlations with human scores without copying and length."""
    others = [column for column in columns if column not in correlates]
    if agreed.control or not others or not correlates or agreed.statistics[0] != "spearman":
        return ()
    level = agreed.entries[0].level
    qualities = list(dict.fromkeys(entry.quality for entry in agreed.entries))
    found = agreement(table, qualities, measures=others, level=level, control=correlates, seed=seed)
    return found.entries


def _with_correlates(judged: ReportInput) -> tuple[ScoreTable, list[str], str]:
    """The table with columns of copying and length, their names, and how they were found."""
    table = judged.table
    found: list[str] = []
    computed: dict[str, Floats] = {}
    for names in ((_LENGTH,), _COPYING):
        known = [c for name in names for c in table.measures if c.partition(":")[0] == name]
        if known:
            found.append(known[0])
        elif judged.has_texts:
            measure = get_measure(names[0])
            computed[measure.label] = judged.values_of(measure)
            found.append(measure.label)
    values = {**table.values, **computed}
    note = f"{listed(list(computed))}: computed from the texts for this page." if computed else ""
    return replace(table, values=values), found, note


def _correlates(
    table: ScoreTable, columns: Sequence[str], correlates: Sequence[str], note: str
) -> ReportSection:
    if correlates:
        meanings = {column: _meaning(column) for column in correlates}
        return correlates_section(table, columns, meanings, [note] if note else [])
    lead = [
        "The scores have neither length nor a measure of copying, and the texts are not here. "
        "Score coverage and length, too, or give the examples."
    ]
    return ReportSection("correlates", "Length and copying", lead)


def _meaning(column: str) -> str:
    words = get_measure(column).meaning
    return words[:1].lower() + words[1:]


def _title(judged: ReportInput) -> str:
    return f"Report on {Path(judged.name).name}" if judged.name else "Report on summaries"


def _facts(judged: ReportInput) -> list[tuple[str, str]]:
    table = judged.table
    named = [name for name in table.grid.systems if name]
    shown = ", ".join(named[:_NAMED])
    if len(named) > _NAMED:
        shown += f" and {len(named) - _NAMED} more"
    facts = [
        ("Systems", shown),
        ("Measures", ", ".join(judged.columns)),
        ("Human scores", ", ".join(table.human)),
    ]
    return [(name, words) for name, words in facts if words]


def _notes(judged: ReportInput, column: str) -> MeasureNotes:
    direction = judged.table.directions.get(column, "neither")
    measure = judged.measures.get(column)
    signature = judged.signatures.get(column)
    if measure is None:
        return MeasureNotes(column, direction, signature=signature)
    return MeasureNotes(
        column,
        direction,
        measure.meaning,
        measure.follows,
        markdown_html(page_extract(_page(measure))),
        signature,
    )


def _page(measure: Measure) -> str:
    try:
        return measure_page(page_name(measure.label))
    except TricoloreError:  # one without a page, or of a package that is not installed here
        return ""


def _settings(
    judged: ReportInput, compared: ComparisonResult | None, alpha: float, seed: int
) -> list[tuple[str, str]]:
    settings = [
        ("tricolore", version("tricolore")),
        ("Python", platform.python_version()),
        *((name, version(name)) for name in ("numpy", "scipy")),
        ("empty summaries", judged.table.empty or "worst"),
        ("seed", str(seed)),
        ("intervals of means", "95 %, Poisson bootstrap over documents, 1000 resamples"),
    ]
    if compared:
        tests = (
            f"paired permutation test, {plural(compared.permutations, 'permutation')}, Holm's "
            f"correction, significant below {compared.alpha:g}"
        )
        settings.append(("tests of systems", tests))
    return settings
