"""`tricolore atlas`: all measures on all judged sets, and which measure answers which question."""

from __future__ import annotations

from typing import Annotated

import typer

from tricolore.cli.options import (
    CachePlace,
    ChosenMeasures,
    Control,
    Device,
    DocId,
    Empty,
    Encoding,
    Human,
    Jobs,
    Kinds,
    Limit,
    Offline,
    Output,
    ProgressOption,
    References,
    Resamples,
    Seed,
    Source,
    Summary,
    System,
    columns_of,
    engine_of,
)
from tricolore.cli.output import print_lines, put
from tricolore.settings import LARGEST

EXAMPLES = """
tricolore atlas examples/judged.jsonl -m rouge-1,coverage,length -o atlas --resamples 100
"""


def atlas(
    places: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|DIR",
            help="Files of summaries with human scores, or directories in which to look for them; "
            "also public datasets as they are published.",
        ),
    ],
    measures: ChosenMeasures = None,
    control: Control = "novelty:n=3,length",
    kind: Kinds = "subtle-errors,entity-swap,number-swap,negation-swap,sentence-shuffle",
    damaged: Annotated[
        int,
        typer.Option(
            min=0,
            max=LARGEST,
            metavar="N",
            help="The most summaries per set in which errors are planted; 0 means none.",
        ),
    ] = 50,
    max_seconds: Annotated[
        float,
        typer.Option(
            min=1,
            max=LARGEST,
            metavar="SECONDS",
            help="CPU seconds that a measure may take per set. One that needs more is run on fewer "
            "documents, which are chosen at random.",
        ),
    ] = 600,
    human: Human = "",
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    encoding: Encoding = "",
    limit: Limit = None,
    empty: Empty = "worst",
    output: Output = "",
    cache: CachePlace = "user",
    jobs: Jobs = 1,
    device: Device = "",
    offline: Offline = False,
    progress: ProgressOption = "auto",
    resamples: Resamples = 1000,
    seed: Seed = 0,
) -> None:
    """Show which measure answers which question.

    Runs measures on all given sets with human scores, and shows how well they agree with the human
    scores at each level, what is left of that with copying and length held constant, which planted
    errors they notice, and what they cost. Prints the best measure for each question; -o names a
    directory for the table of all figures (CSV, JSON, Parquet) and a page (Markdown, HTML). A run
    that was stopped continues where it was.
    """
    from tricolore.api.atlas import atlas as make_atlas
    from tricolore.report.atlas import choice_table

    result = make_atlas(
        places,
        measures,
        output=output,
        control=control,
        kinds=kind,
        damaged=damaged,
        max_seconds=max_seconds,
        columns=columns_of(source, summary, references, system, doc_id, human),
        encoding=encoding,
        limit=limit,
        empty=empty,
        resamples=resamples,
        cache=cache,
        engine=engine_of(jobs),
        device=device,
        offline=offline,
        progress=progress,
        seed=seed,
    )
    put([("", choice_table(result.choices, is_brief=True))], "table", "")
    if output:
        print_lines([f"Atlas: {output}"], "dim", stderr=True)
