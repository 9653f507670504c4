"""`tricolore judge-pairs`: which of two summaries a language model prefers."""

from __future__ import annotations

from typing import Annotated

import typer

from tricolore.cli.options import (
    CachePlace,
    CsvFormulasOption,
    DocId,
    Encoding,
    Examples,
    Format,
    InputFormat,
    Limit,
    MaxCost,
    MaxRowMb,
    Offline,
    Output,
    ProgressOption,
    Resamples,
    Seed,
    Source,
    Strict,
    Summary,
    System,
    Systems,
    columns_of,
    open_examples,
)
from tricolore.cli.output import begin, print_lines, put

EXAMPLES = """
tricolore judge-pairs examples/judged.jsonl --judge judge:model=gpt-4o-mini,aspect=consistency

tricolore judge-pairs examples/judged.jsonl --judge judge:model=gpt-4o-mini --systems lead,rewrite
"""


def judge_pairs(
    file: Examples,
    judge: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            help="The judge with its settings: judge:model=NAME,aspect=consistency. The address of "
            "the server is its setting url, or in the environment variable OPENAI_BASE_URL; the "
            "key is in OPENAI_API_KEY.",
        ),
    ],
    systems: Systems = "",
    source: Source = "",
    summary: Summary = "",
    system: System = "",
    doc_id: DocId = "",
    input_format: InputFormat = None,
    encoding: Encoding = "",
    max_row_mb: MaxRowMb = 64,
    limit: Limit = None,
    format: Format = None,
    output: Output = "",
    csv_formulas: CsvFormulasOption = "protect",
    strict: Strict = False,
    cache: CachePlace = "user",
    max_cost: MaxCost = None,
    offline: Offline = False,
    progress: ProgressOption = "auto",
    resamples: Resamples = 1000,
    seed: Seed = 0,
) -> None:
    """Let a language model compare the summaries of systems in pairs.

    The model is asked about each pair in both orders, since judges tend to prefer a position.
    Prints how often each system wins, with an interval, and how much the judge prefers the summary
    that comes first. The texts are sent to the server that you name.
    """
    from tricolore.api.judge_pairs import judge_pairs as compare_pairs

    form = begin(format, output)
    with open_examples(
        file,
        columns_of(source, summary, "", system, doc_id),
        format=input_format,
        encoding=encoding,
        max_row_mb=max_row_mb,
        limit=limit,
    ) as examples:
        found = compare_pairs(
            examples,
            judge,
            systems=systems,
            cache=cache,
            offline=offline,
            progress=progress,
            max_cost=max_cost,
            resamples=resamples,
            seed=seed,
        )
    put([("", found.table)], form, output, csv_formulas=csv_formulas)
    if found.usage.line:
        print_lines([found.usage.line], "dim", stderr=True)
    if strict and found.problems:
        raise typer.Exit(1)
