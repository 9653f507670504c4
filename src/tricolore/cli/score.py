"""`tricolore score`: a file of summaries in, a table and a file of scores out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from tricolore.cli.options import (
    CachePlace,
    ChosenMeasures,
    CsvFormulasOption,
    Device,
    DocId,
    Empty,
    Encoding,
    Evidence,
    Examples,
    Human,
    InputFormat,
    Jobs,
    Limit,
    MaxRowMb,
    Offline,
    Output,
    References,
    ReportFile,
    Seed,
    Show,
    Signatures,
    Source,
    Strict,
    Summary,
    System,
    Timeout,
    columns_of,
    engine_of,
    open_examples,
)
from tricolore.cli.output import begin_report, put_report

if TYPE_CHECKING:
    from tricolore.api.evaluate import Evaluation
    from tricolore.report.terminal import SafeConsole

EXAMPLES = """
tricolore score examples/summaries.jsonl

tricolore score examples/summaries.jsonl -m rouge,importance

tricolore score examples/summaries.jsonl -m coverage -o scores.parquet --evidence
"""


def score(
    file: Examples,
    measures: ChosenMeasures = None,
    output: Output = "",
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    human: Human = "",
    input_format: InputFormat = None,
    encoding: Encoding = "",
    max_row_mb: MaxRowMb = 64,
    limit: Limit = None,
    empty: Empty = "worst",
    evidence: Evidence = False,
    csv_formulas: CsvFormulasOption = "protect",
    report: ReportFile = "",
    show: Show = 0,
    signatures: Signatures = False,
    strict: Strict = False,
    cache: CachePlace = "user",
    jobs: Jobs = 1,
    timeout: Timeout = None,
    device: Device = "",
    offline: Offline = False,
    seed: Seed = 0,
) -> None:
    """Score summaries.

    Prints the mean of every system and measure with its 95 % interval. Without -m it takes a
    recommended set of measures and says what they mean. With -o, it also writes one row per
    summary to a .jsonl, .csv, .tsv or .parquet file; -o - writes JSON Lines to standard output.
    """
    from tricolore.api.evaluate import evaluate
    from tricolore.report.terminal import console

    begin_report(report)
    columns = columns_of(source, summary, references, system, doc_id, human)
    with open_examples(
        file,
        columns,
        format=input_format,
        encoding=encoding,
        max_row_mb=max_row_mb,
        limit=limit,
    ) as examples:
        result = evaluate(
            examples,
            measures,
            evidence=evidence or show > 0 or bool(report),
            empty=empty,
            output=output,
            write_evidence=evidence,
            csv_formulas=csv_formulas,
            keep=None if report else show,
            cache=cache,
            engine=engine_of(jobs, timeout),
            device=device,
            offline=offline,
            progress=True,
            seed=seed,
        )
    out = console(stderr=output == "-")
    _print(out, result, meanings=measures is None, show=show, signatures=signatures)
    put_report(report, result, seed=seed)
    if output not in ("", "-"):
        out.print(f"Scores: {output}", style="dim", soft_wrap=True)
    if strict and result.summary.has_problems:
        raise typer.Exit(1)


def _print(
    out: SafeConsole, result: Evaluation, *, meanings: bool, show: int, signatures: bool
) -> None:
    """The table first; then what is missing, and on request evidence and signatures.

    `meanings` says whether to explain the columns, which the user has not chosen.
    """
    from tricolore.example import Example
    from tricolore.report.evidence import print_evidence
    from tricolore.report.terminal import print_signatures

    result.systems.write(out, "table")
    for line in result.meanings if meanings else ():
        out.print(line, soft_wrap=True)
    for line in result.summary.problem_lines:
        out.print(line, style="yellow", soft_wrap=True)
    for row in result.results[:show]:
        if isinstance(row.example, Example):
            print_evidence(out, row.example, row.scores)
    if signatures:
        print_signatures(out, result.measures)
    if line := result.summary.cache_line:
        out.print(line, style="dim", soft_wrap=True)
