"""`tricolore sensitivity`: damages summaries and shows which measures notice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tricolore.cli.options import (
    CachePlace,
    Device,
    DocId,
    Encoding,
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
from tricolore.cli.output import Format, Output, form_of, from_cache, put
from tricolore.cli.perturb import Kind, Seed

if TYPE_CHECKING:
    from tricolore.data.examples import ExampleFile
    from tricolore.example import Example
    from tricolore.run.run import Run

_OUT = "What comes out"


def sensitivity(
    file: Annotated[
        str, typer.Argument(help="JSONL, CSV, TSV (also .gz) or Parquet, as for `score`.")
    ],
    measures: Annotated[
        str, typer.Option("-m", "--measures", help="Such as estime,jensen-shannon,importance.")
    ],
    kind: Kind = "subtle-errors",
    per_summary: Annotated[
        str, typer.Option(help="Numbers of errors a summary, with commas.")
    ] = "1,2,3",
    seed: Seed = 0,
    copies: Annotated[int, typer.Option(min=1, help="Damaged versions of a summary.")] = 1,
    source: Source = "",
    summary: Summary = "",
    references: References = "",
    system: System = "",
    doc_id: DocId = "",
    limit: Limit = None,
    encoding: Encoding = "",
    no_locate: Annotated[
        bool,
        typer.Option(
            "--no-locate", help="Do not look where the evidence points.", rich_help_panel=_OUT
        ),
    ] = False,
    format: Format = None,
    output: Output = "",
    plots: Annotated[
        str, typer.Option(help="A directory for a figure of each.", rich_help_panel=_OUT)
    ] = "",
    cache: CachePlace = "",
    jobs: Jobs = 1,
    device: Device = "",
    offline: Offline = False,
) -> None:
    """Damage summaries, score clean and damaged ones, show which measures tell them apart.

    ESTIME paper §4, table 3; BLANC paper §3. Several kinds of damage are written with commas.
    """
    from tricolore.data.columns import Columns
    from tricolore.data.examples import ExampleFile, Sources
    from tricolore.perturb.kinds import get_perturbations
    from tricolore.report.plots import check_plot
    from tricolore.run.processes import local_engine
    from tricolore.run.run import Run

    if plots:
        check_plot(f"{plots}.svg")
    place_models(device, offline)
    form = form_of(format, output)
    counts = _counts(per_summary)
    kinds = get_perturbations(kind, seed=seed, copies=copies)
    run = Run([measures], engine=local_engine(jobs), evidence=not no_locate)
    needs = frozenset(need for measure in run.measures for need in measure.needs)
    needs |= {"source"} if any(one.needs_source for one in kinds) else set()
    columns = Columns(
        source=source, summary=summary, references=references, system=system, doc_id=doc_id
    )
    with (
        open_cache(cache) as run.cache,
        ExampleFile(
            file,
            columns,
            encoding=encoding,
            needs=needs,
            limit=limit,
            twice=run.needs_corpus,
        ) as rows,
    ):
        show_columns(rows)
        run.fit(Sources(rows))
        _answer(run, rows, kinds, counts, form, output, plots)


def _answer(
    run: Run,
    rows: ExampleFile,
    kinds: Any,
    counts: list[int],
    form: Any,
    output: str,
    plots: str,
) -> None:
    from tricolore.cli.progress import watched
    from tricolore.errors import ReadError
    from tricolore.report.sensitivity import save_figures, sensitivity_table
    from tricolore.report.terminal import console, print_signatures
    from tricolore.run.damaged_pairs import score_damaged_pairs

    unreadable: dict[str, int] = {}
    scored = score_damaged_pairs(run, _examples(rows, unreadable), kinds, counts, watched)
    left_out = unreadable | scored.left_out
    if not any(pairs.clean for pairs in scored.cases.values()):
        why = f": {max(left_out, key=lambda words: left_out[words])}" if left_out else ""
        raise ReadError(f"{rows.name} has no summary that could be damaged{why}")
    found = {case: pairs.sensitivity() for case, pairs in scored.cases.items()}
    sheet = sensitivity_table(found)
    if left_out:
        often = max(left_out, key=lambda words: left_out[words])
        count = sum(left_out.values())
        sheet.notes.append(f"Not damaged as asked for: {count}, most often because {often}.")
    put([("", sheet)], form, output)
    out = console(stderr=form != "table")
    if plots:
        written = save_figures(found, scored.cases, plots)
        out.print(f"{len(written)} figures: {plots}", style="dim", soft_wrap=True)
    print_signatures(out, run.measures)
    if run.reused:
        out.print(from_cache(run.reused, run.scored), style="dim")


def _examples(rows: ExampleFile, unreadable: dict[str, int]) -> Iterator[Example]:
    from tricolore.example import Example

    for row in rows:
        if isinstance(row, Example):
            yield row
        else:
            unreadable[row.problem] = unreadable.get(row.problem, 0) + 1


def _counts(written: str) -> list[int]:
    from tricolore.errors import PerturbError

    try:
        counts = sorted({int(word) for word in written.split(",")})
    except ValueError:
        counts = []
    if not counts or counts[0] < 1:
        raise PerturbError(f"--per-summary takes whole numbers from 1, as 1,2,3, not '{written}'")
    return counts
