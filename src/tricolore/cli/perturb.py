"""`tricolore perturb`: summaries in, worse summaries out, with a label for every error."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tricolore.cli.options import (
    Device,
    DocId,
    Encoding,
    InputFormat,
    Limit,
    Offline,
    Source,
    Summary,
    System,
    place_models,
    show_columns,
)

if TYPE_CHECKING:
    from tricolore.example import Example, Unreadable
    from tricolore.perturb.perturbation import Perturbation

_RUN = "How it is run"

# Written again here, as the kinds themselves are not needed for `--help`.
Kind = Annotated[
    str,
    typer.Option(
        help="Kinds of damage, separated by commas, with settings as in subtle-errors:pos=noun: "
        "subtle-errors, entity-swap, number-swap, negation-swap, spoiled-sentences; without a "
        "number of errors: sentence-shuffle, truncation, random-words, random-sentences."
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of the random choices.")]
Batch = Annotated[int, typer.Option(min=1, help="Summaries damaged at once.", rich_help_panel=_RUN)]


def perturb(
    file: Annotated[
        str, typer.Argument(help="JSONL, CSV, TSV (also .gz) or Parquet; - for standard input.")
    ],
    output: Annotated[
        str, typer.Option("-o", "--output", help="A .jsonl file; - for standard output.")
    ],
    kind: Kind = "subtle-errors",
    per_summary: Annotated[int, typer.Option(min=1, help="How many errors a summary.")] = 3,
    seed: Seed = 0,
    copies: Annotated[int, typer.Option(min=1, help="Damaged versions of a summary.")] = 1,
    keep_clean: Annotated[
        bool, typer.Option("--keep-clean", help="Write the clean twin before the damaged.")
    ] = False,
    source: Source = "",
    summary: Summary = "",
    system: System = "",
    doc_id: DocId = "",
    format: InputFormat = None,
    encoding: Encoding = "",
    limit: Limit = None,
    batch: Batch = 256,
    device: Device = "",
    offline: Offline = False,
) -> None:
    """Make summaries worse on purpose and say what was done to each.

    The same seed gives the same file. The output can be scored like any other file.
    """
    from tricolore.data.atomic import check_target
    from tricolore.data.columns import Columns
    from tricolore.data.examples import ExampleFile
    from tricolore.data.json_lines import write_json_lines
    from tricolore.errors import WriteError
    from tricolore.perturb.kinds import get_perturbations
    from tricolore.report.terminal import console

    if output != "-" and os.path.realpath(output) == os.path.realpath(file):
        raise WriteError(f"{output} is the input", argument="output")
    if output != "-":
        check_target(output)
    place_models(device, offline)
    kinds = get_perturbations(kind, seed=seed, copies=copies)
    columns = Columns(source=source, summary=summary, system=system, doc_id=doc_id)
    needs = frozenset({"source"}) if any(one.needs_source for one in kinds) else frozenset[str]()
    tally = Tally()
    with ExampleFile(
        file, columns, format=format, encoding=encoding, needs=needs, limit=limit
    ) as rows:
        show_columns(rows)
        some = rows.at_least_one()
        write_json_lines(_rows(some, kinds, per_summary, keep_clean, batch, tally), output)
    out = console(stderr=True)
    out.print(f"{output}: {tally.words()}", markup=False, soft_wrap=True)
    for words in tally.problems():
        out.print(words, style="yellow", markup=False, soft_wrap=True)


@dataclass
class Tally:
    """What was done, and what could not be done."""

    damaged: int = 0
    errors: int = 0
    short: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)

    def words(self) -> str:
        """What was done, in a line."""
        summaries = "summary" if self.damaged == 1 else "summaries"
        errors = "change" if self.errors == 1 else "changes"
        return f"{self.damaged} damaged {summaries}, {self.errors} {errors}"

    def problems(self) -> Iterator[str]:
        """What could not be done, a line each."""
        for what, found in (
            ("with fewer errors than asked for", self.short),
            ("left out", self.left_out),
        ):
            if count := sum(found.values()):
                rows = "row" if count == 1 else "rows"
                often = max(found, key=lambda problem: found[problem])
                yield f"{count} {rows} {what}, most often because {often}"


def _rows(
    rows: Iterable[Example | Unreadable],
    kinds: list[Perturbation],
    count: int,
    keep_clean: bool,
    batch: int,
    tally: Tally,
) -> Iterator[dict[str, Any]]:
    from tricolore.perturb.damage import Damaged, clean_row

    for number, example, outcomes in damaged_rows(rows, kinds, count, batch, tally):
        damaged = [outcome for outcome in outcomes if isinstance(outcome, Damaged)]
        if keep_clean and damaged:
            yield {"row": number, **clean_row(example)}
        for outcome in damaged:
            yield {"row": number, **outcome.to_json()}


def damaged_rows(
    rows: Iterable[Example | Unreadable],
    kinds: list[Perturbation],
    count: int,
    batch: int,
    tally: Tally,
) -> Iterator[tuple[int, Example, list[Any]]]:
    """Every readable row with its number and what each kind made of it."""
    from itertools import islice

    from tricolore.example import Example
    from tricolore.perturb.damage import Undamaged

    numbered = enumerate(rows, 1)
    while some := list(islice(numbered, batch)):
        readable = [(number, row) for number, row in some if isinstance(row, Example)]
        for _, row in some:
            if not isinstance(row, Example):
                tally.left_out[row.problem] = tally.left_out.get(row.problem, 0) + 1
        examples = [row for _, row in readable]
        made = [kind.damage(examples, count) for kind in kinds]
        for (number, example), *outcomes in zip(readable, *made, strict=True):
            for outcome in outcomes:
                if isinstance(outcome, Undamaged):
                    tally.left_out[outcome.problem] = tally.left_out.get(outcome.problem, 0) + 1
                else:
                    tally.damaged += 1
                    tally.errors += len(outcome.edits)
                    if outcome.problem:
                        tally.short[outcome.problem] = tally.short.get(outcome.problem, 0) + 1
            yield number, example, outcomes
