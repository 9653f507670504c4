"""`tricolore check`: which summaries say what their source does not, and where."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from tricolore.cli.options import (
    FORMAT_HELP,
    CachePlace,
    Device,
    DocId,
    Encoding,
    Examples,
    InputFormat,
    Jobs,
    Limit,
    MaxRowMb,
    Measures,
    Offline,
    Output,
    ProgressOption,
    ReportFile,
    Show,
    Source,
    Strict,
    Summary,
    System,
    Timeout,
    columns_of,
    engine_of,
    open_examples,
)
from tricolore.cli.output import begin_page, begin_report, print_lines, put_page, put_report

EXAMPLES = """
tricolore check examples/summaries.jsonl

tricolore check examples/summaries.jsonl --format markdown -o check.md

tricolore check examples/summaries.jsonl --fail-on number,name --max-failures 4
"""

Form = Literal["table", "markdown", "json"]
_ENDINGS: dict[str, Form] = {".md": "markdown", ".json": "json", ".txt": "table"}


def check(
    file: Examples,
    fail_on: Annotated[
        str,
        typer.Option(
            metavar="ITEMS",
            show_default="nothing",
            help="Items that make a summary fail, separated by commas: number, contradicted (a "
            "number for which the source has another value), name, sentence, word, any.",
        ),
    ] = "",
    min_support: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            min=-1.0,
            max=1.0,
            show_default=False,
            help="A summary fails if a sentence of it has less support in the source than this.",
        ),
    ] = None,
    min_grounding: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            min=0.0,
            max=1.0,
            show_default=False,
            help="A summary fails if its value is below this.",
        ),
    ] = None,
    max_failures: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Number of summaries that may fail before the exit code is 1."
        ),
    ] = 0,
    strict: Strict = False,
    measures: Measures = "grounding",
    source: Source = "",
    summary: Summary = "",
    system: System = "",
    doc_id: DocId = "",
    input_format: InputFormat = None,
    encoding: Encoding = "",
    max_row_mb: MaxRowMb = 64,
    limit: Limit = None,
    show: Show = 10,
    format: Annotated[
        Form | None,
        typer.Option(
            "--format",
            rich_help_panel="Output",
            show_default="table, or what the name of the output says",
            help=FORMAT_HELP,
        ),
    ] = None,
    output: Output = "",
    report: ReportFile = "",
    cache: CachePlace = "user",
    jobs: Jobs = 1,
    timeout: Timeout = None,
    device: Device = "",
    offline: Offline = False,
    progress: ProgressOption = "auto",
) -> None:
    """Find the numbers, names, words and sentences of summaries that the source does not support.

    Prints how many summaries contain such items, and the worst summaries with the items marked and
    with the nearest thing that the source has. The exit code is 1 if more summaries fail than
    --max-failures; which ones fail is chosen with --fail-on, --min-support, --min-grounding and
    --strict. Negations and relations are not checked.
    """
    from tricolore.api.check import check as check_summaries

    form = begin_page(format, output, _ENDINGS)
    begin_report(report)
    columns = columns_of(source, summary, system=system, doc_id=doc_id)
    with open_examples(
        file,
        columns,
        format=input_format,
        encoding=encoding,
        max_row_mb=max_row_mb,
        limit=limit,
    ) as examples:
        result = check_summaries(
            examples,
            measures,
            fail_on=fail_on,
            min_support=min_support,
            min_grounding=min_grounding,
            max_failures=max_failures,
            strict=strict,
            keep=None if form == "json" or report else show,
            cache=cache,
            engine=engine_of(jobs, timeout),
            device=device,
            offline=offline,
            progress=progress,
        )
    put_page(lambda out: result.write(out, form, show), output)
    put_report(report, result)
    if output and output != "-":
        print_lines(list(filter(None, [result.answer, result.failure_line])), "bold")
    if result.cache_line:
        print_lines([result.cache_line], "dim", stderr=True)
    if result.is_failed:
        raise typer.Exit(1)
