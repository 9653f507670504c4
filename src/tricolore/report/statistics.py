"""The tables of `tricolore meta` and `tricolore compare`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.measure import Measurement

from tricolore.data.separated import CsvFormulas
from tricolore.meta.agreements import MeasureAgreement
from tricolore.meta.choices import SYMBOLS, Level, Statistic
from tricolore.meta.intervals import too_few_note
from tricolore.meta.measure_tests import MeasureComparison
from tricolore.meta.system_tests import SystemComparison, SystemRank
from tricolore.report.escaping import in_latex, markdown_paragraph
from tricolore.report.result_table import Cell, Number, OutputFormat, ResultTable, words_of
from tricolore.report.terminal import SafeConsole, plain_table
from tricolore.text.plural import plural

TitledTable = tuple[str, ResultTable]
"""A table and its title."""


@dataclass(frozen=True)
class PValue(Number):
    """A p-value as text for readers."""

    @property
    def words(self) -> str:
        """Three digits; the smallest are shown as below a limit."""
        if math.isnan(self.value):
            return "–"
        return "<0.001" if self.value < 0.001 else f"{self.value:.3f}"


@dataclass(frozen=True)
class MeanNumber(Number):
    """A mean over documents, with its standard error."""

    sem: float = math.nan

    @property
    def words(self) -> str:
        """The mean ± SEM, and the interval."""
        value, space, ends = super().words.partition(" ")
        error = "" if math.isnan(self.sem) else f" ± {self.sem:.3f}"
        return f"{value}{error}{space}{ends}"


@dataclass(frozen=True)
class RankedNumber(Number):
    """A value and its rank, if it has one."""

    rank: int | None = None

    @property
    def words(self) -> str:
        """The rank behind the value."""
        return super().words + (f" ({self.rank})" if self.rank else "")


def write(
    out: SafeConsole,
    tables: Sequence[TitledTable],
    form: OutputFormat,
    *,
    csv_formulas: CsvFormulas = "protect",
) -> None:
    """Print tables one below the other, each with its title."""
    for at, (title, table) in enumerate(tables):
        if at and (form in ("markdown", "latex") or (title and form == "table")):
            out.print_exact("")
        if title and form == "table":
            out.print(title, style="bold")
        elif title and form == "markdown":
            out.print_exact(f"### {markdown_paragraph(title)}\n")
        elif title and form == "latex":
            out.print_exact(f"% {in_latex(title)}")
        table.write(out, form, csv_formulas=csv_formulas)


def fits(out: SafeConsole, table: ResultTable) -> bool:
    """Whether a table is narrow enough for the terminal."""
    drawn = plain_table(*table.headers)
    for row in table.rows:
        drawn.add_row(*map(words_of, row))
    wide = out.options.update(max_width=100_000)
    return Measurement.get(out, wide, drawn).maximum <= out.width


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
        tables.append((f"{quality}: {SYMBOLS[by]}", table))
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
        tables.append((f"{quality}, {level} level", table))
    return tables


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


def _notes(entries: Sequence[MeasureAgreement]) -> list[str]:
    notes = []
    if any(math.isfinite(entry.low) for entry in entries):
        overs = dict.fromkeys(entry.over for entry in entries if math.isfinite(entry.low))
        over = "documents and systems" if "both" in overs else next(iter(overs))
        notes.append(f"[95 % bootstrap interval over {over}].")
    notes += _sentences(note for entry in entries for note in entry.notes)
    if any(math.isfinite(entry.agreement.sem) for entry in entries):
        notes.append("± standard error of the mean over documents.")
    negated = dict.fromkeys(entry.measure for entry in entries if entry.is_negated)
    if negated:
        notes.append(f"Negated, as lower is better: {', '.join(negated)}.")
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
                else f"{plural(count, 'row')} left out, without both values ({level} level)"
            )
            whose = ", ".join(measures) if len(measures) < 6 else f"{len(measures)} measures"
            notes.append(f"{what}: {whose}.")
    return notes


def _sentences(notes: Iterable[str]) -> list[str]:
    """Each note once, as a sentence."""
    return [f"{note[0].upper()}{note[1:]}." for note in dict.fromkeys(notes) if note]


def long_table(entries: Iterable[MeasureAgreement]) -> TitledTable:
    """All numbers for a program, one row each."""
    table = ResultTable(
        "human level statistic measure negated value low high p sem n undefined left_out".split()
    )
    for e in entries:
        a = e.agreement
        numbers = (Number(number) for number in (a.value, e.low, e.high, a.p, a.sem))
        table.add(
            *(e.quality, e.level, e.statistic, e.measure, e.is_negated),
            *numbers,
            *(a.n, a.undefined, a.left_out),
        )
    return "", table


def measure_test_table(title: str, contests: Sequence[MeasureComparison], note: str) -> TitledTable:
    """Pairs of measures: how much better the first is."""
    table = ResultTable(["measure", "than", "better by", "p", "p (Holm)"])
    for c in contests:
        table.add(c.first, c.second, Number(c.difference), PValue(c.p), PValue(c.corrected))
    table.notes = [note]
    return title, table


def matrix_table(title: str, contests: Sequence[MeasureComparison], note: str) -> TitledTable:
    """Measures as rows and columns: Holm's p-value where the measure of the row is better."""
    names = list(dict.fromkeys(name for c in contests for name in (c.first, c.second)))
    table = ResultTable(["better than", *names])
    by_pair = {(c.first, c.second): c for c in contests}
    for row in names:
        cells: list[Cell] = []
        for column in names:
            c = by_pair.get((row, column)) or by_pair.get((column, row))
            sign = 1 if (row, column) in by_pair else -1
            wins = c is not None and c.difference * sign > 0
            cells.append(PValue(c.corrected) if c is not None and wins else "")
        table.add(row, *cells)
    table.notes = [note]
    return title, table


