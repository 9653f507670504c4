"""`tricolore meta`: how well measures agree with human scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tricolore.cli.options import Empty, Format, Measures, Output, Scores, Seed
from tricolore.cli.output import form_of, put

if TYPE_CHECKING:
    from tricolore.report.statistics import Titled

_PAIRS, _RUN = "Is one measure better than another?", "Run"

EXAMPLES = """
tricolore meta scores.parquet --human coherence
"""


def meta(
    scores: Scores,
    human: Annotated[
        str,
        typer.Option(
            help="Names of the human scores to agree with, separated by commas.",
            show_default="all",
        ),
    ] = "",
    measures: Measures = "",
    empty: Empty = "worst",
    level: Annotated[
        Literal["summary", "document", "system", "all"],
        typer.Option(
            help="What is correlated: all summaries, the summaries of each document, the means of "
            "systems, or each of these."
        ),
    ] = "all",
    statistics: Annotated[
        str,
        typer.Option(
            help="Statistics to show with intervals, separated by commas: spearman, kendall-b, "
            "kendall-c, pearson, mae, or all. Tables are sorted by the first one."
        ),
    ] = "spearman",
    pairs: Annotated[
        bool,
        typer.Option("--pairs", help="Test every pair of measures.", rich_help_panel=_PAIRS),
    ] = False,
    better_than: Annotated[
        str,
        typer.Option(
            help="Test all measures against this one.", rich_help_panel=_PAIRS, show_default=False
        ),
    ] = "",
    test: Annotated[
        Literal["permutation", "williams"],
        typer.Option(help="Significance test for pairs of measures.", rich_help_panel=_PAIRS),
    ] = "permutation",
    permutations: Annotated[
        int,
        typer.Option(
            min=0,
            help="Number of random permutations; 0 means 50 per test, and at least 1000.",
            rich_help_panel=_PAIRS,
        ),
    ] = 0,
    resamples: Annotated[
        int,
        typer.Option(
            min=0,
            help="Number of bootstrap resamples for the intervals; 0 for no intervals.",
            rich_help_panel=_RUN,
        ),
    ] = 1000,
    over: Annotated[
        Literal["documents", "systems", "both"],
        typer.Option(
            help="What is resampled for intervals, and permuted in tests.", rich_help_panel=_RUN
        ),
    ] = "both",
    seed: Seed = 0,
    format: Format = None,
    output: Output = "",
) -> None:
    """Measure the measures: how well do they agree with human scores?

    Shows correlations or errors at the summary, document and system level, with
    p-values and bootstrap intervals. With --pairs or --better-than it tests
    which measures agree significantly better than others. The score file must
    have human scores.
    """
    from tricolore.api.agreement import agreement, compare_measures
    from tricolore.report.tables import console

    form = form_of(format, output)
    sheets: list[Titled]
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
            empty=empty,
            resamples=resamples,
            over=over,
            seed=seed,
        )
        is_on_screen = form == "table" and not output
        sheets = found.sheets(form, screen=console() if is_on_screen else None)
    put(sheets, form, output)
