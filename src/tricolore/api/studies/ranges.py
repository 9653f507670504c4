"""Where the values of a measure lie for kinds of summaries (importance paper A.3, figs. 6, 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tricolore.api.score_tables import ScoresOrFile, settled_table
from tricolore.api.studies.study import Study
from tricolore.arguments import check_arguments
from tricolore.data.empty import Empty
from tricolore.errors import TricoloreError
from tricolore.meta.ranges import Range
from tricolore.meta.ranges import ranges as quantiles_of
from tricolore.report.plots import Box, Labels, boxes
from tricolore.report.result_table import Number, ResultTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEADERS = ["lowest", "5 %", "25 %", "median", "75 %", "95 %", "highest", "mean"]


def ranges(
    scores: ScoresOrFile, *, measures: str | Sequence[str] = "", empty: Empty | None = None
) -> Study[dict[str, list[Range]]]:
    """The range of values of each measure for each kind of summaries: the `system` of a row.

    The data of the study has one range per kind, by measure. The figure shows one measure.

    Args:
        scores: The path of a score file, a table of scores, or the result of `evaluate`.
        measures: The measures, by label or its beginning; all if not given.
        empty: How an empty summary counts: as the worst possible value ("worst", the default)
            or not at all ("skip").
    """
    check_arguments(ranges, locals())
    table = settled_table(scores, empty)
    columns = table.select(measures)
    sheet = ResultTable(["kind", "measure", *_HEADERS, "summaries"])
    found = {}
    for column in columns:
        found[column] = quantiles_of(table.values[column], table.grid.system, table.grid.systems)
        for one in found[column]:
            figures = [Number(value) for value in (*one.quantiles, one.mean)]
            missing = f" ({one.left_out} missing)" if one.left_out else ""
            sheet.add(one.kind or "(all)", column, *figures, f"{one.n}{missing}")
    sheet.notes = ["Kinds are the systems of the rows."]

    def draw() -> Figure:
        if len(columns) > 1:
            raise TricoloreError(
                f"a figure shows one measure, not {len(columns)}",
                f"choose one of {', '.join(columns)}",
                argument="measures",
            )
        [(name, own)] = found.items()
        groups = [Box(o.kind or "(all)", o.quantiles[1:-1], o.mean) for o in own if o.n]
        return boxes(groups, Labels(name))

    return Study.of(found, sheet, draw, table.notes_on(columns))