def difference_table(
    comparisons: Sequence[SystemComparison],
    places: Mapping[str, Sequence[SystemRank]],
    lower: set[str],
    neither: set[str],
    alpha: float,
) -> TitledTable:
    """Two systems, measures as rows; if neither direction is better, who has more is shown."""
    first, second = _name(comparisons[0].first), _name(comparisons[0].second)
    table = ResultTable(
        ["measure", first, second, "difference", "p", "p (Holm)", "better", "documents"]
    )
    for c in comparisons:
        ahead = (c.difference < 0) if c.measure in lower else (c.difference > 0)
        better = (first if ahead else second) if c.significant(alpha) else "–"
        if c.measure in neither and c.significant(alpha):
            better = f"more: {better}"
        missing = {place.system: place.missing for place in places[c.measure]}
        table.add(
            _label(c.measure, lower),
            Number(c.first_value, missing=missing[c.first]),
            Number(c.second_value, missing=missing[c.second]),
            *(Number(c.difference, c.low, c.high), PValue(c.p), PValue(c.corrected)),
            *(better, c.documents),
        )
    table.notes = [
        "Values on the documents that both systems have a value for.",
        "Difference [95 % bootstrap interval over documents]; p by a paired permutation test.",
        f"Holm's correction is for {plural(len(comparisons), 'measure')}; better if p is below "
        f"{alpha:g}.",
        *_interval_notes(comparisons),
        *_no_room([("", comparisons)], "measure", alpha),
    ]
    return "", table


def _interval_notes(comparisons: Sequence[SystemComparison]) -> list[str]:
    counts = sorted({c.documents for c in comparisons if math.isfinite(c.low)})
    return _sentences(too_few_note(count) for count in counts)


def _no_room(
    families: Iterable[tuple[str, Sequence[SystemComparison]]], tested: str, alpha: float
) -> list[str]:
    """A note if no corrected p-value can be small enough.

    A family is the set of tests that Holm's correction is for: a measure's comparisons.
    """
    measures_by_note: dict[str, list[str]] = {}
    for measure, comparisons in families:
        tests = [c for c in comparisons if math.isfinite(c.p)]
        if not tests:
            continue
        room = min(1.0, len(tests) * min((c.least for c in tests), default=math.nan))
        if room >= alpha:
            counts = sorted({c.documents for c in tests})
            documents = plural(counts[-1], "document")
            if len(counts) > 1:
                documents = f"{counts[0]} to {documents}"
            text = (
                f"{documents} and {plural(len(tests), tested)}: no corrected p can be below "
                f"{room:.3g}, so no difference can be significant"
            )
            measures_by_note.setdefault(text, []).append(measure)
        else:
            measures_by_note.setdefault("", []).append(measure)
    if len(measures_by_note) == 1:
        return [f"{text}." for text in measures_by_note if text]
    return [f"{', '.join(names)}: {text}." for text, names in measures_by_note.items() if text]


