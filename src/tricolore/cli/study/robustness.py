"""`tricolore study robustness`: what bad references do to measures that use them."""

from __future__ import annotations

from typing import Annotated

import typer

from tricolore.cli.options import (
    CachePlace,
    CoefficientOption,
    Device,
    DocId,
    Empty,
    Encoding,
    Format,
    Human,
    InputFormat,
    Jobs,
    Judged,
    Limit,
    MaxRowMb,
    Measures,
    Offline,
    Output,
    Plot,
    ProgressOption,
    References,
    Resamples,
    Seed,
    Source,
    Summary,
    System,
    columns_of,
    open_examples,
)
from tricolore.cli.output import begin, present
from tricolore.cli.study.lists import numbers

EXAMPLES = """
tricolore study robustness examples/judged.jsonl -m rouge-1,chrf --human coherence
"""


def robustness(
    file: Judged,
    measures: Measures = "rouge-1",
    partners: Annotated[
        str,
        typer.Option(
            "--with",
            metavar="SPECS",
            help="Measures without references, to be added to each of the others.",
            show_default=False,
        ),
    ] = "",
    human: Human = "",
    keep_references: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Number of references of each summary to use; 0 for all."
        ),
    ] = 0,
    sentences: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="Number of sentences of the source that replace the references.",
        ),
    ] = 3,
    shares: Annotated[
        str,
        typer.Option(
            metavar="NUMBERS",
            help="Shares of the documents whose references are replaced, from 0 to 1, separated by "
            "commas.",
            show_default="steps of 0.1",
        ),
    ] = "",
    coefficient: CoefficientOption = "spearman",
    resamples: Resamples = 1000,
    seed: Seed = 0,
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    limit: Limit = None,
    empty: Empty = "worst",
    input_format: InputFormat = None,
    encoding: Encoding = "",
    max_row_mb: MaxRowMb = 64,
    cache: CachePlace = "user",
    jobs: Jobs = 1,
    device: Device = "",
    offline: Offline = False,
    progress: ProgressOption = "auto",
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """Show how much measures suffer from bad references.

    Replaces the references of a growing share of the documents by the first
    sentences of the source, and shows the system-level correlation with a human
    score: for each measure alone, and with each measure of --with added to it.
    Importance paper §5.2, figure 2.
    """
    from tricolore.api.studies import robustness as run

    form = begin(format, output, plot)
    columns = columns_of(source, summary, references, system, doc_id)
    with open_examples(
        file,
        columns,
        format=input_format,
        encoding=encoding,
        max_row_mb=max_row_mb,
        limit=limit,
    ) as examples:
        study = run(
            examples,
            human,
            measures=measures,
            partners=partners,
            keep_references=keep_references,
            sentences=sentences,
            shares=numbers(shares, "--shares"),
            coefficient=coefficient,
            empty=empty,
            cache=cache,
            jobs=jobs,
            device=device,
            offline=offline,
            progress=progress,
            resamples=resamples,
            seed=seed,
        )
    present(study, form, output, plot)
