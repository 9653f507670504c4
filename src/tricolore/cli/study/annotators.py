"""`tricolore study annotators`: annotators against each other, and measures among them."""

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
    Limit,
    MaxRowMb,
    Measures,
    Offline,
    Output,
    Plot,
    ProgressOption,
    References,
    Seed,
    Source,
    Summary,
    System,
    columns_of,
    open_examples,
)
from tricolore.cli.output import begin, present
from tricolore.cli.study.lists import label_values, number_values

EXAMPLES = """
tricolore data get summeval --from summeval.jsonl -o judged.jsonl

tricolore study annotators judged.jsonl --human coherence -m rouge-1
"""


def annotators(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="File of examples with the judgements of single annotators."
        ),
    ],
    human: Human,
    measures: Measures = "",
    group: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Compare all groups of this many annotators with the others; 0 compares each "
            "annotator with the others.",
        ),
    ] = 0,
    values: Annotated[
        str,
        typer.Option(
            metavar="LABEL=N,…",
            help="Number that each label counts as: bad=0,ok=2,good=3.",
            show_default=False,
        ),
    ] = "",
    weights: Annotated[
        str,
        typer.Option(
            metavar="VALUE=WEIGHT,…",
            help="Weight of a judgement in a mean, by its value: 0=3,1=3,2=1,3=1,4=2.",
            show_default="all the same",
        ),
    ] = "",
    coefficient: CoefficientOption = "spearman",
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
    """Compare annotators with each other, and place measures among them.

    Compares each annotator with the mean of the others. The file has a key
    `annotations`: docs/studies.md describes it. BLANC paper §4, figures 7 to 9.
    """
    from tricolore.api.studies import annotators as run

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
            group=group,
            values=label_values(values, "--values"),
            weights=number_values(weights, "--weights"),
            coefficient=coefficient,
            empty=empty,
            cache=cache,
            jobs=jobs,
            device=device,
            offline=offline,
            progress=progress,
            seed=seed,
        )
    present(study, form, output, plot)
