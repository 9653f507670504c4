"""The table and the figures of `tricolore sensitivity`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from tricolore.errors import WriteFailedError
from tricolore.meta.sensitivity import DamageCase, DamagedPairs, Sensitivity
from tricolore.report.plots import Dot, Labels, Line, curves, dots, save, sorted_points
from tricolore.report.result_table import Cell, Number, ResultTable
from tricolore.text.plural import plural

Sensitivities = Mapping[DamageCase, Sensitivity]

STATISTICS = {
    "spearman": "ρ with the label",
    "kendall": "τ-c with the label",
    "auc": "AUC",
    "worse": "share of pairs with the damaged one worse",
    "precision": "precision of the evidence",
    "recall": "recall of the evidence",
}
"""The statistics with a figure, and the labels of their axes."""
CHANCE = {"spearman": 0.0, "kendall": 0.0, "auc": 0.5}
"""The value for a measure that notices nothing."""


def number_of(found: Sensitivity, statistic: str) -> Number:
    """One number of a result, with its interval where there is one."""
    match statistic:
        case "spearman":
            return Number(found.spearman.value)
        case "kendall":
            return Number(found.kendall.value)
        case "auc":
            return Number(found.auc.value)
        case "worse":
            return Number(found.worse)
        case _:
            location = found.location
            return Number(getattr(location, statistic) if location else math.nan)


def sensitivity_table(found: Sensitivities) -> ResultTable:
    """A table with one row per measure and number of errors."""
    headers = ["measure", "damage", "errors", "pairs", "ρ", "τ-c", "p", "AUC", "worse", "tied"]
    located = any(one.location for one in found.values())
    table = ResultTable([*headers, *(("precision", "recall", "chance") if located else ())])
    for case, one in found.items():
        cells: list[Cell] = [
            case.measure,
            case.kind,
            str(case.errors or "–"),
            one.pairs,
            number_of(one, "spearman"),
            number_of(one, "kendall"),
            _p(one.spearman.p),
            number_of(one, "auc"),
            number_of(one, "worse"),
            Number(one.share.tied),
        ]
        if located:
            chance = Number(one.location.chance if one.location else math.nan)
            cells += [number_of(one, "precision"), number_of(one, "recall"), chance]
        table.add(*cells)
    table.notes = [
        "ρ and τ-c: correlation with the label, 1 for a clean summary and 0 for a damaged one; "
        "p is of ρ. Measures where lower is better are negated.",
        "AUC: the chance that a clean summary scores above a damaged one. worse: the share of "
        "pairs in which the damaged summary scores worse than its clean one.",
    ]
    if located:
        table.notes.append(
            "precision and recall: how much of the evidence points at damage, and how much of the "
            "damage is pointed at; chance: the precision of pointing at random words."
        )
    neither = dict.fromkeys(c.measure for c, one in found.items() if one.direction == "neither")
    if neither:
        table.notes.append(
            "Neither way is better, so none counts as worse; ρ, τ-c and AUC say whether clean "
            f"summaries have the higher values: {', '.join(neither)}."
        )
    missing = sum(one.left_out for one in found.values())
    if missing:
        table.notes.append(f"{missing} pairs left out, as one of the two has no value.")
    return table


def _p(value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:.3f}" if value >= 0.001 else "<0.001"


def save_figures(
    found: Sensitivities, pairs: Mapping[DamageCase, DamagedPairs], directory: str
) -> list[str]:
    """Draw a figure per statistic and one of the values per measure, and return their paths."""
    place = Path(directory)
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise WriteFailedError(f"{directory} cannot be made: {error.strerror}") from error
    written = []
    for kind in dict.fromkeys(case.kind for case in found):
        of_kind = {case: one for case, one in found.items() if case.kind == kind}
        for statistic, words in STATISTICS.items():
            lines = _lines(of_kind, statistic)
            if not lines:
                continue
            path = str(place / f"{_file_name(kind)}-{statistic}.svg")
            chance = CHANCE.get(statistic, math.nan)
            if all(len(line.x) == 1 for line in lines):
                figure = dots(
                    [Dot(line.name, line.y[0]) for line in lines], Labels(words, chance=chance)
                )
            else:
                figure = curves(lines, Labels("errors per summary", words, chance=chance))
                axis = figure.axes[0].xaxis
                axis.set_ticks(sorted({x for line in lines for x in line.x}))
            save(figure, path)
            written.append(path)
        for measure in dict.fromkeys(case.measure for case in of_kind):
            path = str(place / f"{_file_name(kind)}-values-{_file_name(measure)}.svg")
            mine = {case: pairs[case] for case in of_kind if case.measure == measure}
            save(sorted_points(_values(mine), Labels("summaries, sorted", measure)), path)
            written.append(path)
    return written


def _lines(found: Sensitivities, statistic: str) -> list[Line]:
    lines = []
    for measure in dict.fromkeys(case.measure for case in found):
        points = {
            case.errors: number_of(one, statistic).value
            for case, one in found.items()
            if case.measure == measure
        }
        known = {x: y for x, y in points.items() if math.isfinite(y)}
        if known:
            lines.append(Line(measure, list(map(float, known)), list(known.values())))
    return lines


def _values(pairs: Mapping[DamageCase, DamagedPairs]) -> list[tuple[str, Sequence[float]]]:
    """The values of the measure, sorted within each group: BLANC, figure 6."""
    sign = {case: -1.0 if some.direction == "lower" else 1.0 for case, some in pairs.items()}
    first = next(iter(pairs))
    groups: list[tuple[str, Sequence[float]]] = [
        ("clean", [sign[first] * value for value in pairs[first].clean])
    ]
    for case, some in pairs.items():
        words = plural(case.errors, "error") if case.errors else case.kind
        groups.append((words, [sign[case] * value for value in some.damaged]))
    return groups


def _file_name(label: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-=" else "_" for letter in label)
