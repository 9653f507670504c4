"""`tricolore score`: a file of summaries in, a table and a file of scores out."""

from __future__ import annotations

import os
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from tricolore.cli.options import (
    CachePlace,
    Device,
    DocId,
    Empty,
    Encoding,
    InputFormat,
    Jobs,
    Limit,
    Offline,
    References,
    Source,
    Summary,
    System,
    open_cache,
    place_models,
    show_columns,
)
from tricolore.cli.output import from_cache

if TYPE_CHECKING:
    from rich.console import Console

    from tricolore.data.examples import ExampleFile
    from tricolore.data.scores import ScoreFile, ScoreStream
    from tricolore.report.systems import SystemTable
    from tricolore.run.run import Result, Run


@dataclass
class _Problems:
    count: int = 0
    first: str = ""
    odd: dict[str, int] = field(default_factory=dict)


_INPUT, _RUN = "What is read", "How it is run"


def score(
    file: Annotated[
        str, typer.Argument(help="JSONL, CSV, TSV (also .gz) or Parquet; - for standard input.")
    ],
    measures: Annotated[
        str,
        typer.Option("-m", "--measures", help="Such as rouge,importance:n=2,weighting=bm25."),
    ],
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", help=".jsonl, .csv, .tsv or .parquet; - for JSONL to stdout."
        ),
    ] = "",
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    human: Annotated[
        str,
        typer.Option(help="Columns of human scores, with commas.", rich_help_panel=_INPUT),
    ] = "",
    format: InputFormat = None,
    encoding: Encoding = "",
    limit: Limit = None,
    empty: Empty = "worst",
    evidence: Annotated[
        bool, typer.Option("--evidence", help="Write the spans that the scores rest on.")
    ] = False,
    show: Annotated[
        int, typer.Option(min=0, help="Show the evidence for the first rows on the terminal.")
    ] = 0,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if any row has a problem.")
    ] = False,
    cache: CachePlace = "",
    jobs: Jobs = 1,
    device: Device = "",
    offline: Offline = False,
    seed: Annotated[
        int, typer.Option(help="Of the intervals' resamples.", rich_help_panel=_RUN)
    ] = 0,
) -> None:
    """Score summaries, print the mean of every system and measure, write a row a summary."""
    from tricolore.data.columns import Columns
    from tricolore.data.examples import ExampleFile, Sources
    from tricolore.errors import WriteError
    from tricolore.report.systems import SystemTable
    from tricolore.report.terminal import console
    from tricolore.run.processes import local_engine
    from tricolore.run.run import Run

    if output not in ("", "-") and os.path.realpath(output) == os.path.realpath(file):
        raise WriteError(f"{output} is the input", argument="output")
    place_models(device, offline)
    run = Run([measures], engine=local_engine(jobs), evidence=evidence or show > 0)
    columns = Columns(
        source=source,
        summary=summary,
        references=references,
        system=system,
        doc_id=doc_id,
        human=tuple(filter(None, (name.strip() for name in human.split(",")))),
    )
    needs = frozenset(need for measure in run.measures for need in measure.needs)
    with (
        open_cache(cache) as run.cache,
        ExampleFile(
            file,
            columns,
            format=format,
            encoding=encoding,
            needs=needs,
            limit=limit,
            twice=run.needs_corpus,
        ) as rows,
    ):
        show_columns(rows)
        run.fit(Sources(rows))
        systems = SystemTable(run.measures, empty=empty, seed=seed)
        problems, shown = _go(run, rows, systems, _writer(output, run, evidence), show)
    problems.odd = rows.odd_human
    out = console(stderr=output == "-")
    _report(out, run, systems, shown, problems)
    if output not in ("", "-"):
        out.print(f"Scores: {output}", style="dim")
    if strict and (problems.count or problems.odd):
        raise typer.Exit(1)


def _writer(output: str, run: Run, evidence: bool) -> ScoreFile | ScoreStream | None:
    from tricolore.data.scores import ScoreFile, ScoreStream

    if not output:
        return None
    if output == "-":
        return ScoreStream(run.measures, evidence=evidence)
    return ScoreFile(output, run.measures, evidence=evidence)


def _go(
    run: Run,
    rows: ExampleFile,
    systems: SystemTable,
    writer: ScoreFile | ScoreStream | None,
    show: int,
) -> tuple[_Problems, list[Result]]:
    """Score all rows: the problems met, and the first results, to be shown."""
    from tricolore.cli.progress import watched
    from tricolore.data.scores import problem

    problems = _Problems()
    shown: list[Result] = []
    with writer or nullcontext():
        for result in watched(run.score(rows.at_least_one()), rows.records):
            systems.add(result.example, result.scores)
            if writer:
                writer.add(result.example, result.scores)
            if words := problem(result.scores):
                problems.count += 1
                problems.first = problems.first or words
            if len(shown) < show:
                shown.append(result)
    return problems, shown


def _report(
    out: Console, run: Run, systems: SystemTable, shown: list[Result], problems: _Problems
) -> None:
    from tricolore.example import Example
    from tricolore.report.evidence import print_evidence
    from tricolore.report.terminal import print_signatures

    for result in shown:
        if isinstance(result.example, Example):
            print_evidence(out, result.example, result.scores)
    systems.table().write(out, "table")
    if problems.count:
        rows = "row" if problems.count == 1 else "rows"
        words = f"{problems.count} {rows} with a problem; the first: {problems.first}"
        out.print(words, style="yellow", soft_wrap=True, markup=False)
    for words, count in problems.odd.items():
        rows = "row" if count == 1 else "rows"
        words = f"{count} {rows} without a human score: {words}"
        out.print(words, style="yellow", soft_wrap=True, markup=False)
    print_signatures(out, run.measures)
    if run.reused:
        out.print(from_cache(run.reused, run.scored), style="dim")
