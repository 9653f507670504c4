"""`tricolore study spurious`: does a measure follow length or copying?"""

from __future__ import annotations

from typing import Annotated

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
    Scores,
)
from tricolore.cli.output import begin, present

EXAMPLES = """
tricolore score examples/judged.jsonl -m rouge,chrf,coverage,length -o scores.parquet

tricolore study spurious scores.parquet --human coherence
"""


def spurious(
    scores: Scores,
    measures: Measures = "",
    empty: Empty = "worst",
    human: Human = "",
    correlates: Annotated[
        str,
        typer.Option(
            metavar="SPECS",
            help="Columns of what should not matter, separated by commas.",
            show_default="coverage, density, compression, length and novelty",
        ),
    ] = "",
    level: LevelOption = "summary",
    coefficient: CoefficientOption = "spearman",
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """Show whether measures follow length or copying rather than quality.

    Shows its correlation with coverage, density, compression, length and novelty
    beside that with human scores, and marks those that are stronger than any of
    the human scores. Importance paper, appendix A.1, table 2.
    """
    from tricolore.api.studies import spurious as run

    form = begin(format, output, plot)
    study = run(
        scores,
        human,
        measures=measures,
        correlates=correlates,
        level=level,
        coefficient=coefficient,
        empty=empty,
    )
    present(study, form, output, plot)