def ranking_table(
    places: Mapping[str, Sequence[SystemRank]],
    found: Mapping[str, Sequence[SystemComparison]],
    lower: set[str],
    neither: set[str],
    alpha: float,
) -> TitledTable:
    """Many systems: systems as rows, measures as columns, each value with its rank."""
    measures = list(places)
    table = ResultTable(["system", *(_label(measure, lower) for measure in measures)])
    by_name = [{place.system: place for place in places[measure]} for measure in measures]
    for first in places[measures[0]]:
        row = [own[first.system] for own in by_name]
        cells = (RankedNumber(p.value, rank=p.rank, missing=p.missing) for p in row)
        table.add(_name(first.system), *cells)
    table.notes = [
        *_rank_notes(measures, neither, alpha),
        *_common_notes(found),
        *_no_room(found.items(), "pair", alpha),
    ]
    return "", table


def _common_notes(found: Mapping[str, Sequence[SystemComparison]]) -> list[str]:
    """A note on the number of documents on which all systems are compared, by measure."""
    counts: dict[int, list[str]] = {}
    for measure, comparisons in found.items():
        common = max((c.documents for c in comparisons), default=0)
        counts.setdefault(common, []).append(measure)
    notes = []
    for count, measures in counts.items():
        whose = f" ({', '.join(measures)})" if len(counts) > 1 else ""
        have = "has" if count == 1 else "have"
        notes.append(
            f"On the {plural(count, 'document')} that {have} a value of every ranked system{whose}."
            if count
            else f"No document has a value of every system{whose}: name fewer systems."
        )
    return notes


def _rank_notes(measures: Sequence[str], neither: set[str], alpha: float) -> list[str]:
    """A note on what a rank is; if neither direction is better, it shows who has more."""
    even = [measure for measure in measures if measure in neither]
    ahead = "have significantly more" if len(even) == len(measures) else "are significantly better"
    notes = [
        f"Value (rank); the rank is 1 plus the number of systems that {ahead} "
        f"(Holm over all pairs, below {alpha:g})."
    ]
    if even:
        more = "" if len(even) == len(measures) else "; the rank counts those that have more"
        notes.append(f"Neither way is better{more}: {', '.join(even)}.")
    return notes


def pair_table(
    comparisons: Sequence[SystemComparison],
    places: Mapping[str, Sequence[SystemRank]],
    empty: Mapping[str, int],
    title: str = "",
) -> TitledTable:
    """Every pair of systems by every measure, with each system's missing values."""
    table = ResultTable(
        [
            *("measure", "first", "second", "first value", "second value", "difference"),
            *("p", "p (Holm)", "documents", "first rank", "second rank"),
            *("first missing", "second missing", "first empty", "second empty"),
        ]
    )
    ranked = {(m, place.system): place for m, own in places.items() for place in own}
    for c in comparisons:
        both = [ranked[c.measure, name] for name in (c.first, c.second)]
        table.add(
            *(c.measure, _name(c.first), _name(c.second)),
            *(Number(c.first_value), Number(c.second_value)),
            *(Number(c.difference, c.low, c.high), PValue(c.p), PValue(c.corrected)),
            *(c.documents, *(_rank(place.rank) for place in both)),
            *(place.missing for place in both),
            *(empty.get(place.system, 0) for place in both),
        )
    table.notes = _interval_notes(comparisons)
    return title, table


def _rank(rank: int | None) -> Cell:
    return Number(math.nan) if rank is None else rank


def _label(measure: str, lower: set[str]) -> str:
    return f"{measure} ↓" if measure in lower else measure


def _name(system: str) -> str:
    return system or "(none)"
