"""`tricolore study ranges`: where the values of a measure lie for kinds of summaries."""

from __future__ import annotations

from tricolore.cli.options import Columns, Empty, Plot, Scores, answer, begin
from tricolore.cli.output import Format, Output


def ranges(
    scores: Scores,
    measures: Columns = "",
    empty: Empty = "worst",
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """The range of values of each measure for each kind of summaries: the `system` of a row.

    Importance paper, appendix A.3, figures 6 and 7. A plot takes one measure.
    """
    from tricolore.data.score_table import ScoreTable
    from tricolore.errors import ReadError
    from tricolore.meta.ranges import ranges as spread
    from tricolore.report.plots import Box, Labels, boxes
    from tricolore.report.result_table import Number, ResultTable

    begin(plot)
    table = ScoreTable.read(scores).with_empty(empty)
    columns = table.select(measures)
    if plot and len(columns) > 1:
        raise ReadError(f"a plot takes one measure; choose with -m one of {', '.join(columns)}")
    heads = ["lowest", "5 %", "25 %", "median", "75 %", "95 %", "highest", "mean"]
    sheet = ResultTable(["kind", "measure", *heads, "summaries"])
    found = {}
    for column in columns:
        found[column] = spread(table.values[column], table.grid.system, table.grid.systems)
        for one in found[column]:
            figures = [Number(value) for value in (*one.quantiles, one.mean)]
            missing = f" ({one.left_out} missing)" if one.left_out else ""
            sheet.add(one.kind or "(all)", column, *figures, f"{one.n}{missing}")
    groups = [
        Box(one.kind or "(all)", one.quantiles[1:-1], one.mean)
        for one in found[columns[0]]
        if one.n
    ]
    sheet.notes = ["Kinds are the systems of the rows."]
    answer(
        sheet,
        format,
        output,
        plot,
        lambda: boxes(groups, Labels(columns[0])),
        table.notes_on(columns),
    )
