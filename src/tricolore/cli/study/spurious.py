"""`tricolore study spurious`: does a measure go by length or copying?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tricolore.cli.options import Columns, Empty, Plot, Scores, answer, begin
from tricolore.cli.output import Format, Output
from tricolore.meta.choices import Coefficient, Level

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def spurious(
    scores: Scores,
    measures: Columns = "",
    empty: Empty = "worst",
    human: Annotated[str, typer.Option(help="Human qualities, with commas; all if not said.")] = "",
    correlates: Annotated[
        str,
        typer.Option(
            help="Columns; coverage, density, compression, length and novelty if not said."
        ),
    ] = "",
    level: Annotated[Level, typer.Option(help="Of the correlations.")] = "summary",
    coefficient: Annotated[Coefficient, typer.Option(help="Of the correlations.")] = "spearman",
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """Correlation with coverage, density, compression, length and novelty beside that with people.

    Importance paper, appendix A.1, table 2. Marked where it is higher than with people.
    """
    import numpy as np

    from tricolore.data.score_table import ScoreTable
    from tricolore.errors import ReadError
    from tricolore.meta.choices import SYMBOLS
    from tricolore.meta.spurious import correlate_columns
    from tricolore.meta.spurious import spurious as compare
    from tricolore.report.plots import heatmap
    from tricolore.report.result_table import Number, ResultTable
    from tricolore.spec import split_specs

    begin(plot)
    table = ScoreTable.read(scores).with_empty(empty)
    others = correlate_columns(table, split_specs(correlates))
    columns = table.select(measures)
    if not measures:
        columns = [column for column in columns if column not in others]
    if not columns:
        raise ReadError(f"{table.name} has no measure but the correlates: {', '.join(others)}")
    qualities = table.qualities(human)
    found = compare(table, columns, qualities, others, level=level, statistic=coefficient)
    sheet = ResultTable(["measure", *qualities, *others])
    for one in found:
        known = [Number(one.human[quality].value) for quality in qualities]
        seen = [
            Number(one.correlates[other].value, is_marked=one.is_higher(other))
            if other in one.correlates
            else Number(float("nan"))
            for other in others
        ]
        sheet.add(one.column, *known, *seen)
    marks = sum(one.is_higher(other) for one in found for other in one.correlates)
    sheet.notes = [
        f"{level.capitalize()}-level {SYMBOLS[coefficient]}. {marks} marked: stronger than with "
        "any of people's scores, whichever way it goes."
    ]

    def draw() -> Figure:
        cells = [[cell for cell in row[1:] if isinstance(cell, Number)] for row in sheet.rows]
        return heatmap(
            np.array([[cell.value for cell in row] for row in cells]),
            columns,
            [*qualities, *others],
            f"{level}-level {SYMBOLS[coefficient]}",
            reach=(-1.0, 1.0),
            marked=np.array([[cell.is_marked for cell in row] for row in cells]),
            gap_before=len(qualities),
        )

    answer(sheet, format, output, plot, draw, table.notes_on([*columns, *others]))
