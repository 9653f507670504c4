"""The tables of `tricolore meta`: how well measures agree with human scores."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

from tricolore.meta.agreements import MeasureAgreement
from tricolore.meta.choices import SYMBOLS, Level, Statistic
from tricolore.report.result_table import Cell, Number, ResultTable
from tricolore.report.statistics import MeanNumber, PValue, TitledTable, note_sentences
from tricolore.text.plural import listed, plural


def level_tables(entries: Sequence[MeasureAgreement], by: Statistic) -> list[TitledTable]:
    """One table per quality: measures as rows, one statistic at every level as columns."""
    levels = list(dict.fromkeys(entry.level for entry in entries))
    tables = []
    for quality in dict.fromkeys(entry.quality for entry in entries):
        shown = [e for e in entries if e.quality == quality and e.statistic == by]
        headers = [word for level in levels for word in (f"{level} {SYMBOLS[by]}", "p")]
        if by == "mae":
            headers = [word for word in headers if word != "p"]
        table = ResultTable(["measure", *headers])
        for measure in _ordered(shown, levels[0]):
            cells = [c for e in shown if e.measure == measure for c in _cells(e)]
            table.add(measure, *cells)
        table.notes = _notes(shown)
        tables.append((f"{quality}: {_partial(shown)}{SYMBOLS[by]}{_held(shown)}", table))
    return tables


def statistic_tables(entries: Sequence[MeasureAgreement], by: Statistic) -> list[TitledTable]:
    """One table per quality and level: measures as rows, all statistics as columns."""
    tables = []
    keys = dict.fromkeys((entry.quality, entry.level) for entry in entries)
    for quality, level in keys:
        shown = [e for e in entries if (e.quality, e.level) == (quality, level)]
        statistics = list(dict.fromkeys(e.statistic for e in shown))
        headers: list[str] = []
        for statistic in statistics:
            headers += [SYMBOLS[statistic]] if statistic == "mae" else [SYMBOLS[statistic], "p"]
        table = ResultTable(["measure", *headers, "n"])
        first = [e for e in shown if e.statistic == by]
        for measure in _ordered(first, level):
            of_measure = [e for e in shown if e.measure == measure]
            table.add(
                measure, *(c for e in of_measure for c in _cells(e)), of_measure[0].agreement.n
            )
        table.notes = _notes(shown)
        partial = f", {_partial(shown)}correlation" if _partial(shown) else ""
        tables.append((f"{quality}, {level} level{partial}{_held(shown)}", table))
    return tables


def _partial(entries: Sequence[MeasureAgreement]) -> str:
    return "partial " if entries[0].controls else ""


def _held(entries: Sequence[MeasureAgreement]) -> str:
    """What a title says of the controls."""
    controls = entries[0].controls
    return f", controlled for {listed(controls)}" if controls else ""


def _ordered(entries: Sequence[MeasureAgreement], level: Level) -> list[str]:
    """The measures, best first; those without a value come last."""
    at_level = [entry for entry in entries if entry.level == level]
    sign = 1 if at_level and at_level[0].statistic == "mae" else -1
    at_level.sort(key=lambda e: (math.isnan(e.agreement.value), sign * e.agreement.value))
    return [entry.measure for entry in at_level]


def _cells(entry: MeasureAgreement) -> list[Cell]:
    agreement = entry.agreement
    number = MeanNumber(agreement.value, entry.low, entry.high, sem=agreement.sem)
    return [number] if entry.statistic == "mae" else [number, PValue(agreement.p)]


_INDEPENDENT = {"summary": "summaries", "document": "documents", "system": "systems"}
"""What a p-value treats as independent, by level."""


def _notes(entries: Sequence[MeasureAgreement]) -> list[str]:
    notes = []
    if controls := entries[0].controls:
        notes.append(
            f"Partial correlation, controlled for {listed(controls)}: of the residuals of a "
            "linear regression. p by Student's t-test."
        )
    if any(math.isfinite(entry.low) for entry in entries):
        overs = dict.fromkeys(entry.over for entry in entries if math.isfinite(entry.low))
        over = "documents and systems" if "both" in overs else next(iter(overs))
        notes.append(f"[95 % bootstrap interval over {over}].")
        notes += _question_of_p(entries, over)
    notes += note_sentences(note for entry in entries for note in entry.notes)
    notes += _undefined_resamples(entries) if controls else []
    if any(math.isfinite(entry.agreement.sem) for entry in entries):
        notes.append("± standard error of the mean over documents.")
    negated = dict.fromkeys(entry.measure for entry in entries if entry.is_negated)
    if negated:
        notes.append(f"Negated, as lower is better: {', '.join(negated)}.")
    needed = "value, human score and controls" if controls else "both values"
    for key in ("undefined", "left_out"):
        counts: dict[tuple[int, str], dict[str, None]] = {}
        for entry in entries:
            count = getattr(entry.agreement, key)
            if count:
                counts.setdefault((count, entry.level), {})[entry.measure] = None
        for (count, level), measures in counts.items():
            what = (
                f"{plural(count, level)} without a value ({level} level)"
                if key == "undefined"
                else f"{plural(count, 'row')} left out, without {needed} ({level} level)"
            )
            notes.append(f"{what}: {_whose(measures)}.")
    return notes + _reasons(entries)


def _question_of_p(entries: Sequence[MeasureAgreement], over: str) -> list[str]:
    """A note that p and interval answer different questions, if there are both."""
    tested = [e for e in entries if math.isfinite(e.agreement.p) and math.isfinite(e.low)]
    if not tested:
        return []
    levels = dict.fromkeys(entry.level for entry in tested)
    independent = [_INDEPENDENT[level] for level in levels]
    if len(levels) > 1:
        independent = [f"{_INDEPENDENT[level]} ({level} level)" for level in levels]
    return [
        "p and the interval answer different questions: p tests whether the correlation is 0, and "
        f"treats {listed(independent)} as independent. The interval shows what other {over} could "
        "give, and may contain 0 where p is small."
    ]


def _undefined_resamples(entries: Sequence[MeasureAgreement]) -> list[str]:
    """A note for every level where an interval leaves out more than one resample in twenty."""
    most: dict[str, tuple[int, int]] = {}
    for entry in entries:
        if math.isfinite(entry.low) and 20 * entry.undefined_resamples > entry.resamples:
            counts = (entry.undefined_resamples, entry.resamples)
            most[entry.level] = max(counts, most.get(entry.level, counts))
    return [
        f"Up to {undefined} of {resamples} resamples have no correlation and are left out "
        f"({level} level)."
        for level, (undefined, resamples) in most.items()
    ]


def _reasons(entries: Sequence[MeasureAgreement]) -> list[str]:
    """Why partial correlations are undefined; of plain ones other notes say it."""
    measures: dict[tuple[str, str], dict[str, None]] = {}
    for entry in entries:
        if entry.controls and entry.agreement.reason:
            key = (entry.level, entry.agreement.reason)
            measures.setdefault(key, {})[entry.measure] = None
    return [
        f"No partial correlation ({level} level): {reason}: {_whose(whose)}."
        for (level, reason), whose in measures.items()
    ]


def _whose(measures: Collection[str]) -> str:
    return ", ".join(measures) if len(measures) < 6 else f"{len(measures)} measures"


def long_table(entries: Iterable[MeasureAgreement]) -> TitledTable:
    """All numbers for a program, one row each."""
    table = ResultTable(
        [
            *("human", "level", "statistic", "measure", "negated", "value", "low", "high", "p"),
            *("sem", "n", "undefined", "left_out", "control", "reason"),
        ]
    )
    for e in entries:
        a = e.agreement
        numbers = (Number(number) for number in (a.value, e.low, e.high, a.p, a.sem))
        table.add(
            *(e.quality, e.level, e.statistic, e.measure, e.is_negated),
            *numbers,
            *(a.n, a.undefined, a.left_out, ",".join(e.controls), a.reason),
        )
    return "", table
