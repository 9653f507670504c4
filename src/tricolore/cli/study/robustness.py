"""`tricolore study robustness`: what bad references do to measures that use them."""

from __future__ import annotations

from typing import Annotated

import typer

from tricolore.cli.options import (
    CachePlace,
    Coefficient,
    Device,
    DocId,
    Empty,
    Encoding,
    Jobs,
    Judged,
    Limit,
    Offline,
    Plot,
    Quality,
    References,
    Resamples,
    Seed,
    Source,
    Summary,
    System,
    begin,
    numbers,
    open_cache,
    place_models,
)
from tricolore.cli.output import Format, Output
from tricolore.cli.study.present import present


def robustness(
    file: Judged,
    measures: Annotated[
        str, typer.Option("-m", "--measures", help="Measures that use references.")
    ] = "rouge-1",
    partners: Annotated[
        str,
        typer.Option(
            "--with",
            help="Measures without references, to be added to each of the others.",
            show_default=False,
        ),
    ] = "",
    human: Quality = "",
    keep_references: Annotated[
        int, typer.Option(min=0, help="Number of references of each summary to use; 0 for all.")
    ] = 0,
    sentences: Annotated[
        int,
        typer.Option(min=1, help="Number of sentences of the source that replace the references."),
    ] = 3,
    shares: Annotated[
        str,
        typer.Option(
            help="Shares of the documents whose references are replaced, from 0 to 1, separated by "
            "commas; steps of 0.1 by default.",
            show_default=False,
        ),
    ] = "",
    coefficient: Annotated[Coefficient, typer.Option(help="Correlation coefficient.")] = "spearman",
    resamples: Resamples = 1000,
    seed: Seed = 0,
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    limit: Limit = None,
    empty: Empty = "worst",
    encoding: Encoding = "",
    cache: CachePlace = "",
    jobs: Jobs = 1,
    device: Device = "",
    offline: Offline = False,
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
) -> None:
    """How much do measures suffer from bad references?

    Replaces the references of a growing share of the documents by the first
    sentences of the source, and shows the system-level correlation with a human
    score: for each measure alone, and with each measure of --with added to it.
    Importance paper §5.2, figure 2.

    Example: tricolore study robustness judged.jsonl --human coherence
    """
    from tricolore.api.studies import robustness as run
    from tricolore.data.columns import Columns
    from tricolore.data.records import Records

    begin(plot)
    place_models(device, offline)
    with open_cache(cache) as kept:
        study = run(
            Records(file, encoding=encoding, twice=True),
            human,
            measures=measures,
            partners=partners,
            keep_references=keep_references,
            sentences=sentences,
            shares=numbers(shares, "--shares"),
            coefficient=coefficient,
            columns=Columns(
                source=source, summary=summary, references=references, system=system, doc_id=doc_id
            ),
            limit=limit,
            empty=empty,
            cache=kept,
            jobs=jobs,
            resamples=resamples,
            seed=seed,
        )
    present(study, format, output, plot)
