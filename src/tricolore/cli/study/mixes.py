"""`tricolore study mixes`: sums and differences of measures."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from tricolore.cli.options import (
    CoefficientOption,
    Empty,
    Format,
    Human,
    LevelOption,
    Measures,
    Output,
    Plot,
    Resamples,
    Scores,
    Seed,
)
from tricolore.cli.output import begin, present

EXAMPLES = """
tricolore score examples/judged.jsonl -m rouge,chrf,coverage,length -o scores.parquet

tricolore study mixes scores.parquet --human coherence
"""


def mixes(
    scores: Scores,
    measures: Measures = "",
    empty: Empty = "worst",
    human: Human = "",
    level: LevelOption = "system",
    coefficient: CoefficientOption = "spearman",
    scale: Annotated[
        Literal["range", "spread", "none"],
        typer.Option(
            help="What a measure is divided by before it is added: the upper end of its range, "
            "its standard deviation, or nothing."
        ),
    ] = "range",
    top: Annotated[
        int, typer.Option(min=0, metavar="N", help="Number of mixes that are shown; 0 for all.")
    ] = 20,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """Find the two measures that together agree best with a human score.

    Ranks all sums and differences of two measures. Each measure alone is always
    shown. Importance paper §5.3, table 1.
    """
    from tricolore.api.studies import mixes as run

    form = begin(format, output, plot)
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
    present(study, form, output, plot)
