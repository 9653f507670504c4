"""Agreement among annotators, and where measures would rank among them (BLANC paper §4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tricolore.api.evaluate import evaluate
from tricolore.api.running import CacheChoice, ProgressChoice
from tricolore.api.score_tables import settled_table
from tricolore.api.studies.study import Study
from tricolore.arguments import check_arguments
from tricolore.arrays import Floats
from tricolore.data.annotations import AnnotatorTable, read_annotators
from tricolore.data.columns import Columns
from tricolore.data.empty import Empty
from tricolore.data.frames import examples_from
from tricolore.errors import ReadError
from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.meta.annotators import (
    SignificantRanks,
    Splits,
    Standing,
    significant_ranks,
    splits,
    standings,
)
from tricolore.meta.choices import SYMBOLS, Coefficient
from tricolore.report.plots import Dot, Labels, sorted_points
from tricolore.report.plots import standings as draw_standings
from tricolore.report.result_table import Number, ResultTable
from tricolore.report.statistics import PValue
from tricolore.run.engine import Engine

if TYPE_CHECKING:
    from matplotlib.figure import Figure


JudgementWeights = Mapping[float, float]


def annotators(
    data: Any,
    human: str,
    *,
    measures: str | Sequence[str | Measure] = (),
    group: int = 0,
    values: Mapping[str, float] | None = None,
    weights: JudgementWeights | None = None,
    coefficient: Coefficient = "spearman",
    columns: Columns | None = None,
    limit: int | None = None,
    empty: Empty = "worst",
    cache: CacheChoice = None,
    jobs: int = 1,
    engine: Engine | None = None,
    device: str = "",
    offline: bool = False,
    progress: ProgressChoice = False,
    seed: int = 0,
) -> Study[list[Standing] | Splits]:
    """Compare each annotator with the mean of the others, and place measures among them.

    The data of the study has one standing per annotator and measure; with `group`, the
    correlations of all splits.

    Args:
        data: Rows with `annotations`, the judgements of single annotators: the path of a file, a
            list of dicts or a data frame.
        human: The human score whose annotators are compared.
        measures: Measures to place among the annotators.
        group: Compare all groups of this many annotators with the others instead.
        values: The number that each label counts as, such as `{"bad": 0, "good": 3}`.
        weights: How much a judgement counts in a mean, by its value.
        coefficient: Correlation coefficient.
        columns: The names of the columns, if they are not the usual ones.
        limit: Read at most this many rows.
        empty: How an empty summary counts: as the worst possible value ("worst") or not at all
            ("skip").
        cache: Where scores are looked up and kept, as in `evaluate`.
        jobs: Number of processes.
        engine: Where the work is done, instead of `jobs` processes on this machine.
        device: Where models run: "cpu", "cuda", "mps"; the fastest available one if empty.
        offline: Whether a model that is not on this machine is an error instead of a download.
        progress: How to show progress, or a function, as in `evaluate`.
        seed: Seed of the random choice of groups, where there are too many.
    """
    check_arguments(annotators, locals())
    examples = examples_from(data, columns, limit=limit)
    table = read_annotators(examples.records, human, values=values or None, name=examples.name)
    measured: dict[str, Floats] = {}
    rows, warnings = list(range(len(table.scores)))[: examples.limit], list[str]()
    if measures:
        found = evaluate(
            examples,
            measures,
            cache=cache,
            jobs=jobs,
            engine=engine,
            device=device,
            offline=offline,
            progress=progress,
        )
        rows = [at for at, result in enumerate(found) if isinstance(result.example, Example)]
        scores = settled_table(found, empty)
        measured = {label: scores.signed(label) for label in scores.measures}
        warnings = scores.notes_on(scores.measures)
    judged = AnnotatorTable(table.people, table.scores[rows])
    try:
        if group:
            made = _in_groups(judged, group, measured, coefficient, weights or None, seed)
        else:
            made = _one_by_one(judged, measured, coefficient, weights or None)
    except ValueError as error:
        raise ReadError(f"{examples.name}: {error}") from error
    made.table.notes.append(
        f"{len(judged.scores)} summaries, {len(judged.people)} annotators of '{human}'."
    )
    return Study.of(made.data, made.table, made.draw, warnings)


def _one_by_one(
    judged: AnnotatorTable,
    measured: Mapping[str, Floats],
    coefficient: Coefficient,
    weights: JudgementWeights | None,
) -> Study[list[Standing] | Splits]:
    found = standings(judged.people, judged.scores, measured, coefficient, weights)
    people, others = found[: len(judged.people)], found[len(judged.people) :]
    name = f"{SYMBOLS[coefficient]} with the human mean"
    sheet = ResultTable(["who", name, "p", "summaries", "above"])
    rows = [(f"annotator {one.name}", one.agreement, "") for one in people]
    rows += [(one.name, one.agreement, _percent(one.above)) for one in others]
    for who, agreement, above in rows:
        sheet.add(who, Number(agreement.value), PValue(agreement.p), agreement.n, above)
    sheet.notes = [
        "An annotator is compared with the mean of the others, a measure with the mean of all. "
        "Above: the share of annotators that the measure agrees at least as well as."
    ]

    def draw() -> Figure:
        known = [one.agreement.value for one in people if np.isfinite(one.agreement.value)]
        lines = [Dot(one.name, one.agreement.value) for one in others]
        return draw_standings(known, lines, Labels("annotator, the weakest first", name))

    return Study(found, [sheet], draw)


def _in_groups(
    judged: AnnotatorTable,
    group: int,
    measured: Mapping[str, Floats],
    coefficient: Coefficient,
    weights: JudgementWeights | None,
    seed: int,
) -> Study[list[Standing] | Splits]:
    found = splits(judged.scores, group, measured, coefficient, weights=weights, seed=seed)
    rest = len(judged.people) - group
    named = {f"{group} annotator{'s' if group > 1 else ''}": found.people, **found.measures}
    points = {name: significant_ranks(each) for name, each in named.items()}
    heads = ["lowest", "median", "highest", "mean", "p > 0.05", "above the group"]
    sheet = ResultTable([f"against the other {rest}", *heads])
    people = np.array([one.value for one in found.people])
    for name, each in named.items():
        values = np.array([one.value for one in each])
        known = values[np.isfinite(values)]
        if not len(known):
            known = np.array([np.nan])
        spread = (known.min(), np.median(known), known.max(), known.mean())
        shown = [Number(float(value)) for value in spread]
        above = "" if each is found.people else _percent(float((values >= people).mean()))
        sheet.add(name, *shown, len(each) - len(points[name].places), above)
    ways = "All" if found.is_all else "A random sample of"
    sheet.notes = [
        f"{ways} {len(found.people)} ways to choose {group} of {group + rest}.",
        "A plot leaves out what has p > 0.05, and leaves its place empty.",
    ]
    labels = Labels(
        f"way to choose {group}, sorted", f"{SYMBOLS[coefficient]} with the other {rest}"
    )
    return Study(found, [sheet], lambda: _draw_groups(points, labels))


def _draw_groups(points: Mapping[str, SignificantRanks], labels: Labels) -> Figure:
    """The points of a plot; as in figure 9, only significant correlations are shown."""
    figure = sorted_points([(_legend(n, p), p.values) for n, p in points.items()], labels)
    [axes] = figure.axes
    for line, own in zip(axes.lines, points.values(), strict=True):
        line.set_data(own.places, own.values)
    axes.relim()
    axes.autoscale_view()
    return figure


def _legend(name: str, points: SignificantRanks) -> str:
    return f"{name} ({points.left_out} not significant)" if points.left_out else name


def _percent(share: float) -> str:
    return "–" if share != share else f"{100 * share:.0f} %"
