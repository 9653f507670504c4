"""Do more summaries per system give a better ranking? (Importance paper §5.1, figure 1.)"""

from __future__ import annotations

from collections.abc import Sequence

from tricolore.api.score_tables import (
    ScoresOrFile,
    check_systems,
    one_human_score,
    settled_table,
)
from tricolore.api.studies.study import Study
from tricolore.arguments import check_arguments
from tricolore.data.empty import Empty
from tricolore.errors import ReadError
from tricolore.meta.choices import SYMBOLS, Coefficient
from tricolore.meta.intervals import few_systems_note
from tricolore.meta.numeric.document_draws import Curve
from tricolore.meta.scaling import People
from tricolore.meta.scaling import scaling as curve_over_sizes
from tricolore.report.curves import curve_table, lines
from tricolore.report.plots import Labels, curves
from tricolore.report.statistics import note_sentences


def scaling(
    scores: ScoresOrFile,
    human: str = "",
    *,
    measures: str | Sequence[str] = "",
    sizes: Sequence[int] = (),
    human_means: People = "all",
    coefficient: Coefficient = "spearman",
    empty: Empty | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> Study[dict[str, Curve]]:
    """System-level correlation as a function of the number of summaries per system.

    The data of the study has one curve per measure.

    Args:
        scores: The path of a score file, a table of scores, or the result of `evaluate`.
        human: The human score to agree with; not needed if there is only one.
        measures: The measures, by label or its beginning; all if not given.
        sizes: Numbers of documents; ten steps up to all of them if not given.
        human_means: Documents over which human scores are averaged: all of them ("all"), or those
            that the measure is averaged over ("same").
        coefficient: Correlation coefficient.
        empty: How an empty summary counts: as the worst possible value ("worst", the default)
            or not at all ("skip").
        resamples: Number of random samples of documents of each size.
        seed: Seed of the random resampling.
    """
    check_arguments(scaling, locals())
    table = settled_table(scores, empty)
    columns, quality = table.select(measures), one_human_score(table, human)
    check_systems(table)
    try:
        found = {
            column: curve_over_sizes(
                table.signed(column),
                table.human[quality],
                table.grid,
                sizes=sizes,
                people=human_means,
                draws=resamples,
                seed=seed,
                coefficient=coefficient,
            )
            for column in columns
        }
    except ValueError as error:
        raise ReadError(f"{table.name}: {error}") from error
    symbol = SYMBOLS[coefficient]
    sheet = curve_table("summaries per system", found)
    sheet.notes.insert(
        0,
        f"System-level {symbol} with {quality}; mean and 95 % of {resamples} random samples of "
        "documents.",
    )
    sheet.notes += note_sentences([few_systems_note(len(table.grid.systems), "system")])
    labels = Labels("summaries per system", f"system-level {symbol} with {quality}")
    return Study.of(found, sheet, lambda: curves(lines(found), labels), table.notes_on(columns))
