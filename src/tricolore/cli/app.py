"""`tricolore`: the entry point of the command line."""

from __future__ import annotations

import logging
import os
import sys
from types import ModuleType
from typing import Annotated

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
from tricolore.cli.options import FLAG
from tricolore.cli.suggestions import SuggestingCommand, epilog

app = typer.Typer(
    name="tricolore",
    help="Judge summaries, above all without references.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=epilog("tricolore score examples/summaries.jsonl -m rouge,importance"),
)


def _add(name: str, module: ModuleType) -> None:
    """Add the command of a module that has its function and its examples."""
    made = getattr(module, name)
    examples = epilog(getattr(module, "EXAMPLES", ""))
    app.command(name, cls=SuggestingCommand, epilog=examples)(made)


for _name, _module in (
    ("score", score),
    ("compare", compare),
    ("meta", meta),
    ("train", train),
    ("measures", measures),
    ("explain", explain),
    ("corpus", corpus),
    ("sweep", sweep),
    ("perturb", perturb),
    ("sensitivity", sensitivity),
):
    _add(_name, _module)
app.add_typer(data.data, name="data")
app.add_typer(study.study, name="study")


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[
        bool, typer.Option("--version", metavar=FLAG, help="Show the version and exit.")
    ] = False,
) -> None:
    if version:
        from tricolore import __version__

        print(f"tricolore {__version__}")
        raise typer.Exit


_ROLES = ("source", "summary", "references", "system", "doc_id")
_OPTIONS = {
    "cache": "name another directory with --cache DIR, or score without with --cache off",
    "input_format": "name the format with --input-format csv, tsv, jsonl or parquet",
    "format": "name the form with --format",
    "output": "name another file with -o",
    "plot": "name another file with --plot",
    "human": "name the columns of human scores with --human",
    "human_columns": "name their columns with `tricolore score --human`",
    "bounds": "give the ends of the human scale with --bounds LOW,HIGH",
    "errors_per_summary": "give it with --errors-per-summary",
    "of": "name the measures with --of, as in --of density,coverage",
    "offline": "run it once without --offline",
    "from": "give it with --from FILE",
    "encoding": "the option is --encoding, as in --encoding cp1252 or --encoding utf-16",
    **{f"columns.{role}": f"name yours with --{role.replace('_', '-')} COLUMN" for role in _ROLES},
    **{f"choice.{role}": f"choose with --{role.replace('_', '-')} COLUMN" for role in _ROLES},
}
"""What to do on the command line about the argument in an error."""


def explained(problem: object, argument: str) -> str:
    """The text of an error or a warning, with the option for its argument."""
    option = _OPTIONS.get(argument, "")
    if not option:
        return str(problem)
    words = str(problem)
    has_lines = "\n" in words
    return f"{words}\n{option[:1].upper()}{option[1:]}." if has_lines else f"{words}; {option}"


class _ToStderr(logging.Handler):
    """Shows what the library logs, such as which columns and models it reads."""

    def emit(self, record: logging.LogRecord) -> None:
        from tricolore.report.terminal import console

        words = explained(record.getMessage(), getattr(record, "argument", ""))
        style = "yellow" if record.levelno >= logging.WARNING else "dim"
        console(stderr=True).print(words, style=style, soft_wrap=True, markup=False)


def _log_to_stderr() -> None:
    log = logging.getLogger("tricolore")
    log.setLevel(logging.INFO)
    log.handlers = [_ToStderr()]


def main() -> None:
    """Run the command line; an error that a user can fix is one line on stderr, exit code 2."""
    from tricolore.errors import TricoloreError

    _log_to_stderr()
    try:
        app()
    except TricoloreError as error:
        print(f"tricolore: {explained(error, error.argument)}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): not an error, but nothing more to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
