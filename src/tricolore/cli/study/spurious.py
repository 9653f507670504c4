"""`tricolore study spurious`: does a measure follow length or copying?"""

from __future__ import annotations

from typing import Annotated

import typer

from tricolore.cli.options import Coefficient, Columns, Empty, Level, Plot, Scores, begin
from tricolore.cli.output import Format, Output
from tricolore.cli.study.present import present


def spurious(
    scores: Scores,
    measures: Columns = "",
    empty: Empty = "worst",
    human: Annotated[
        str,
        typer.Option(
            help="Names of the human scores, separated by commas; all by default.",
            show_default=False,
        ),
    ] = "",
    correlates: Annotated[
        str,
        typer.Option(
            help="Columns of what should not matter, separated by commas; by default "
            "coverage, density, compression, length and novelty.",
            show_default=False,
        ),
    ] = "",
    level: Annotated[
        Level, typer.Option(help="Level at which measures are correlated.")
    ] = "summary",
    coefficient: Annotated[Coefficient, typer.Option(help="Correlation coefficient.")] = "spearman",
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """Does a measure follow length or copying rather than quality?

    Shows its correlation with coverage, density, compression, length and novelty
    beside that with human scores, and marks those that are stronger than any of
    the human scores. Importance paper, appendix A.1, table 2.

    Example: tricolore study spurious scores.parquet --human coherence
    """
    from tricolore.api.studies import spurious as run

    begin(plot)
    study = run(
        scores,
        human,
        measures=measures,
        correlates=correlates,
        level=level,
        coefficient=coefficient,
        empty=empty,
    )
    present(study, format, output, plot)
