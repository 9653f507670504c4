"""`tricolore study scaling`: do more summaries per system give a better ranking?"""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from tricolore.cli.options import (
    CoefficientOption,
    Empty,
    Format,
    Human,
    Measures,
    Output,
    Plot,
    Resamples,
    Scores,
    Seed,
)
from tricolore.cli.output import begin, present
from tricolore.cli.study.lists import numbers

EXAMPLES = """
tricolore score examples/judged.jsonl -m rouge,chrf,coverage,length -o scores.parquet

tricolore study scaling scores.parquet --human coherence
"""


def scaling(
    scores: Scores,
    measures: Measures = "",
    empty: Empty = "worst",
    human: Human = "",
    sizes: Annotated[
        str,
        typer.Option(
            metavar="NUMBERS",
            help="Numbers of documents, separated by commas.",
            show_default="ten steps",
        ),
    ] = "",
    human_means: Annotated[
        Literal["all", "same"],
        typer.Option(
            help="Documents over which human scores are averaged: all of them, or the same sample "
            "as for the measure."
        ),
    ] = "all",
    coefficient: CoefficientOption = "spearman",
    resamples: Resamples = 1000,
    seed: Seed = 0,
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """Show how well measures rank systems, by the number of summaries per system.

    Shows the system-level correlation as a function of the number of summaries
    per system. Importance paper §5.1, figure 1.
    """
    from tricolore.api.studies import scaling as run

    form = begin(format, output, plot)
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
    present(study, form, output, plot)
