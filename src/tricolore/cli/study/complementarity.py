"""`tricolore study complementarity`: how differently measures rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tricolore.cli.options import Columns, Empty, Plot, Scores, answer, begin
from tricolore.cli.output import Format, Output
from tricolore.meta.choices import Coefficient

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def complementarity(
    scores: Scores,
    measures: Columns = "",
    empty: Empty = "worst",
    rank: Annotated[
        Literal["document", "system", "summary", "means"],
        typer.Option(
            help="What is ranked: the systems in each document, the systems by their means, all "
            "summaries, or the documents by their means."
        ),
    ] = "document",
    coefficient: Annotated[Coefficient, typer.Option(help="Of the rankings.")] = "kendall-b",
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """How differently every two measures rank: 0 for the same order, 1 for the reverse.

    Importance paper §5.3, figure 3; Colombo et al. 2023.
    """
    import numpy as np

    from tricolore.data.score_table import ScoreTable
    from tricolore.meta.complementarity import complementarity as compare
    from tricolore.report.plots import heatmap
    from tricolore.report.result_table import Number, ResultTable

    begin(plot)
    table = ScoreTable.read(scores).with_empty(empty)
    columns = table.select(measures)
    found = compare(table, columns, rank, coefficient)
    sheet = ResultTable(["complementarity", *columns])
    for name, row in zip(columns, found, strict=True):
        sheet.add(name, *(Number(float(value)) for value in row))
    sheet.notes = [f"(1 − {coefficient}) / 2 of the ranking of {_WHAT[rank]}."]
    top = max(0.1, np.ceil(10 * np.nanmax(found, initial=0.0)) / 10)

    def draw() -> Figure:
        return heatmap(found, columns, columns, "complementarity", reach=(0.0, float(top)))

    answer(sheet, format, output, plot, draw, table.notes_on(columns))


_WHAT = {
    "document": "the systems within each document, averaged",
    "system": "the systems by their means",
    "summary": "all summaries",
    "means": "the documents by their means over systems",
}
