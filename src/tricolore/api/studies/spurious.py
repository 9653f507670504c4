"""Does a measure follow length or copying more than quality? (Importance paper A.1, table 2.)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tricolore.api.score_tables import ScoresOrFile, settled_table
from tricolore.api.studies.study import Study
from tricolore.arguments import check_arguments
from tricolore.data.empty import Empty
from tricolore.errors import ReadError
from tricolore.meta.choices import SYMBOLS, Coefficient, Level
from tricolore.meta.intervals import few_systems_note
from tricolore.meta.spurious import Spurious, correlate_columns
from tricolore.meta.spurious import spurious as correlate_with_all
from tricolore.report.plots import heatmap
from tricolore.report.result_table import Number, ResultTable
from tricolore.report.statistics import note_sentences
from tricolore.spec import split_specs

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def spurious(
    scores: ScoresOrFile,
    human: str | Sequence[str] = (),
    *,
    measures: str | Sequence[str] = "",
    correlates: str | Sequence[str] = "",
    level: Level = "summary",
    coefficient: Coefficient = "spearman",
    empty: Empty | None = None,
) -> Study[list[Spurious]]:
    """Correlation with length, copying and the like beside that with human scores.

    The data of the study has one entry per measure. A correlation is marked in the table where it
    is stronger than with any human score.

    Args:
        scores: The path of a score file, a table of scores, or the result of `evaluate`.
        human: The human scores; all if none are named.
        measures: The measures, by label or its beginning; all but the correlates if not given.
        correlates: Columns of what should not matter; coverage, density, compression, length and
            novelty if not given.
        level: What is correlated: "summary", "document" or "system".
        coefficient: Correlation coefficient.
        empty: How an empty summary counts: as the worst possible value ("worst", the default)
            or not at all ("skip").
    """
    check_arguments(spurious, locals())
    table = settled_table(scores, empty)
    given = split_specs(correlates) if isinstance(correlates, str) else correlates
    others = correlate_columns(table, given)
    columns = table.select(measures)
    if not measures:
        columns = [column for column in columns if column not in others]
    if not columns:
        raise ReadError(f"{table.name} has no measure but the correlates: {', '.join(others)}")
    qualities = table.qualities(human)
    found = correlate_with_all(
        table, columns, qualities, others, level=level, statistic=coefficient
    )
    name = f"{level}-level {SYMBOLS[coefficient]}"
    marks = sum(one.is_higher(other) for one in found for other in one.correlates)
    sheet = ResultTable(["measure", *qualities, *others])
    for one in found:
        sheet.add(one.column, *_figures(one, qualities, others))
    sheet.notes = [
        f"{name[0].upper()}{name[1:]}. {marks} marked: stronger than with any of the human "
        "scores, in either direction.",
        *note_sentences([few_systems_note(len(table.grid.systems), level)]),
    ]

    def draw() -> Figure:
        cells = [_figures(one, qualities, others) for one in found]
        return heatmap(
            np.array([[cell.value for cell in row] for row in cells]),
            columns,
            [*qualities, *others],
            name,
            reach=(-1.0, 1.0),
            marked=np.array([[cell.is_marked for cell in row] for row in cells]),
            gap_before=len(qualities),
        )

    return Study.of(found, sheet, draw, table.notes_on([*columns, *others]))


def _figures(one: Spurious, qualities: Sequence[str], others: Sequence[str]) -> list[Number]:
    """The cells of a row; a correlate is not compared with itself."""
    known = [Number(one.human[quality].value) for quality in qualities]
    seen = [
        Number(one.correlates[other].value, is_marked=one.is_higher(other))
        if other in one.correlates
        else Number(float("nan"))
        for other in others
    ]
    return [*known, *seen]
