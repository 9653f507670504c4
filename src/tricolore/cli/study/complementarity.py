"""`tricolore study complementarity`: how differently measures rank."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from tricolore.cli.options import CoefficientOption, Empty, Format, Measures, Output, Plot, Scores
from tricolore.cli.output import begin, present

EXAMPLES = """
tricolore score examples/judged.jsonl -m rouge,chrf,coverage,length -o scores.parquet

tricolore study complementarity scores.parquet
"""


def complementarity(
    scores: Scores,
    measures: Measures = "",
    empty: Empty = "worst",
    rank: Annotated[
        Literal["document", "system", "summary", "means"],
        typer.Option(
            help="What is ranked: the systems in each document, the systems by their means, all "
            "summaries, or the documents by their means."
        ),
    ] = "document",
    coefficient: CoefficientOption = "kendall-b",
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """Show how differently measures rank: 0 is the same order, 1 the reverse.

    Importance paper §5.3, figure 3; Colombo et al. 2023.
    """
    from tricolore.api.studies import complementarity as run

    form = begin(format, output, plot)
    study = run(scores, measures=measures, rank=rank, coefficient=coefficient, empty=empty)
    present(study, form, output, plot)
