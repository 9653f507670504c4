"""`tricolore`: what is run when the command is typed."""

from __future__ import annotations

import os
import sys

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


def main() -> None:
    """Run the command line; what a user can mend is one line on stderr and exit code 2."""
    from tricolore.data.records import ReadError
    from tricolore.data.scores import WriteError
    from tricolore.models.errors import ModelNotFoundError
    from tricolore.perturb.perturbation import PerturbError
    from tricolore.registry import SpecError
    from tricolore.run.cache import CacheError
    from tricolore.train.errors import ModelDirectoryError, TrainingError

    mendable = (SpecError, ReadError, WriteError, CacheError, ModelNotFoundError)
    try:
        app()
    except (*mendable, PerturbError, TrainingError, ModelDirectoryError) as error:
        print(f"tricolore: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): not an error, but nothing more to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
