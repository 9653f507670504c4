"""`tricolore study scaling`: more summaries a system, better agreement?"""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from tricolore.cli.options import (
    Columns,
    Draws,
    Empty,
    Plot,
    Quality,
    Scores,
    Seed,
    answer,
    begin,
    numbers,
    one_quality,
    want_systems,
)
from tricolore.cli.output import Format, Output
from tricolore.meta.choices import Coefficient


def scaling(
    scores: Scores,
    measures: Columns = "",
    empty: Empty = "worst",
    human: Quality = "",
    sizes: Annotated[
        str, typer.Option(help="Numbers of documents, with commas; ten steps if not said.")
    ] = "",
    people: Annotated[
        Literal["all", "same"],
        typer.Option(help="People's means: of all documents, or of the same as the measure's."),
    ] = "all",
    coefficient: Annotated[Coefficient, typer.Option(help="Of the agreement.")] = "spearman",
    draws: Draws = 1000,
    seed: Seed = 0,
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """System-level correlation as a function of the number of summaries a system.

    Importance paper §5.1, figure 1.
    """
    from tricolore.data.score_table import ScoreTable
    from tricolore.errors import ReadError
    from tricolore.meta.choices import SYMBOLS
    from tricolore.meta.scaling import scaling as scale
    from tricolore.report.curves import curve_table, lines
    from tricolore.report.plots import Labels, curves

    begin(plot)
    table = ScoreTable.read(scores).with_empty(empty)
    columns = table.select(measures)
    quality = one_quality(table.human, human, scores)
    want_systems(table, scores)
    try:
        found = {
            column: scale(
                table.signed(column),
                table.human[quality],
                table.grid,
                sizes=[int(size) for size in numbers(sizes, "--sizes")],
                people=people,
                draws=draws,
                seed=seed,
                coefficient=coefficient,
            )
            for column in columns
        }
    except ValueError as error:
        raise ReadError(f"{scores}: {error}") from error
    symbol = SYMBOLS[coefficient]
    sheet = curve_table("summaries a system", found)
    sheet.notes.insert(
        0, f"System-level {symbol} with {quality}; mean and 95 % of {draws} draws of documents."
    )
    labels = Labels("summaries a system", f"system-level {symbol} with {quality}")
    answer(
        sheet, format, output, plot, lambda: curves(lines(found), labels), table.notes_on(columns)
    )
