"""`tricolore score`: a file of summaries in, a table and a file of scores out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from tricolore.cli.options import (
    Address,
    CachePlace,
    ChosenMeasures,
    CsvFormulasOption,
    Device,
    DocId,
    Empty,
    Encoding,
    EngineName,
    Evidence,
    ExampleFiles,
    Human,
    InputFormat,
    Limit,
    MaxCost,
    MaxRowMb,
    Offline,
    Output,
    PartRows,
    ProgressOption,
    References,
    ReportFile,
    ScoreJobs,
    Seed,
    Show,
    Signatures,
    Source,
    Strict,
    Summary,
    System,
    Timeout,
    columns_of,
    open_examples,
    score_engine,
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
    files: ExampleFiles,
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
    part_rows: PartRows = 10_000,
    report: ReportFile = "",
    show: Show = 0,
    signatures: Signatures = False,
    strict: Strict = False,
    cache: CachePlace = "user",
    engine: EngineName = "local",
    address: Address = "",
    jobs: ScoreJobs = None,
    timeout: Timeout = None,
    max_cost: MaxCost = None,
    device: Device = "",
    offline: Offline = False,
    progress: ProgressOption = "auto",
    seed: Seed = 0,
) -> None:
    """Score summaries.

    Prints the mean of every system and measure with its 95 % interval. Without -m it takes a
    recommended set of measures and says what they mean. With -o, it also writes one row per
    summary to a .jsonl, .csv, .tsv or .parquet file; -o - writes JSON Lines to standard output.
    With a directory, as in -o scores/, it writes parts as it goes; after a stop, the same command
    continues with the parts that are not finished.
    """
    from tricolore.api.evaluate import evaluate
    from tricolore.report.terminal import console

    begin_report(report)
    columns = columns_of(source, summary, references, system, doc_id, human)
    with open_examples(
        files,
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
            part_rows=part_rows,
            keep=None if report else show,
            cache=cache,
            engine=score_engine(engine, jobs, timeout, address),
            device=device,
            offline=offline,
            progress=progress,
            max_cost=max_cost,
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
    summary = result.summary
    for line in filter(None, (summary.cache_line, summary.parts_line, summary.usage.line)):
        out.print(line, style="dim", soft_wrap=True)
