"""`tricolore perturb`: damages summaries, with a label for every error."""

from __future__ import annotations

from typing import Annotated

import typer

from tricolore.cli.options import (
    FLAG,
    Copies,
    Device,
    DocId,
    Encoding,
    ErrorsPerSummary,
    Examples,
    InputFormat,
    Kinds,
    Limit,
    MaxRowMb,
    Offline,
    Output,
    References,
    Seed,
    Source,
    Summary,
    System,
    columns_of,
    open_examples,
    whole_numbers,
)
from tricolore.cli.output import print_lines

EXAMPLES = """
tricolore perturb examples/summaries.jsonl --kind negation-swap --errors-per-summary 1 -o bad.jsonl

tricolore score bad.jsonl -m coverage
"""


def perturb(
    file: Examples,
    output: Output,
    kind: Kinds = "subtle-errors",
    errors_per_summary: ErrorsPerSummary = "3",
    copies: Copies = 1,
    keep_clean: Annotated[
        bool,
        typer.Option(
            "--keep-clean",
            metavar=FLAG,
            help="Write the clean summary before its damaged versions.",
        ),
    ] = False,
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    input_format: InputFormat = None,
    encoding: Encoding = "",
    max_row_mb: MaxRowMb = 64,
    limit: Limit = None,
    batch: Annotated[
        int,
        typer.Option(
            min=1,
            max=1_000_000,
            metavar="N",
            help="Number of summaries that are damaged together.",
            rich_help_panel="Run",
        ),
    ] = 256,
    device: Device = "",
    offline: Offline = False,
    seed: Seed = 0,
) -> None:
    """Make summaries worse on purpose.

    Writes a .jsonl file (-o - is standard output) that says what was done to each summary and
    can be scored like any other. The same seed gives the same file.
    """
    from tricolore.api.perturb import perturb_to_file

    counts = whole_numbers(errors_per_summary, "--errors-per-summary")
    columns = columns_of(source, summary, references, system, doc_id)
    with open_examples(
        file,
        columns,
        format=input_format,
        encoding=encoding,
        max_row_mb=max_row_mb,
        limit=limit,
    ) as examples:
        tally = perturb_to_file(
            examples,
            output,
            kind,
            errors_per_summary=counts,
            copies=copies,
            keep_clean=keep_clean,
            seed=seed,
            batch_size=batch,
            device=device,
            offline=offline,
        )
    print_lines([f"{output}: {tally}"], "", stderr=True)
    print_lines(tally.problem_lines, "yellow", stderr=True)
