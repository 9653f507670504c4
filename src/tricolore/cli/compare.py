"""`tricolore compare`: which system is better, and whether that is significant."""

from __future__ import annotations

from typing import Annotated

import typer

from tricolore.cli.options import (
    CsvFormulasOption,
    Empty,
    Format,
    Measures,
    Output,
    Pairs,
    Permutations,
    ReportFile,
    Resamples,
    Scores,
    Seed,
    Systems,
)
from tricolore.cli.output import begin, begin_report, put, put_report

EXAMPLES = """
tricolore score examples/judged.jsonl -m rouge,chrf,coverage,length -o scores.parquet

tricolore compare scores.parquet

tricolore compare scores.parquet --systems lead,rewrite -m rouge-1
"""


def compare(
    scores: Scores,
    systems: Systems = "",
    measures: Measures = "",
    empty: Empty = "worst",
    pairs: Pairs = False,
    alpha: Annotated[
        float,
        typer.Option(
            min=0.0, max=1.0, metavar="P", help="Significance level of corrected p-values."
        ),
    ] = 0.05,
    resamples: Resamples = 10_000,
    permutations: Permutations = 0,
    seed: Seed = 0,
    format: Format = None,
    output: Output = "",
    csv_formulas: CsvFormulasOption = "protect",
    report: ReportFile = "",
) -> None:
    """Compare systems by measures, and test whether the differences are significant.

    With two systems, the table has one row per measure with the difference, its
    interval and its p-value. With more systems it is a ranking, in which systems
    that do not differ significantly share a rank. All systems are compared on
    the same documents.
    """
    from tricolore.api.compare import compare as compare_systems

    form = begin(format, output)
    begin_report(report)
    found = compare_systems(
        scores,
        systems=systems,
        measures=measures,
        empty=empty,
        alpha=alpha,
        resamples=resamples,
        permutations=permutations,
        seed=seed,
    )
    put(found.sheets(form, pairs=pairs), form, output, csv_formulas=csv_formulas)
    put_report(report, found, alpha=alpha, seed=seed)
