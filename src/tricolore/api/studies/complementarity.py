"""How differently measures rank (importance paper §5.3, figure 3; Colombo et al. 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tricolore.api.score_tables import ScoresOrFile, settled_table
from tricolore.api.studies.study import Study
from tricolore.arguments import check_arguments
from tricolore.arrays import Floats
from tricolore.data.empty import Empty
from tricolore.meta.choices import Coefficient
from tricolore.meta.complementarity import RankedItems
from tricolore.meta.complementarity import complementarity as rank_differently
from tricolore.meta.intervals import few_systems_note
from tricolore.report.plots import heatmap
from tricolore.report.result_table import Number, ResultTable
from tricolore.report.statistics import note_sentences

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_RANKED = {
    "document": "the systems within each document, averaged",
    "system": "the systems by their means",
    "summary": "all summaries",
    "means": "the documents by their means over systems",
}


def complementarity(
    scores: ScoresOrFile,
    *,
    measures: str | Sequence[str] = "",
    rank: RankedItems = "document",
    coefficient: Coefficient = "kendall-b",
    empty: Empty | None = None,
) -> Study[Floats]:
    """How differently every two measures rank: 0 for the same order, 1 for the reverse.

    The data of the study is a matrix with one row and one column per measure.

    Args:
        scores: The path of a score file, a table of scores, or the result of `evaluate`.
        measures: The measures, by label or its beginning; all if not given.
        rank: What is ranked: the systems within each document ("document"), the systems by their
            means ("system"), all summaries ("summary"), or the documents by their means
            ("means").
        coefficient: Correlation coefficient of two rankings.
        empty: How an empty summary counts: as the worst possible value ("worst", the default)
            or not at all ("skip").
    """
    check_arguments(complementarity, locals())
    table = settled_table(scores, empty)
    columns = table.select(measures)
    found = rank_differently(table, columns, rank, coefficient)
    sheet = ResultTable(["complementarity", *columns])
    for name, row in zip(columns, found, strict=True):
        sheet.add(name, *(Number(float(value)) for value in row))
    level = rank if rank in ("document", "system") else "summary"
    sheet.notes = [
        f"(1 − {coefficient}) / 2 of the ranking of {_RANKED[rank]}.",
        *note_sentences([few_systems_note(len(table.grid.systems), level)]),
    ]
    top = max(0.1, np.ceil(10 * np.nanmax(found, initial=0.0)) / 10)

    def draw() -> Figure:
        return heatmap(found, columns, columns, "complementarity", reach=(0.0, float(top)))

    return Study.of(found, sheet, draw, table.notes_on(columns))
