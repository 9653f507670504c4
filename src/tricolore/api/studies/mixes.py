"""Sums and differences of measures (importance paper §5.3, table 1)."""

from __future__ import annotations

from collections.abc import Sequence

from tricolore.api.score_tables import ScoresOrFile, one_human_score, settled_table
from tricolore.api.studies.study import Study
from tricolore.arguments import check_arguments
from tricolore.data.empty import Empty
from tricolore.meta.bootstrap import bootstrap, draw_resamples, interval
from tricolore.meta.choices import SYMBOLS, Coefficient, Level
from tricolore.meta.intervals import few_systems_note, too_few_note
from tricolore.meta.mixes import ColumnMix, Scale, mixed
from tricolore.meta.mixes import mixes as rank_mixes
from tricolore.report.plots import Dot, Labels, dots
from tricolore.report.result_table import Number, ResultTable
from tricolore.report.statistics import note_sentences


def mixes(
    scores: ScoresOrFile,
    human: str = "",
    *,
    measures: str | Sequence[str] = "",
    level: Level = "system",
    coefficient: Coefficient = "spearman",
    scale: Scale = "range",
    top: int = 20,
    empty: Empty | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> Study[list[ColumnMix]]:
    """Rank all sums and differences of two measures by their agreement with a human score.

    Each measure alone is always in the table. The data of the study has all mixes, the best
    first.

    Args:
        scores: The path of a score file, a table of scores, or the result of `evaluate`.
        human: The human score to agree with; not needed if there is only one.
        measures: The measures, by label or its beginning; all if not given.
        level: What is correlated: "summary", "document" or "system".
        coefficient: Correlation coefficient.
        scale: What brings measures to comparable scales before they are added: division by the
            upper end of a measure's range ("range"), by its standard deviation ("spread"), or
            nothing ("none").
        top: How many mixes the table shows; 0 for all.
        empty: How an empty summary counts: as the worst possible value ("worst", the default)
            or not at all ("skip").
        resamples: Number of bootstrap resamples for the intervals.
        seed: Seed of the random resampling.
    """
    check_arguments(mixes, locals())
    table = settled_table(scores, empty)
    columns, quality = table.select(measures), one_human_score(table, human)
    judged, grid = table.human[quality], table.grid
    ranked = rank_mixes(table, columns, judged, level=level, statistic=coefficient, scale=scale)
    chosen = [mix for mix in ranked if mix.second][: top or None]
    shown = [mix for mix in ranked if not mix.second or mix in chosen]
    values = [mixed(table, mix, scale) for mix in shown]
    draws = draw_resamples(grid, "documents", resamples=resamples, seed=seed)
    spread = bootstrap(values, judged, grid, level, coefficient, draws)
    documents = len(grid.documents)
    symbol = SYMBOLS[coefficient]
    sheet = ResultTable(["mix", f"{symbol} with {quality}", "gain"])
    rows = []
    for mix, samples in zip(shown, spread, strict=True):
        value, (low, high) = mix.agreement.value, interval(samples, of=documents)
        sheet.add(mix.name, Number(value, low, high), Number(mix.gain) if mix.second else "")
        rows.append(Dot(mix.name, value, low, high, is_marked=bool(mix.second)))
    count = sum(bool(mix.second) for mix in ranked)
    sheet.notes = [
        f"{level.capitalize()} level, {count} mixes of {len(columns)} measures; 95 % interval, "
        "bootstrap over documents.",
        "Gain: over the better of the two measures alone. The best of many is partly luck: see "
        "how the intervals overlap.",
        *note_sentences([too_few_note(documents), few_systems_note(len(grid.systems), level)]),
    ]
    labels = Labels(f"{level}-level {symbol} with {quality}")
    return Study.of(ranked, sheet, lambda: dots(rows, labels), table.notes_on(columns))
