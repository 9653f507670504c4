"""`tricolore study annotators`: annotators against each other, and measures among them."""

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
    Limit,
    Offline,
    Plot,
    Quality,
    References,
    Seed,
    Source,
    Summary,
    System,
    begin,
    label_values,
    number_values,
    open_cache,
    place_models,
)
from tricolore.cli.output import Format, Output
from tricolore.cli.study.present import present


def annotators(
    file: Annotated[
        str,
        typer.Argument(help="File of examples with the judgements of single annotators."),
    ],
    human: Quality,
    measures: Annotated[
        str,
        typer.Option(
            "-m",
            "--measures",
            help="Measures to place among the annotators.",
            show_default=False,
        ),
    ] = "",
    group: Annotated[
        int,
        typer.Option(
            min=0,
            help="Compare all groups of this many annotators with the others; 0 compares each "
            "annotator with the others.",
        ),
    ] = 0,
    values: Annotated[
        str,
        typer.Option(
            help="Number that each label counts as: bad=0,ok=2,good=3.", show_default=False
        ),
    ] = "",
    weights: Annotated[
        str,
        typer.Option(
            help="Weight of a judgement in a mean, by its value: 0=3,1=3,2=1,3=1,4=2. By "
            "default all count the same.",
            show_default=False,
        ),
    ] = "",
    coefficient: Annotated[Coefficient, typer.Option(help="Correlation coefficient.")] = "spearman",
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
    """How well do annotators agree with each other, and where would a measure stand among them?

    Compares each annotator with the mean of the others. The file has a key
    `annotations`: docs/studies.md describes it. BLANC paper §4, figures 7 to 9.

    Example: tricolore study annotators judged.jsonl --human overall -m rouge-1
    """
    from tricolore.api.studies import annotators as run
    from tricolore.data.columns import Columns
    from tricolore.data.records import Records

    begin(plot)
    place_models(device, offline)
    with open_cache(cache) as kept:
        study = run(
            Records(file, encoding=encoding, twice=True),
            human,
            measures=measures,
            group=group,
            values=label_values(values, "--values"),
            weights=number_values(weights, "--weights"),
            coefficient=coefficient,
            columns=Columns(
                source=source, summary=summary, references=references, system=system, doc_id=doc_id
            ),
            limit=limit,
            empty=empty,
            cache=kept,
            jobs=jobs,
            seed=seed,
        )
    present(study, format, output, plot)
