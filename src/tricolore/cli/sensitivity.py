"""`tricolore sensitivity`: damages summaries and shows which measures notice."""

from __future__ import annotations

from typing import Annotated

import typer

from tricolore.cli.options import (
    FLAG,
    CachePlace,
    Copies,
    Device,
    DocId,
    Encoding,
    ErrorsPerSummary,
    Examples,
    Format,
    InputFormat,
    Jobs,
    Kinds,
    Limit,
    MaxRowMb,
    Measures,
    Offline,
    Output,
    Plot,
    ProgressOption,
    References,
    Seed,
    Signatures,
    Source,
    Summary,
    System,
    columns_of,
    engine_of,
    open_examples,
    whole_numbers,
)
from tricolore.cli.output import begin, put

EXAMPLES = """
tricolore sensitivity examples/summaries.jsonl -m jensen-shannon,coverage --kind negation-swap \
--errors-per-summary 1
"""


def sensitivity(
    file: Examples,
    measures: Measures,
    kind: Kinds = "subtle-errors",
    errors_per_summary: ErrorsPerSummary = "1,2,3",
    copies: Copies = 1,
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    input_format: InputFormat = None,
    encoding: Encoding = "",
    max_row_mb: MaxRowMb = 64,
    limit: Limit = None,
    no_locate: Annotated[
        bool,
        typer.Option(
            "--no-locate",
            metavar=FLAG,
            help="Do not test whether the evidence points at the errors.",
        ),
    ] = False,
    format: Format = None,
    output: Output = "",
    plot: Plot = "",
    signatures: Signatures = False,
    cache: CachePlace = "user",
    jobs: Jobs = 1,
    device: Device = "",
    offline: Offline = False,
    progress: ProgressOption = "auto",
    seed: Seed = 0,
) -> None:
    """Show which measures notice errors.

    Damages summaries, scores the clean and the damaged ones, and prints how well each measure
    tells them apart (ESTIME paper, section 4, table 3; BLANC paper, section 3). --plot takes a
    directory: there is one figure per statistic.
    """
    from tricolore.api.run_summary import cache_line
    from tricolore.api.sensitivity import sensitivity as measure_sensitivity
    from tricolore.report.terminal import console, print_signatures

    form = begin(format, output, plot, figures=True)
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
        result = measure_sensitivity(
            examples,
            measures,
            kind,
            errors_per_summary=counts,
            copies=copies,
            locate=not no_locate,
            seed=seed,
            cache=cache,
            engine=engine_of(jobs),
            device=device,
            offline=offline,
            progress=progress,
        )
    put([("", result.table)], form, output)
    out = console(stderr=form != "table")
    if plot:
        written = result.save_figures(plot)
        line = f"{len(written)} figures: {plot}"
        out.print(line, style="dim", soft_wrap=True)
    if signatures:
        print_signatures(out, result.measures)
    if line := cache_line(result.reused, result.scored):
        out.print(line, style="dim", soft_wrap=True)
