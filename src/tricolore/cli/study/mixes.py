"""`tricolore study mixes`: sums and differences of measures."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from tricolore.cli.options import (
    Coefficient,
    Columns,
    Empty,
    Level,
    Plot,
    Quality,
    Resamples,
    Scores,
    Seed,
    begin,
)
from tricolore.cli.output import Format, Output
from tricolore.cli.study.present import present


def mixes(
    scores: Scores,
    measures: Columns = "",
    empty: Empty = "worst",
    human: Quality = "",
    level: Annotated[
        Level, typer.Option(help="Level at which mixes are correlated with the human score.")
    ] = "system",
    coefficient: Annotated[Coefficient, typer.Option(help="Correlation coefficient.")] = "spearman",
    scale: Annotated[
        Literal["range", "spread", "none"],
        typer.Option(
            help="What a measure is divided by before it is added: the upper end of its range, "
            "its standard deviation, or nothing."
        ),
    ] = "range",
    top: Annotated[
        int, typer.Option(min=0, help="Number of mixes that are shown; 0 for all.")
    ] = 20,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """Which two measures together agree best with a human score?

    Ranks all sums and differences of two measures. Each measure alone is always
    shown. Importance paper §5.3, table 1.

    Example: tricolore study mixes scores.parquet --human coherence
    """
    from tricolore.api.studies import mixes as run

    begin(plot)
    study = run(
        scores,
        human,
        measures=measures,
        level=level,
        coefficient=coefficient,
        scale=scale,
        top=top,
        empty=empty,
        resamples=resamples,
        seed=seed,
    )
    present(study, format, output, plot)
