"""`tricolore compare`: which system is better, and whether that is significant."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from tricolore.cli.options import Empty
from tricolore.cli.output import Format, Output, form_of, put

if TYPE_CHECKING:
    from tricolore.data.score_table import ScoreTable
    from tricolore.meta.system_tests import SystemComparison


def compare(
    scores: Annotated[str, typer.Argument(help="What `tricolore score -o` wrote.")],
    systems: Annotated[
        str, typer.Option(help="Systems to compare, with commas; all if not said.")
    ] = "",
    measures: Annotated[
        str,
        typer.Option(
            "-m", "--measures", "--measure", help="Columns of the scores; all measures if not said."
        ),
    ] = "",
    empty: Empty = "worst",
    pairs: Annotated[
        bool, typer.Option("--pairs", help="List every pair of systems as well.")
    ] = False,
    alpha: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Significant is what is below it.")
    ] = 0.05,
    resamples: Annotated[
        int, typer.Option(min=1, help="Of the intervals; at least so many swappings, too.")
    ] = 10_000,
    permutations: Annotated[
        int, typer.Option(min=0, help="Swappings; 0: as many as resamples, and 50 a test or more.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Of what is drawn.")] = 0,
    format: Format = None,
    output: Output = "",
) -> None:
    """Which system is better by which measure: differences paired by document, and a ranking.

    Two systems: their differences. More: a ranking in which systems that do not differ
    significantly share a rank. All systems are compared on the same documents.
    """
    from tricolore.data.score_table import ScoreTable
    from tricolore.meta.permutation import default_permutations
    from tricolore.meta.system_tests import compare_system_pairs, ranking
    from tricolore.report.statistics import difference_table, pair_table, ranking_table

    form = form_of(format, output)
    table = ScoreTable.read(scores).with_empty(empty)
    columns, names = table.select(measures), _systems(table, systems)
    lower = {column for column in columns if table.lower(column)}
    neither = {column for column in columns if table.directions[column] == "neither"}
    # Two systems: one test a measure; more: one a pair.
    tests = len(columns) if len(names) == 2 else len(names) * (len(names) - 1) // 2
    swappings = permutations or default_permutations(tests, resamples)
    rules = {"resamples": resamples, "permutations": swappings, "seed": seed}
    found = {column: compare_system_pairs(table, column, names, **rules) for column in columns}
    if len(names) == 2:
        found = _corrected(found)
    places = {column: ranking(table, column, found[column], alpha) for column in columns}
    every = [one for column in columns for one in found[column]]
    if form in ("csv", "json"):
        sheets = [pair_table(every, places, table.empty_summaries)]
    elif len(names) == 2:
        sheets = [difference_table(every, places, lower, neither, alpha)]
    else:
        sheets = [ranking_table(places, found, lower, neither, alpha)]
        if pairs:
            sheets.append(pair_table(every, places, table.empty_summaries, "Every pair"))
    sheets[-1][1].notes += table.notes
    put(sheets, form, output)


def _systems(table: ScoreTable, asked: str) -> list[str]:
    from tricolore.errors import ReadError

    known = table.grid.systems
    names = [name.strip() for name in asked.split(",") if name.strip()] or list(known)
    for name in names:
        if name not in known:
            raise ReadError(f"{table.name} has no system '{name}'; it has: {', '.join(known)}")
    if len(set(names)) < 2:
        raise ReadError(f"{table.name}: two systems are needed to compare, not {len(set(names))}")
    return list(dict.fromkeys(names))


def _corrected(found: dict[str, list[SystemComparison]]) -> dict[str, list[SystemComparison]]:
    """Two systems by many measures: the correction is for the measures."""
    from tricolore.meta.holm import holm

    corrected = holm([one.p for [one] in found.values()])
    return {
        column: [replace(one, corrected=float(p))]
        for (column, [one]), p in zip(found.items(), corrected, strict=True)
    }
