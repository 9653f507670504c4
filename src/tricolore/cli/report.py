"""`tricolore report`: one HTML page of scores, to look at and to share."""

from __future__ import annotations

from typing import Annotated

import typer

from tricolore.cli.options import Empty, MostExamples, Output, Scores, Seed
from tricolore.cli.output import print_lines

EXAMPLES = """
tricolore score examples/judged.jsonl -o scores.parquet --evidence

tricolore report scores.parquet --examples examples/judged.jsonl -o report.html
"""


def report(
    scores: Scores,
    examples: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            rich_help_panel="Input",
            show_default=False,
            help="File of summaries with their sources that was scored: shows the texts, with the "
            "evidence if the scores were written with --evidence.",
        ),
    ] = "",
    output: Output = "report.html",
    title: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            rich_help_panel="Output",
            show_default="the name of the score file",
            help="Title of the page.",
        ),
    ] = "",
    most_examples: MostExamples = 2000,
    empty: Empty = "worst",
    alpha: Annotated[
        float,
        typer.Option(
            min=0.0, max=1.0, metavar="P", help="Significance level of corrected p-values."
        ),
    ] = 0.05,
    seed: Seed = 0,
) -> None:
    """Make an HTML page of a score file.

    One file that needs no network: the answer in words, the systems with intervals and ranks,
    distributions, how measures relate to each other, to human scores, to length and copying, and
    the examples with the evidence marked in their texts. Without -o it is report.html.
    """
    from tricolore.api.report import report as make_report

    make_report(
        scores,
        examples or None,
        output=output,
        title=title,
        empty=empty,
        alpha=alpha,
        most_examples=most_examples,
        seed=seed,
    )
    print_lines([f"Report: {output}"], "dim", stderr=True)
