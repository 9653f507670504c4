"""`tricolore study annotators`: people against people, and measures among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tricolore.cli.options import (
    CachePlace,
    Device,
    DocId,
    Empty,
    Encoding,
    Jobs,
    Judged,
    Limit,
    Offline,
    Plot,
    Quality,
    References,
    Seed,
    Source,
    Summary,
    System,
    answer,
    begin,
    label_values,
    number_values,
    open_cache,
    place_models,
    read_examples,
    score_rows,
)
from tricolore.cli.output import Format, Output
from tricolore.meta.choices import Coefficient

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tricolore.data.columns import Columns as ColumnNames
    from tricolore.data.records import Records
    from tricolore.meta.annotators import SignificantRanks
    from tricolore.report.result_table import ResultTable


def annotators(
    file: Judged,
    human: Quality,
    measures: Annotated[
        str, typer.Option("-m", "--measures", help="Measures to place among the annotators.")
    ] = "",
    group: Annotated[
        int,
        typer.Option(min=0, help="Part them: all groups of so many against the others."),
    ] = 0,
    values: Annotated[str, typer.Option(help="What a label counts: bad=0,ok=2,good=3.")] = "",
    weights: Annotated[
        str, typer.Option(help="How much a value counts in a mean: 0=3,1=3,2=1,3=1,4=2.")
    ] = "",
    coefficient: Annotated[Coefficient, typer.Option(help="Of the agreement.")] = "spearman",
    seed: Seed = 0,
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    limit: Limit = None,
    empty: Empty = "worst",
    encoding: Encoding = "",
    cache: CachePlace = "",
    jobs: Jobs = 1,
    device: Device = "",
    offline: Offline = False,
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """Each annotator against the mean of the others, and where measures would stand among them.

    BLANC paper §4, figures 7 to 9. The file has `annotations`: see docs/studies.md.
    """
    from tricolore.data.annotations import read_annotators
    from tricolore.data.columns import Columns
    from tricolore.data.records import Records
    from tricolore.errors import ReadError

    begin(plot)
    place_models(device, offline)
    columns = Columns(
        source=source, summary=summary, references=references, system=system, doc_id=doc_id
    )
    records = Records(file, encoding=encoding, twice=True)
    table = read_annotators(records, human, values=label_values(values, "--values") or None)
    given = number_values(weights, "--weights") or None
    count = len(table.scores)
    scored, rows, notes = _scored(records, measures, limit, cache, jobs, count, columns, empty)
    scores = table.scores[rows]
    try:
        if group:
            sheet, draw = _parted(scores, group, scored, coefficient, given, seed)
        else:
            sheet, draw = _standing(table.people, scores, scored, coefficient, given)
    except ValueError as error:
        raise ReadError(f"{file}: {error}") from error
    sheet.notes.append(f"{len(scores)} summaries, {len(table.people)} annotators of '{human}'.")
    answer(sheet, format, output, plot, draw, notes)


def _scored(
    file: Records,
    measures: str,
    limit: int | None,
    cache: str,
    jobs: int,
    count: int,
    columns: ColumnNames,
    empty: Literal["worst", "skip"],
) -> tuple[dict[str, Any], list[int], list[str]]:
    """The values of the measures, so that higher is better, which rows they are of, and notes."""
    if not measures:
        return {}, list(range(count))[:limit], []
    from tricolore.run.processes import local_engine
    from tricolore.run.run import Run

    with open_cache(cache) as kept:
        run = Run([measures], cache=kept, engine=local_engine(jobs))
        needs = frozenset(need for measure in run.measures for need in measure.needs)
        found = score_rows(run, read_examples(file, [], needs, limit, columns), empty)
    table = found.table
    signed = {label: table.signed(label) for label in table.measures}
    return signed, found.rows, table.notes_on(table.measures)


def _standing(
    people: list[str], scores: Any, scored: dict[str, Any], coefficient: Any, weights: Any
) -> tuple[ResultTable, Any]:
    from tricolore.meta.annotators import standings
    from tricolore.meta.choices import SYMBOLS
    from tricolore.report.plots import Dot, Labels
    from tricolore.report.plots import standings as draw_standings
    from tricolore.report.result_table import Number, ResultTable

    found = standings(people, scores, scored, coefficient, weights)
    symbol = SYMBOLS[coefficient]
    sheet = ResultTable(["who", f"{symbol} with people", "p", "summaries", "above"])
    for at, one in enumerate(found):
        is_person = at < len(people)
        name = f"annotator {one.name}" if is_person else one.name
        share = "" if is_person else _percent(one.above)
        agreement = one.agreement
        sheet.add(name, Number(agreement.value), _p(agreement.p), agreement.n, share)
    sheet.notes = [
        "An annotator against the mean of the others, a measure against the mean of all; above: "
        "the share of annotators that it agrees with people at least as well as."
    ]
    known = [one.agreement.value for one in found[: len(people)]]
    lines = [Dot(one.name, one.agreement.value) for one in found[len(people) :]]

    def draw() -> Figure:
        is_known = [value for value in known if value == value]
        labels = Labels("annotator, the weakest first", f"{symbol} with people")
        return draw_standings(is_known, lines, labels)

    return sheet, draw


def _parted(
    scores: Any, group: int, scored: dict[str, Any], coefficient: Any, weights: Any, seed: int
) -> tuple[ResultTable, Any]:
    import numpy as np

    from tricolore.meta.annotators import significant_ranks, splits
    from tricolore.meta.choices import SYMBOLS
    from tricolore.report.plots import Labels, sorted_points
    from tricolore.report.result_table import Number, ResultTable

    found = splits(scores, group, scored, coefficient, weights=weights, seed=seed)
    rest = scores.shape[1] - group
    symbol = SYMBOLS[coefficient]
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
    ways = "All" if found.is_all else "A draw of"
    sheet.notes = [f"{ways} {len(found.people)} ways to choose {group} of {group + rest}."]
    sheet.notes.append("A plot leaves out what has p > 0.05, and leaves its place empty.")
    labels = Labels(f"way to choose {group}, sorted", f"{symbol} with the other {rest}")

    def draw() -> Figure:
        # As in figure 9, what may be chance is not shown.
        figure = sorted_points([(_legend(n, p), p.values) for n, p in points.items()], labels)
        [axes] = figure.axes
        for line, own in zip(axes.lines, points.values(), strict=True):
            line.set_data(own.places, own.values)
        axes.relim()
        axes.autoscale_view()
        return figure

    return sheet, draw


def _legend(name: str, points: SignificantRanks) -> str:
    return f"{name} ({points.left_out} not significant)" if points.left_out else name


def _percent(share: float) -> str:
    return "–" if share != share else f"{100 * share:.0f} %"


def _p(value: float) -> str:
    return "–" if value != value else "<0.001" if value < 0.001 else f"{value:.3f}"
