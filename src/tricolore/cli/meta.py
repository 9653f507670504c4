"""`tricolore meta`: how well measures agree with human scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tricolore.arguments import MOST_RESAMPLES
from tricolore.cli.options import (
    LEVEL_HELP,
    RESAMPLES_HELP,
    Control,
    CsvFormulasOption,
    Empty,
    Format,
    Human,
    Measures,
    Output,
    Pairs,
    Permutations,
    ReportFile,
    Scores,
    Seed,
)
from tricolore.cli.output import begin, begin_report, put, put_report

if TYPE_CHECKING:
    from tricolore.report.statistics import TitledTable


EXAMPLES = """
tricolore score examples/judged.jsonl -m rouge,chrf,coverage,length -o scores.parquet

tricolore meta scores.parquet --human coherence

tricolore meta scores.parquet --level summary --better-than length

tricolore meta scores.parquet --level summary --control coverage,length
"""


def meta(
    scores: Scores,
    human: Human = "",
    measures: Measures = "",
    empty: Empty = "worst",
    level: Annotated[
        Literal["summary", "document", "system", "all"], typer.Option(help=LEVEL_HELP)
    ] = "all",
    statistics: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Statistics to show with intervals, separated by commas: spearman, kendall-a, "
            "kendall-b, kendall-c, pearson, mae, or all (without kendall-a). Tables are sorted by "
            "the first one.",
        ),
    ] = "spearman",
    control: Control = "",
    pairs: Pairs = False,
    better_than: Annotated[
        str,
        typer.Option(
            metavar="SPEC", show_default=False, help="Test all measures against this one."
        ),
    ] = "",
    test: Annotated[
        Literal["permutation", "williams"],
        typer.Option(help="Significance test for pairs of measures."),
    ] = "permutation",
    permutations: Permutations = 0,
    resamples: Annotated[
        int,
        typer.Option(
            min=0, max=MOST_RESAMPLES, metavar="N", help=RESAMPLES_HELP, rich_help_panel="Run"
        ),
    ] = 1000,
    over: Annotated[
        Literal["documents", "systems", "both"],
        typer.Option(
            help="What is resampled for intervals, and permuted in tests.", rich_help_panel="Run"
        ),
    ] = "both",
    seed: Seed = 0,
    format: Format = None,
    output: Output = "",
    csv_formulas: CsvFormulasOption = "protect",
    report: ReportFile = "",
) -> None:
    """Show how well measures agree with human scores.

    Shows correlations or errors at the summary, document and system level, with
    p-values and bootstrap intervals. With --control they are partial
    correlations. With --pairs or --better-than it tests which measures agree
    significantly better than others. The score file must have human scores.
    """
    from tricolore.api.agreement import agreement, compare_measures
    from tricolore.errors import SpecError
    from tricolore.report.terminal import console

    form = begin(format, output)
    begin_report(report)
    sheets: list[TitledTable]
    if control and (pairs or better_than):
        raise SpecError(
            "pairs of measures are tested by their plain correlations, without controls",
            "leave out --control, or --pairs and --better-than",
        )
    if report and (pairs or better_than):
        raise SpecError(
            "a report shows the agreement of measures, not the tests of pairs",
            "leave out --report, or --pairs and --better-than",
        )
    if pairs or better_than:
        sheets = compare_measures(
            scores,
            human,
            measures=measures,
            better_than=better_than,
            level=level,
            statistic=statistics,
            test=test,
            permutations=permutations,
            empty=empty,
            over=over,
            seed=seed,
        ).sheets(form)
    else:
        found = agreement(
            scores,
            human,
            measures=measures,
            level=level,
            statistics=statistics,
            control=control,
            empty=empty,
            resamples=resamples,
            over=over,
            seed=seed,
        )
        is_on_screen = form == "table" and not output
        sheets = found.sheets(form, screen=console() if is_on_screen else None)
        put_report(report, found, seed=seed)
    put(sheets, form, output, csv_formulas=csv_formulas)
