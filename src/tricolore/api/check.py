"""Which summaries say what their source does not, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal, get_args

from tricolore.api.checked import CheckCriteria, CheckedSummary, CheckVerdict
from tricolore.api.run_summary import cache_line
from tricolore.api.running import CacheChoice, ProgressChoice, notes_on_columns, scoring
from tricolore.arguments import check_arguments
from tricolore.data.columns import Columns
from tricolore.data.json_lines import to_json_text
from tricolore.errors import SpecError, TricoloreError
from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.registry import get_measure
from tricolore.report.answers import finding_answer
from tricolore.report.escaping import markdown_paragraph
from tricolore.report.evidence import print_findings
from tricolore.report.findings import findings_markdown
from tricolore.report.notebook import NotebookExample, evidence_html
from tricolore.report.painting import painted
from tricolore.report.result_table import ResultTable
from tricolore.report.systems import SystemTable
from tricolore.report.terminal import SafeConsole
from tricolore.run.engine import Engine
from tricolore.score import SpanItem
from tricolore.text.plural import plural

CheckFormat = Literal["table", "markdown", "json"]
"""The forms of the output."""

SCHEMA = 1
"""Version of what `CheckResult.to_json` returns: raised when a key changes or goes."""

_COLUMNS: dict[str, tuple[SpanItem, ...]] = {
    "contradicted": ("contradicted number",),
    "numbers": ("number", "contradicted number"),
    "names": ("name",),
    "sentences": ("sentence",),
    "words": ("word",),
}
"""What is counted: in how many summaries there is one of these items."""
_VERDICTS: tuple[CheckVerdict, ...] = get_args(CheckVerdict)
_LOOKED_FOR: dict[SpanItem, str] = {
    "number": "numbers and dates",
    "name": "names",
    "word": "content words",
    "sentence": "the nearest passage to each sentence",
}
_CANNOT = (
    "Not checked: negations, who did what to whom, order and causes. A summary in which nothing "
    "was found can still be wrong, and what was found can be right: look at the passages."
)


@dataclass
class CheckCounts:
    """How many summaries were checked, and how many of them have what."""

    rows: int = 0
    not_checked: int = 0
    failures: int = 0
    listed: int = 0
    """Summaries in which something was found, or that were checked and fail."""
    verdicts: Counter[CheckVerdict] = field(default_factory=Counter)
    items: Counter[SpanItem] = field(default_factory=Counter)
    """The number of items of each kind in all summaries."""
    summaries: Counter[str] = field(default_factory=Counter)
    """The summaries with at least one item, by `numbers`, `names` and so on."""
    systems: Counter[tuple[str, str]] = field(default_factory=Counter)
    """The same for each system."""

    @property
    def checked(self) -> int:
        """The number of summaries that were checked."""
        return self.rows - self.not_checked

    def add(self, one: CheckedSummary) -> None:
        """Count one summary."""
        self.rows += 1
        self.not_checked += bool(one.problem)
        self.failures += one.fails
        self.listed += one.is_listed
        self.verdicts[one.verdict] += 1
        self.items.update(one.counts)
        for column, items in _COLUMNS.items():
            if any(one.counts[item] for item in items):
                self.summaries[column] += 1
                self.systems[one.example.system, column] += 1


@dataclass(frozen=True)
class CheckResult:
    """What was found in summaries, the worst first. In a notebook it shows the worst ten."""

    measure: Measure
    summaries: Sequence[CheckedSummary]
    """The summaries, sorted by `CheckedSummary.badness`; those not checked come last."""
    counts: CheckCounts
    criteria: CheckCriteria
    systems: ResultTable
    """The mean of the measure for every system, and how many of its summaries have what."""
    notes: Sequence[str] = ()
    """What was read from which column, and what may be wrong with it."""
    cache_line: str = ""
    """How much was found in the cache; empty if nothing was."""

    @property
    def answer(self) -> str:
        """The result in one line."""
        counts = self.counts
        return finding_answer(counts.summaries, counts.checked, counts.not_checked)

    @property
    def explanation(self) -> str:
        """What was checked and what cannot be."""
        looked = [words for item, words in _LOOKED_FOR.items() if item in self.measure.finds]
        return f"Checked: {', '.join(looked)}. {_CANNOT}"

    @property
    def failures(self) -> list[CheckedSummary]:
        """The summaries that fail, the worst first."""
        failed = [one for one in self.summaries if one.fails]
        if len(failed) < self.counts.failures:
            raise TricoloreError(
                f"only {len(failed)} of {self.counts.failures} failures were kept",
                "check without `keep`",
            )
        return failed

    @property
    def is_failed(self) -> bool:
        """Whether more summaries fail than may."""
        return self.counts.failures > self.criteria.max_failures

    @property
    def failure_line(self) -> str:
        """How many summaries fail, and how many may; empty if none can."""
        if not self.criteria.is_any:
            return ""
        failed, allowed = self.counts.failures, self.criteria.max_failures
        fail = "fails" if failed == 1 else "fail"
        may = f"at most {allowed} may" if allowed else "none may"
        return f"{failed} of {plural(self.counts.rows, 'row')} {fail}; {may}."

    @property
    def problem_lines(self) -> list[str]:
        """The rows that could not be checked, and why."""
        return [one.heading(self.measure.label) for one in self.summaries if one.problem]

    def worst(self, count: int = 10) -> list[CheckedSummary]:
        """The worst summaries in which something was found, or that fail."""
        return [one for one in self.summaries if one.is_listed][:count]

    def to_json(self) -> dict[str, Any]:
        """Everything as plain values: `summary` has the counts, `summaries` one object each."""
        counts = self.counts
        return {
            "schema": SCHEMA,
            "summary": {
                "answer": self.answer,
                "explanation": self.explanation,
                "rows": counts.rows,
                "checked": counts.checked,
                "not_checked": counts.not_checked,
                "failures": counts.failures,
                "is_failed": self.is_failed,
                "criteria": self.criteria.to_json(),
                "verdicts": {verdict: counts.verdicts[verdict] for verdict in _VERDICTS},
                "summaries_with": {column: counts.summaries[column] for column in _COLUMNS},
                "items": {item: counts.items[item] for item in self.measure.finds},
                "measure": self.measure.label,
                "signature": self.measure.signature(),
            },
            "summaries": [one.to_json() for one in self.summaries],
        }

    def markdown(self, show: int = 10) -> str:
        """The result as Markdown, for example for the summary of a CI job.

        Args:
            show: How many of the worst summaries are shown.
        """
        label = self.measure.label
        parts = [f"**{markdown_paragraph(self.answer)}**"]
        parts += [markdown_paragraph(self.failure_line)] if self.failure_line else []
        parts += [self.systems.cut().markdown()] if len(self.systems.rows) > 1 else []
        parts += [
            findings_markdown(one.heading(label), one.shown(label)) for one in self.worst(show)
        ]
        lines = self._lines_below(show)
        return "\n\n".join([*parts, *map(markdown_paragraph, lines)])

    def write(self, out: SafeConsole, form: CheckFormat = "table", show: int = 10) -> None:
        """Print the result in one of the formats.

        Args:
            out: Where to.
            form: `table` for a terminal, `markdown` or `json`.
            show: How many of the worst summaries are shown; JSON has all that were kept.
        """
        if form == "json":
            out.print_exact(to_json_text(self.to_json(), indent=2))
        elif form == "markdown":
            out.print_exact(self.markdown(show))
        else:
            self._print(out, show)

    def _print(self, out: SafeConsole, show: int) -> None:
        label = self.measure.label
        out.print(self.answer, style="bold", soft_wrap=True)
        if self.failure_line:
            style = "bold red" if self.is_failed else "green"
            out.print(self.failure_line, style=style, soft_wrap=True)
        if len(self.systems.rows) > 1:
            self.systems.write(out, "table")
        out.print()
        for one in self.worst(show):
            print_findings(out, one.heading(label), one.shown(label))
        for line in self._lines_below(show):
            out.print(line, style="dim", soft_wrap=True)

    def _lines_below(self, show: int) -> list[str]:
        """What is not shown, what could not be checked, and what the check is worth."""
        lines = []
        if (rest := self.counts.listed - show) > 0:
            lines.append(f"{plural(rest, 'more summary')} with findings not shown.")
        lines += self.problem_lines[:show]
        if (hidden := self.counts.not_checked - show) > 0:
            lines.append(f"{plural(hidden, 'more row')} could not be checked.")
        notes = self.systems.notes if len(self.systems.rows) <= 1 else []
        return [*lines, *notes, self.explanation]

    def _repr_html_(self) -> str:
        label = self.measure.label
        worst = [
            NotebookExample(
                one.heading(label), one.shown(label).text, painted(one.example, label, one.score)
            )
            for one in self.worst()
            if isinstance(one.example, Example)
        ]
        parts = [f"<p><strong>{escape(self.answer)}</strong></p>", evidence_html(worst)]
        return "\n".join([*parts, f"<p>{escape(self.explanation)}</p>"])

    def __len__(self) -> int:
        return len(self.summaries)


def check(
    data: Any,
    measure: str | Measure = "grounding",
    *,
    fail_on: str | Iterable[str] = "any",
    min_support: float | None = None,
    min_grounding: float | None = None,
    max_failures: int = 0,
    strict: bool = False,
    columns: Columns | Mapping[str, str] | None = None,
    encoding: str = "",
    limit: int | None = None,
    keep: int | None = None,
    cache: CacheChoice = None,
    jobs: int = 1,
    timeout: float | None = None,
    engine: Engine | None = None,
    device: str = "",
    offline: bool = False,
    progress: ProgressChoice = False,
) -> CheckResult:
    """Find what summaries say and their sources do not: numbers, names, words, sentences.

    Args:
        data: Summaries with their sources: anything that `evaluate` takes.
        measure: The measure that looks for them, or its spec.
        fail_on: The items that make a summary fail: `number`, `contradicted` (a number for which
            the source has another value), `name`, `sentence`, `word`, `any`. A list, or a text in
            which they are separated by commas; empty for none.
        min_support: A summary fails if a sentence has less support than this.
        min_grounding: A summary fails if its value is below this.
        max_failures: How many summaries may fail before `is_failed` is true.
        strict: Whether a summary that cannot be checked, such as an empty one, fails.
        columns: Which columns are what, where their names do not tell: {"summary": "abstract"}.
        encoding: Encoding of a text file that is not UTF-8, such as "cp1252".
        limit: Read only the first so many rows.
        keep: Keep only the worst so many summaries in memory; all are counted.
        cache: Where scores are looked up and kept, as in `evaluate`.
        jobs: Number of processes.
        timeout: The seconds that a batch of rows may take, as in `evaluate`.
        engine: Where the work is done, instead of `jobs` processes on this machine.
        device: Where models run: "cpu", "cuda", "mps"; the fastest available one if empty.
        offline: Whether a model that is not on this machine is an error instead of a download.
        progress: How to show progress, or a function, as in `evaluate`.
    """
    check_arguments(check, locals())
    made = measure if isinstance(measure, Measure) else get_measure(measure)
    if not made.finds:
        raise SpecError(
            f"{made.label} does not say which numbers, names or sentences are wrong",
            "check with a measure that does: grounding",
        )
    if min_grounding is not None and made.direction != "higher":
        raise TricoloreError(
            f"min_grounding needs a measure in which higher is better: {made.name}"
        )
    criteria = CheckCriteria.of(made, fail_on, min_support, min_grounding, strict, max_failures)
    with scoring(
        data,
        [made],
        columns=columns,
        encoding=encoding,
        limit=limit,
        evidence=True,
        cache=cache,
        jobs=jobs,
        timeout=timeout,
        engine=engine,
        device=device,
        offline=offline,
        progress=progress,
    ) as scored:
        [final] = scored.run.measures
        systems, counts = SystemTable([final]), CheckCounts()
        kept: list[CheckedSummary] = []
        for row, result in enumerate(scored.results, 1):
            score = result.scores[final.label]
            one = CheckedSummary(row, result.example, score, criteria.reasons(score))
            counts.add(one)
            systems.add(result.example, result.scores)
            kept.append(one)
            if keep is not None and len(kept) >= 2 * keep + 100:
                kept = _worst(kept, keep)
    return CheckResult(
        final,
        _worst(kept, keep),
        counts,
        criteria,
        _system_table(systems, counts, final),
        notes_on_columns(scored.examples),
        cache_line(scored.run.reused, scored.run.scored),
    )


def _worst(summaries: Iterable[CheckedSummary], keep: int | None) -> list[CheckedSummary]:
    """The worst summaries first, and at most so many of those that were and were not checked."""
    ordered = sorted(summaries, key=lambda one: one.badness, reverse=True)
    if keep is None:
        return ordered
    checked = [one for one in ordered if not one.problem][:keep]
    return [*checked, *[one for one in ordered if one.problem][:keep]]


def _system_table(systems: SystemTable, counts: CheckCounts, measure: Measure) -> ResultTable:
    """The means, with how many summaries of each system have what."""
    means = systems.table()
    shown = [column for column, items in _COLUMNS.items() if set(items) & set(measure.finds)]
    name, value, *rest = means.headers
    table = ResultTable([name, *shown, value, *rest], shown_rows=means.shown_rows)
    for system, (first, mean, *others) in zip(systems.systems, means.rows, strict=True):
        found = [counts.systems[system, column] for column in shown]
        table.add(first, *found, mean, *others)
    note = f"{', '.join(shown)}: summaries with such an item that the source does not support."
    table.notes = [note, *means.notes]
    return table
