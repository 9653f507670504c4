"""`tricolore`: what is run when the command is typed."""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING

import typer

from tricolore.cli import (
    compare,
    corpus,
    data,
    explain,
    measures,
    meta,
    perturb,
    score,
    sensitivity,
    study,
    sweep,
    train,
)

if TYPE_CHECKING:
    from tricolore.errors import TricoloreError

app = typer.Typer(
    name="tricolore",
    help="Judge summaries, above all without references.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("score")(score.score)
app.command("compare")(compare.compare)
app.command("meta")(meta.meta)
app.command("train")(train.train)
app.command("measures")(measures.measures)
app.command("explain")(explain.explain)
app.command("corpus")(corpus.corpus)
app.command("sweep")(sweep.sweep)
app.command("perturb")(perturb.perturb)
app.command("sensitivity")(sensitivity.sensitivity)
app.add_typer(data.data, name="data")
app.add_typer(study.study, name="study")


@app.callback(invoke_without_command=True)
def _version(
    version: bool = typer.Option(False, "--version", help="Show the version and stop."),
) -> None:
    if version:
        from importlib.metadata import version as installed

        print(f"tricolore {installed('tricolore')}")
        raise typer.Exit


_OPTIONS = {
    "cache": "name another directory with --cache DIR, or score without with --cache off",
    "input_format": "name the format with --format csv, tsv, jsonl or parquet",
    "format": "name the form with --format",
    "output": "name another file with -o",
    "plot": "name another file with --plot",
    "human": "name the columns of human scores with --human",
    "human_columns": "name their columns with `tricolore score --human`",
    "bounds": "give the ends of the human scale with --bounds LOW,HIGH",
    "of": "name the measures with --of, as in --of density,coverage",
    "offline": "run it once without --offline",
    "from": "give it with --from FILE",
    "encoding": "the option is --encoding, as in --encoding cp1252 or --encoding utf-16",
    **{
        f"columns.{role}": f"name yours with --{role.replace('_', '-')} COLUMN"
        for role in ("source", "summary", "references", "system", "doc_id")
    },
}
"""What to do on the command line about an argument that an error names."""


def explained(error: TricoloreError) -> str:
    """The words of an error, with the option that its argument is given by."""
    option = _OPTIONS.get(error.argument, "")
    return f"{error}; {option}" if option else str(error)


def _log_to_stderr() -> None:
    """Show what the library reports on its way, such as which model it loads."""
    log = logging.getLogger("tricolore")
    log.setLevel(logging.INFO)
    log.handlers = [logging.StreamHandler(sys.stderr)]


def main() -> None:
    """Run the command line; an error that a user can mend is one line on stderr, exit code 2."""
    from tricolore.errors import TricoloreError

    _log_to_stderr()
    try:
        app()
    except TricoloreError as error:
        print(f"tricolore: {explained(error)}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): not an error, but nothing more to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
