"""`tricolore`: the entry point of the command line."""

from __future__ import annotations

import io
import logging
import sys
from contextlib import suppress
from types import ModuleType
from typing import Annotated, Any

import typer

from tricolore.cli import (
    atlas,
    cache,
    check,
    compare,
    corpus,
    data,
    explain,
    judge_pairs,
    measures,
    meta,
    perturb,
    report,
    score,
    sensitivity,
    serve,
    study,
    sweep,
    train,
)
from tricolore.cli.command import Command
from tricolore.cli.early_exit import early_exit_line, no_early_exit
from tricolore.cli.options import FLAG
from tricolore.cli.output import print_lines
from tricolore.cli.standard_streams import standard_streams
from tricolore.cli.suggestions import epilog

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
    made = getattr(module, name.replace("-", "_"))
    examples = epilog(getattr(module, "EXAMPLES", ""))
    app.command(name, cls=Command, epilog=examples)(made)


for _name, _module in (
    ("check", check),
    ("score", score),
    ("compare", compare),
    ("judge-pairs", judge_pairs),
    ("meta", meta),
    ("report", report),
    ("train", train),
    ("measures", measures),
    ("explain", explain),
    ("corpus", corpus),
    ("sweep", sweep),
    ("perturb", perturb),
    ("sensitivity", sensitivity),
    ("atlas", atlas),
    ("serve", serve),
):
    _add(_name, _module)
app.add_typer(cache.cache, name="cache")
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
    "prune": "give --older-than DAYS or --max-size MB",
    "input_format": "name the format with --input-format csv, tsv, jsonl or parquet",
    "format": "name the form with --format",
    "output": "name another file with -o",
    "directory": "name another directory with -o",
    "plot": "name another file with --plot",
    "report": "name another file with --report",
    "human": "name the columns of human scores with --human",
    "human_columns": "name their columns with `tricolore score --human`",
    "bounds": "give the ends of the human scale with --bounds LOW,HIGH",
    "errors_per_summary": "give it with --errors-per-summary",
    "fail_on": "name what to look for with --fail-on",
    "of": "name the measures with --of, as in --of density,coverage",
    "timeout": "give it with --timeout SECONDS",
    "offline": "run it once without --offline",
    "from": "give it with --from FILE",
    "model": "allow it with --allow-model MODEL",
    "token": "or name another variable with --token-env, or a file with --token-file",
    "encoding": "the option is --encoding, as in --encoding cp1252 or --encoding utf-16",
    "max_row_mb": "the option is --max-row-mb, as in --max-row-mb 200",
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
        words = explained(record.getMessage(), getattr(record, "argument", ""))
        style = "yellow" if record.levelno >= logging.WARNING else "dim"
        with suppress(OSError):  # the terminal is gone
            print_lines([words], style, stderr=True)


# The base of what click raises about arguments: click itself may be part of typer.
_UsageError: Any = typer.BadParameter.__mro__[2]


def _usage(error: Any) -> list[str]:
    """How a command is used, and what is wrong with its arguments."""
    words = io.StringIO()
    error.show(file=words)
    return words.getvalue().strip().splitlines()


def _log_to_stderr() -> None:
    log = logging.getLogger("tricolore")
    log.setLevel(logging.INFO)
    log.handlers = [_ToStderr()]


def main() -> None:
    """Run the command line; an error that a user can fix is one line on stderr.

    The exit code is 2, or 1 if the system did not let us write an output, or has no more memory.
    """
    from tricolore.cli.stopping import Stopping
    from tricolore.errors import TricoloreError, WriteFailedError

    _log_to_stderr()
    stopping = Stopping()
    with standard_streams():
        try:
            with no_early_exit():
                code = app(standalone_mode=False)
            code = stopping.exit_code or code  # Typer calls every signal 130
        except (SystemExit, typer.Abort) as error:
            if stopping.exit_code:
                sys.exit(stopping.exit_code)
            # Typer returns the code of a command that is done: this one is not.
            if isinstance(error, SystemExit) and not error.code:
                print_lines([f"tricolore: {early_exit_line(error)}"], "", stderr=True)
                sys.exit(2)
            raise
        except _UsageError as error:
            print_lines(_usage(error), "", stderr=True)
            sys.exit(error.exit_code)
        except TricoloreError as error:
            print_lines([f"tricolore: {explained(error, error.argument)}"], "", stderr=True)
            sys.exit(1 if isinstance(error, WriteFailedError) else 2)
        except OSError as error:
            if error.filename is None:
                raise
            # A path that the system cannot even look at: a name that is too long, a loop of links.
            line = f"tricolore: {error.filename} cannot be used: {error.strerror}"
            print_lines([line], "", stderr=True)
            sys.exit(2)
        except MemoryError as error:
            words = f"tricolore: there is not enough memory: {error}".rstrip(": ")
            print_lines([words], "", stderr=True)
            sys.exit(2)
        sys.exit(code)
