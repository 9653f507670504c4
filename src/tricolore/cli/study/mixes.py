"""`tricolore study mixes`: sums and differences of measures."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from tricolore.cli.options import (
    Columns,
    Empty,
    Plot,
    Quality,
    Resamples,
    Scores,
    Seed,
    answer,
    begin,
    one_quality,
)
from tricolore.cli.output import Format, Output
from tricolore.meta.choices import Coefficient, Level


def mixes(
    scores: Scores,
    measures: Columns = "",
    empty: Empty = "worst",
    human: Quality = "",
    level: Annotated[Level, typer.Option(help="Of the agreement.")] = "system",
    coefficient: Annotated[Coefficient, typer.Option(help="Of the agreement.")] = "spearman",
    scale: Annotated[
        Literal["range", "spread", "none"],
        typer.Option(help="Before adding: by the measure's range, by its spread, or as it is."),
    ] = "range",
    top: Annotated[int, typer.Option(min=0, help="Show so many mixes; 0 for all.")] = 20,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """Rank all sums and differences of two measures by their agreement with people.

    Importance paper §5.3, table 1. Each measure alone is always shown.
    """
    from tricolore.data.score_table import ScoreTable
    from tricolore.meta.bootstrap import bootstrap, draw_resamples, interval
    from tricolore.meta.choices import SYMBOLS
    from tricolore.meta.intervals import too_few_note
    from tricolore.meta.mixes import mixed
    from tricolore.meta.mixes import mixes as rank_mixes
    from tricolore.report.plots import Dot, Labels, dots
    from tricolore.report.result_table import Number, ResultTable

    begin(plot)
    table = ScoreTable.read(scores).with_empty(empty)
    columns = table.select(measures)
    quality = one_quality(table.human, human, scores)
    people = table.human[quality]
    ranked = rank_mixes(table, columns, people, level=level, statistic=coefficient, scale=scale)
    chosen = [m for m in ranked if m.second][: top or None]
    shown = [mix for mix in ranked if not mix.second or mix in chosen]
    draws = draw_resamples(table.grid, "documents", resamples=resamples, seed=seed)
    values = [mixed(table, mix, scale) for mix in shown]
    spread = bootstrap(values, people, table.grid, level, coefficient, draws)
    documents = len(table.grid.documents)
    ends = [interval(row, of=documents) for row in spread]
    symbol = SYMBOLS[coefficient]
    sheet = ResultTable(["mix", f"{symbol} with {quality}", "gain"])
    rows = []
    for mix, (low, high) in zip(shown, ends, strict=True):
        value = mix.agreement.value
        sheet.add(mix.name, Number(value, low, high), Number(mix.gain) if mix.second else "")
        rows.append(Dot(mix.name, value, low, high, is_marked=bool(mix.second)))
    count = sum(bool(mix.second) for mix in ranked)
    sheet.notes = [
        f"{level.capitalize()} level, {count} mixes of {len(columns)} measures; 95 % interval, "
        "bootstrap over documents.",
        "Gain: over the better of its two alone. The best of many is partly luck: see how the "
        "intervals overlap.",
        *([f"{too_few_note(documents).capitalize()}."] if too_few_note(documents) else []),
    ]
    labels = Labels(f"{level}-level {symbol} with {quality}")
    answer(sheet, format, output, plot, lambda: dots(rows, labels), table.notes_on(columns))
