"""`tricolore data`: the public datasets with human scores, as files that we can score."""

from __future__ import annotations

from typing import Annotated

import typer

from tricolore.cli.command import Command
from tricolore.cli.options import Output
from tricolore.cli.suggestions import epilog

data = typer.Typer(
    help="Public datasets with human scores: list them, or convert one to JSON Lines.",
    no_args_is_help=True,
    epilog=epilog("tricolore data list"),
)


@data.command("list", cls=Command, epilog=epilog("tricolore data list"))
def list_sets() -> None:
    """List the public datasets that can be read."""
    from tricolore.data.datasets import DATASETS
    from tricolore.report.terminal import console, plain_table

    table = plain_table("dataset", "what", "human scores", "from")
    for column in table.columns[1:]:
        column.justify = "left"
        column.no_wrap = False
    for dataset in DATASETS.values():
        shown = (dataset.name, dataset.what, dataset.qualities, dataset.home)
        table.add_row(*shown)
    console().print(table)


@data.command(
    "get",
    cls=Command,
    epilog=epilog("tricolore data get summeval --from summeval.jsonl -o judged.jsonl"),
)
def get(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="Dataset: one that `tricolore data list` shows."),
    ],
    given: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="PATH",
            show_default="it is downloaded",
            help="The published file, or the directory that has it.",
        ),
    ] = "",
    output: Output = "",
) -> None:
    """Convert a public dataset with human scores to JSON Lines.

    Writes NAME.jsonl, or the .jsonl file that -o names. What is downloaded is kept in the cache.
    """
    from pathlib import Path

    from platformdirs import user_cache_path

    from tricolore.data.annotations import write_judged
    from tricolore.data.atomic import check_target
    from tricolore.data.datasets import find_dataset
    from tricolore.data.download import download
    from tricolore.data.json_lines import check_json_lines
    from tricolore.data.outputs import reserved
    from tricolore.errors import ReadError
    from tricolore.report.terminal import console

    dataset = find_dataset(name)
    target = Path(output or f"{name}.jsonl")
    check_json_lines(target)
    out = console()
    if given:
        folder = Path(given)
        if not folder.exists():
            raise ReadError(f"{given} is not there")
    else:
        folder = user_cache_path("tricolore") / "data" / name
    with reserved([(target, "output")], [folder]):
        check_target(target)
        if not given:
            for file, sha256 in download(dataset, folder).items():
                out.print(f"{file} SHA-256 {sha256}", style="dim", soft_wrap=True)
        words = write_judged(dataset.read(folder), target)
    out.print(f"{target}: {words}")
