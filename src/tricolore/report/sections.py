"""The sections of the HTML report: tables and charts of systems, measures and human scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tricolore.arrays import Floats
from tricolore.data.score_table import ScoreTable
from tricolore.meta.agreements import MeasureAgreement
from tricolore.meta.complementarity import complementarity
from tricolore.meta.intervals import too_few_note
from tricolore.meta.spurious import spurious
from tricolore.meta.system_tests import SystemRank
from tricolore.meta.system_values import SystemEstimate
from tricolore.report.agreement_tables import level_tables
from tricolore.report.charts import BoxRow, Chart, ChartRow, Panel, draw
from tricolore.report.result_table import ARROWS, Number, ResultTable
from tricolore.report.statistics import RankedNumber, TitledTable, note_sentences
from tricolore.text.plural import listed

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_HEAT = 4  # the number of shades of each sign
_PALE = 0.05  # values below this have no colour


@dataclass(frozen=True)
class HeatNumber(Number):
    """A correlation that a page paints by its value."""

    @property
    def heat(self) -> str:
        """The classes of its colour: its sign and its shade."""
        if math.isnan(self.value) or abs(self.value) < _PALE:
            return ""
        shade = min(_HEAT, 1 + int(abs(self.value) * _HEAT))
        return f"{'minus' if self.value < 0 else 'plus'} heat-{shade}"


@dataclass(frozen=True)
class DistanceNumber(HeatNumber):
    """A distance from 0 to 1 that a page paints by its value."""

    @property
    def heat(self) -> str:
        """The classes of its colour, which is another one than that of correlations."""
        return super().heat.replace("plus", "apart")


@dataclass(frozen=True)
class ReportSection:
    """A part of the page: a lead, charts with their numbers, and tables."""

    anchor: str
    title: str
    lead: Sequence[str] = ()
    charts: Sequence[Chart] = ()
    tables: Sequence[TitledTable] = ()
    more: Sequence[TitledTable] = ()
    """Tables that a reader has to open, under one title."""
    more_title: str = ""
    notes: Sequence[str] = field(default_factory=tuple)


def header(table: ScoreTable, column: str) -> str:
    """The name of a measure with an arrow that says whether higher or lower is better."""
    return f"{column} {ARROWS[table.directions.get(column, 'neither')]}".strip()


def system_table(
    table: ScoreTable,
    estimates: Mapping[str, Sequence[SystemEstimate]],
    rankings: Mapping[str, Sequence[SystemRank]],
    notes: Sequence[str],
) -> ResultTable:
    """Systems as rows, the best first, and measures as columns, with ranks that systems may share.

    Args:
        table: All scores, for directions and counts.
        estimates: The value of each system, by measure.
        rankings: Their ranks, by measure; empty if there is nothing to compare.
        notes: What is to be said about the ranks.
    """
    ranks = {m: {place.system: place.rank for place in own} for m, own in rankings.items()}
    counts = np.bincount(table.grid.system, minlength=len(table.grid.systems))
    empty = table.empty_summaries
    has_empty = any(empty.values())
    heads = [header(table, column) for column in estimates]
    made = ResultTable(["system", *heads, "rows", *(["empty"] if has_empty else [])])
    for at in _best_first(table, ranks):
        system = table.grid.systems[at]
        cells = [
            RankedNumber(
                *(one[at].value, one[at].low, one[at].high),
                missing=one[at].missing,
                rank=ranks.get(measure, {}).get(system),
                is_marked=table.directions.get(measure, "neither") != "neither"
                and _is_best(system, ranks.get(measure, {})),
            )
            for measure, one in estimates.items()
        ]
        count = [int(counts[at]), *([empty[system]] if has_empty else [])]
        made.add(system or "(all)", *cells, *count)
    made.notes = [*_interval_notes(estimates), *(notes or table.notes)]
    return made


def _best_first(table: ScoreTable, ranks: Mapping[str, Mapping[str, int | None]]) -> list[int]:
    """The systems by their mean rank over the measures that have a better direction."""
    judging = [m for m in ranks if table.directions.get(m, "neither") != "neither"]

    def mean_rank(at: int) -> tuple[float, int]:
        known = [ranks[m].get(table.grid.systems[at]) or math.inf for m in judging]
        return sum(known) / max(1, len(known)), at

    return sorted(range(len(table.grid.systems)), key=mean_rank)


def _is_best(system: str, ranks: Mapping[str, int | None]) -> bool:
    """Whether a system has rank 1, and another has not."""
    others = [rank for rank in ranks.values() if rank is not None]
    return ranks.get(system) == 1 and max(others) > 1


def _interval_notes(estimates: Mapping[str, Sequence[SystemEstimate]]) -> list[str]:
    known = [one for own in estimates.values() for one in own if math.isfinite(one.low)]
    if not known:
        return []
    few = note_sentences([too_few_note(min(one.documents for one in known))])
    return [" ".join(["Mean [95 % interval, bootstrap over documents].", *few])]


def systems_chart(
    table: ScoreTable, estimates: Mapping[str, Sequence[SystemEstimate]], order: Sequence[str]
) -> Chart:
    """The value of every system by every measure, with its interval."""
    panels, sheet = [], ResultTable(["measure", "system", "value"])
    for column, own in estimates.items():
        by_name = {one.system or "(all)": one for one in own}
        rows = [by_name[name] for name in order if name in by_name]
        panels.append(
            Panel(
                header(table, column),
                [ChartRow(one.system or "(all)", one.value, one.low, one.high) for one in rows],
            )
        )
        for one in rows:
            sheet.add(column, one.system or "(all)", Number(one.value, one.low, one.high))
    description = "the mean of every system as a dot, its 95 % interval as a line"
    return Chart(
        "Means of systems", f"Each drawing shows {description}.", draw(panels, description), sheet
    )


def distribution_section(table: ScoreTable, columns: Sequence[str]) -> ReportSection:
    """How the values of each measure are distributed, by system."""
    panels = []
    sheet = ResultTable(
        ["measure", "system", "5 %", "25 %", "median", "75 %", "95 %", "mean", "values"]
    )
    for column in columns:
        boxes = []
        for at, system in enumerate(table.grid.systems):
            values = table.values[column][table.grid.system == at]
            known = values[np.isfinite(values)]
            numbers = [math.nan] * len(_QUANTILES)
            if len(known):
                numbers = np.quantile(known, _QUANTILES).tolist()
            mean = float(known.mean()) if len(known) else math.nan
            boxes.append(BoxRow(system or "(all)", numbers, mean))
            sheet.add(column, system or "(all)", *map(Number, numbers), Number(mean), len(known))
        panels.append(Panel(header(table, column), boxes))
    description = (
        "for every system the middle half of its values as a bar, 5 to 95 % as a line, the median "
        "as a tick and the mean as a dot"
    )
    chart = Chart(
        "Distributions", f"Each drawing shows {description}.", draw(panels, description), sheet
    )
    return ReportSection("distributions", "Distributions", charts=[chart])


def measures_section(table: ScoreTable, columns: Sequence[str]) -> ReportSection:
    """How alike measures are: correlations over summaries, and how differently they rank."""
    correlations = 1 - 2 * complementarity(table, columns, "summary", "spearman")
    tables = [("Spearman’s ρ over all summaries", _matrix(columns, correlations, HeatNumber))]
    lead = [
        "Measures with a high correlation say much the same. Values are taken so that higher is "
        "better."
    ]
    notes = []
    if len(table.grid.systems) > 1:
        distances = complementarity(table, columns, "document", "kendall-b")
        if np.isfinite(distances).any():
            tables.append(("Complementarity", _matrix(columns, distances, DistanceNumber)))
            notes.append(
                "Complementarity is (1 − τ) / 2 of two rankings of the systems, averaged over "
                "documents: 0 if two measures rank alike, 0.5 if one says nothing about the other, "
                "1 if they rank in reverse."
            )
    return ReportSection("measures", "How measures relate", lead, tables=tables, notes=notes)


def _matrix(columns: Sequence[str], values: Floats, kind: type[HeatNumber]) -> ResultTable:
    made = ResultTable(["measure", *columns])
    for name, row in zip(columns, values, strict=True):
        made.add(name, *(kind(float(value)) for value in row))
    return made


def agreement_section(
    entries: Sequence[MeasureAgreement], partial: Sequence[MeasureAgreement]
) -> ReportSection:
    """How well measures agree with human scores, and what copying and length leave of it."""
    level, statistic = entries[0].level, entries[0].statistic
    controls = partial[0].controls if partial else ()
    left = {(e.quality, e.measure): e for e in partial if e.level == level}
    panels = []
    control = f"without {listed(controls)}"
    what = _statistic_words(entries[0])
    sign = 1.0 if statistic == "mae" else -1.0
    sheet = ResultTable(["human score", "measure", what, *([control] if controls else [])])
    for quality in dict.fromkeys(entry.quality for entry in entries):
        mine = [
            e for e in entries if (e.quality, e.level, e.statistic) == (quality, level, statistic)
        ]
        mine.sort(key=lambda e: sign * e.agreement.value if _has_value(e) else math.inf)
        rows = []
        for entry in mine:
            other = left.get((quality, entry.measure))
            second = other.agreement.value if other else math.nan
            value = entry.agreement.value
            rows.append(ChartRow(entry.measure, value, entry.low, entry.high, second))
            cells = [Number(value, entry.low, entry.high)]
            if controls:
                cells.append(
                    Number(other.agreement.value, other.low, other.high)
                    if other
                    else Number(math.nan)
                )
            sheet.add(quality, entry.measure, *cells)
        panels.append(Panel(f"human {quality}", rows, line=0.0))
    description = f"the {level}-level {what} of measures with a human score"
    legend = {"first": f"{what} with its 95 % interval"}
    if controls:
        legend["second"] = f"partial correlation: what is left without {listed(controls)}"
    chart = Chart(
        "Agreement with people",
        f"Each drawing shows {description}.",
        draw(panels, description),
        sheet,
        legend,
    )
    more = level_tables([e for e in entries if e.statistic == statistic], statistic)
    if controls:
        more += level_tables([e for e in partial if e.statistic == statistic], statistic)
    return ReportSection(
        "people",
        "Agreement with people",
        charts=[chart],
        more=more,
        more_title="Every level, with p-values",
    )


def _statistic_words(entry: MeasureAgreement) -> str:
    """What a number of agreement is, in words."""
    if entry.statistic == "mae":
        return "mean absolute error"
    without = f" without {listed(entry.controls)}" if entry.controls else ""
    return f"{'partial ' if without else ''}correlation{without}"


def _has_value(entry: MeasureAgreement) -> bool:
    return math.isfinite(entry.agreement.value)


def correlates_section(
    table: ScoreTable, columns: Sequence[str], correlates: Mapping[str, str], notes: Sequence[str]
) -> ReportSection:
    """How long summaries are and how much of them is copied, and which measures follow that.

    `correlates` are the columns of length and copying, with what they mean.
    """
    sheet = ResultTable(["system", *correlates])
    for at, system in enumerate(table.grid.systems):
        mine = table.grid.system == at
        means = [_mean(table.values[column][mine]) for column in correlates]
        sheet.add(system or "(all)", *map(Number, means))
    tables = [("Means of systems", sheet)]
    others = [column for column in columns if column not in correlates]
    followed = ResultTable(["measure", *correlates])
    for one in spurious(table, others, [], list(correlates)):
        followed.add(one.column, *(HeatNumber(one.correlates[other].value) for other in correlates))
    if others:
        tables.append(("Spearman’s ρ of measures with them, over all summaries", followed))
    lead = [
        "A measure that follows length or copying may reward long or copied summaries rather than "
        "good ones.",
        " ".join(f"{name}: {meaning}." for name, meaning in correlates.items() if meaning),
    ]
    return ReportSection("correlates", "Length and copying", lead, tables=tables, notes=notes)


def _mean(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else math.nan
