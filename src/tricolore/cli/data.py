"""`tricolore data`: the public sets with human judgements, as files that we can score."""

from __future__ import annotations

from typing import Annotated

import typer

data = typer.Typer(
    help="Public sets with human judgements: list them, turn one into our JSON Lines.",
    no_args_is_help=True,
)


@data.command("list")
def list_sets() -> None:
    """List the sets that can be read."""
    from rich.text import Text

    from tricolore.data.datasets import DATASETS
    from tricolore.report.terminal import console, plain_table

    table = plain_table("dataset", "what", "human scores", "from")
    for column in table.columns[1:]:
        column.justify = "left"
        column.no_wrap = False
    for dataset in DATASETS.values():
        shown = (dataset.name, dataset.what, dataset.qualities, dataset.home)
        table.add_row(*map(Text, shown))
    console().print(table)


@data.command("get")
def get(
    name: Annotated[str, typer.Argument(help="One that `tricolore data list` names.")],
    given: Annotated[
        str,
        typer.Option("--from", help="The published file, or the directory that holds it."),
    ] = "",
    output: Annotated[
        str, typer.Option("-o", "--output", help="A .jsonl file; NAME.jsonl if not said.")
    ] = "",
) -> None:
    """Read a public set as it was published and write it as our JSON Lines.

    Without --from the files are downloaded, if there is a network, and kept in the cache.
    """
    from pathlib import Path

    from platformdirs import user_cache_path

    from tricolore.data.annotations import write_judged
    from tricolore.data.datasets import find_dataset
    from tricolore.data.download import download
    from tricolore.errors import ReadError
    from tricolore.report.terminal import console

    dataset = find_dataset(name)
    target = Path(output or f"{name}.jsonl")
    out = console()
    if given:
        folder = Path(given)
        if not folder.exists():
            raise ReadError(f"{given} is not there")
    else:
        folder = user_cache_path("tricolore") / "data" / name
        for file, sha256 in download(dataset, folder).items():
            out.print(f"{file} SHA-256 {sha256}", style="dim", soft_wrap=True)
    out.print(f"{target}: {write_judged(dataset.read(folder), target)}", markup=False)
