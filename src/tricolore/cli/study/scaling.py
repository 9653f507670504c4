"""`tricolore study scaling`: do more summaries per system give a better ranking?"""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from tricolore.cli.options import (
    Coefficient,
    Columns,
    Empty,
    Plot,
    Quality,
    Resamples,
    Scores,
    Seed,
    begin,
    numbers,
)
from tricolore.cli.output import Format, Output
from tricolore.cli.study.present import present


def scaling(
    scores: Scores,
    measures: Columns = "",
    empty: Empty = "worst",
    human: Quality = "",
    sizes: Annotated[
        str,
        typer.Option(
            help="Numbers of documents, separated by commas; ten steps by default.",
            show_default=False,
        ),
    ] = "",
    human_means: Annotated[
        Literal["all", "same"],
        typer.Option(
            help="Documents over which human scores are averaged: all of them, or the same sample "
            "as for the measure."
        ),
    ] = "all",
    coefficient: Annotated[Coefficient, typer.Option(help="Correlation coefficient.")] = "spearman",
    resamples: Resamples = 1000,
    seed: Seed = 0,
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """Does a measure rank systems better when it sees more summaries of each?

    Shows the system-level correlation as a function of the number of summaries
    per system. Importance paper §5.1, figure 1.

    Example: tricolore study scaling scores.parquet --human coherence -m rouge-1
    """
    from tricolore.api.studies import scaling as run

    begin(plot)
    study = run(
        scores,
        human,
        measures=measures,
        sizes=[int(size) for size in numbers(sizes, "--sizes")],
        human_means=human_means,
        coefficient=coefficient,
        empty=empty,
        resamples=resamples,
        seed=seed,
    )
    present(study, format, output, plot)
