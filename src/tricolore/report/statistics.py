"""The tables of `tricolore compare`, and of tests between measures in `tricolore meta`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.measure import Measurement

from tricolore.data.separated import CsvFormulas
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


def note_sentences(notes: Iterable[str]) -> list[str]:
    """Each note once, as a sentence."""
    return [f"{note[0].upper()}{note[1:]}." for note in dict.fromkeys(notes) if note]


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
    return note_sentences(too_few_note(count) for count in counts)


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
