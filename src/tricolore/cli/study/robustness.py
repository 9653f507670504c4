"""`tricolore study robustness`: what bad references do to measures that use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tricolore.cli.options import (
    CachePlace,
    Device,
    DocId,
    Draws,
    Empty,
    Encoding,
    Jobs,
    Judged,
    Limit,
    Offline,
    Plot,
    Quality,
    Seed,
    Source,
    Summary,
    System,
    answer,
    begin,
    numbers,
    one_quality,
    open_cache,
    place_models,
    read_examples,
    score_rows,
    want_systems,
)
from tricolore.cli.output import Format, Output
from tricolore.meta.choices import Coefficient

if TYPE_CHECKING:
    from tricolore.arrays import Floats
    from tricolore.data.score_table import ScoreTable
    from tricolore.example import Example, Unreadable


def robustness(
    file: Judged,
    measures: Annotated[
        str, typer.Option("-m", "--measures", help="Measures that use references.")
    ] = "rouge-1",
    partners: Annotated[
        str,
        typer.Option("--with", help="Measures without references, to be added to each."),
    ] = "",
    human: Quality = "",
    references: Annotated[
        int, typer.Option(min=0, help="Keep so many references of each; 0 for all.")
    ] = 0,
    sentences: Annotated[
        int, typer.Option(min=1, help="Of the source, in place of the references.")
    ] = 3,
    shares: Annotated[str, typer.Option(help="Shares replaced, with commas, from 0 to 1.")] = "",
    coefficient: Annotated[Coefficient, typer.Option(help="Of the agreement.")] = "spearman",
    draws: Draws = 1000,
    seed: Seed = 0,
    source: Source = "",
    summary: Summary = "",
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
    """Replace a growing share of the references by the first sentences of the source.

    Importance paper §5.2, figure 2: system-level correlation with people, mean and 95 % of the
    draws, of each measure alone and with each partner added to it.
    """
    from tricolore.data.columns import Columns
    from tricolore.errors import ReadError
    from tricolore.meta.choices import SYMBOLS
    from tricolore.meta.robustness import SHARES
    from tricolore.meta.robustness import robustness as spoil
    from tricolore.registry import get_measures
    from tricolore.report.curves import curve_table, lines
    from tricolore.report.plots import Labels, curves

    begin(plot)
    place_models(device, offline)
    columns = Columns(source=source, summary=summary, system=system, doc_id=doc_id)
    based = [measure.label for measure in get_measures(measures)]
    free = [measure.label for measure in get_measures(partners)] if partners else []
    qualities = [human] if human else []
    rows = read_examples(file, qualities, frozenset({"source"}), limit, columns, encoding)
    clean, spoiled = _both(rows, [*based, *free], references, sentences, cache, jobs, empty)
    quality = one_quality(clean.human, human, file)
    want_systems(clean, file)
    try:
        found = {
            name: spoil(
                before,
                after,
                clean.human[quality],
                clean.grid,
                shares=numbers(shares, "--shares") or SHARES,
                draws=draws,
                seed=seed,
                coefficient=coefficient,
            )
            for name, before, after in _mixes(clean, spoiled, based, free)
        }
    except ValueError as error:
        raise ReadError(str(error)) from error
    symbol = SYMBOLS[coefficient]
    sheet = curve_table("replaced", found, percent=True)
    sheet.notes.insert(
        0, f"System-level {symbol} with {quality}; mean and 95 % of {draws} draws of documents."
    )
    labels = Labels("replaced references (%)", f"system-level {symbol} with {quality}")
    answer(
        sheet,
        format,
        output,
        plot,
        lambda: curves(lines(found, factor=100), labels),
        clean.notes_on([*based, *free]),
    )


def _both(
    rows: list[Example | Unreadable],
    specs: list[str],
    references: int,
    sentences: int,
    cache: str,
    jobs: int,
    empty: Literal["worst", "skip"],
) -> tuple[ScoreTable, ScoreTable]:
    """The scores with the true references and with the replaced ones."""
    from dataclasses import replace

    from tricolore.example import Example
    from tricolore.meta.robustness import with_lead_reference
    from tricolore.run.processes import local_engine
    from tricolore.run.run import Run

    examples = [row for row in rows if isinstance(row, Example)]
    if references:
        examples = [replace(row, references=row.references[:references]) for row in examples]
    leads = [with_lead_reference(row, sentences) for row in examples]
    with open_cache(cache) as kept:
        tables = [
            score_rows(Run(specs, cache=kept, engine=local_engine(jobs)), list(some), empty).table
            for some in (examples, leads)
        ]
    return tables[0], tables[1]


def _mixes(
    clean: ScoreTable, spoiled: ScoreTable, based: list[str], free: list[str]
) -> list[tuple[str, Floats, Floats]]:
    """Each measure alone and with each partner; before and after."""
    from tricolore.meta.mixes import scaled

    found = [(label, clean.signed(label), spoiled.signed(label)) for label in [*based, *free]]
    for label in based:
        for partner in free:
            other = -scaled(clean, partner) if clean.lower(partner) else scaled(clean, partner)
            sign = "-" if clean.lower(partner) else "+"
            both = [
                (-1 if table.lower(label) else 1) * scaled(table, label) + other
                for table in (clean, spoiled)
            ]
            found.append((f"{label} {sign} {partner}", both[0], both[1]))
    return found
