"""Runs the command line in this process, with what must hold after every run.

The real entry point is called, with its handling of errors, so that hundreds of commands take
seconds. `test_as_a_user.py` runs some of the same commands in processes of their own.
"""

from __future__ import annotations

import contextlib
import io
import os
import resource
import signal
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest import mock

import typer.main

from tricolore.cli.app import app, main

COMMAND = typer.main.get_command(app)
"""Typer makes it for every call, which takes longer than the call."""

GUARD = 60
"""Seconds after which a command is taken to hang."""
MEMORY = 4 << 30
"""Bytes that a command may take, so that one that takes all memory does not stop the machine."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
CONTROLS = {chr(at) for at in (*range(32), *range(127, 160))} - {"\n"}
CONTROLS |= {chr(at) for at in (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x2028, 0x2029)}
"""Characters that a terminal acts on; none of them may come from the data."""


@dataclass(frozen=True)
class Outcome:
    """What a command left on its two streams, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return f"{self.out}\n{self.err}"


def run(
    folder: Path,
    *arguments: Any,
    stdin: bytes = b"",
    outputs: tuple[str, ...] = (),
    is_for_people: bool = True,
) -> Outcome:
    """Run a command in a folder, and check what must hold whatever the command was.

    It ends with code 0, 1 or 2, and without a traceback; if not with 0, standard error says why.
    No file is changed, and none is left besides the `outputs`; a command that fails leaves no
    output either. No control character is printed, unless standard output is data for another
    program and not `is_for_people`.
    """
    before = contents(folder)
    done = _called(folder, [str(argument) for argument in arguments], stdin)
    assert done.code in (0, 1, 2), done.said
    assert "Traceback" not in done.said
    if done.code == 2:
        assert done.err.strip(), "it failed without a word"
    found = CONTROLS.intersection(done.said if is_for_people else done.err)
    assert not found, f"control characters are printed: {sorted(map(ascii, found))}"
    after = contents(folder)
    assert {name: after.get(name) for name in before} == before, "an input was changed"
    left = after.keys() - before.keys()
    assert left <= set(outputs) if done.code < 2 else not left, f"files are left: {left}"
    return done


def contents(folder: Path) -> dict[str, str]:
    """A digest of every file of a folder, except those of the cache, by its path."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and folder / "cache" not in path.parents
    }


def _called(folder: Path, arguments: list[str], stdin: bytes) -> Outcome:
    places = {"XDG_CACHE_HOME": str(folder / "cache"), "COLUMNS": "300"}
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        tempfile.TemporaryDirectory() as scratch,
        mock.patch.dict(os.environ, places),
        mock.patch.object(tempfile, "tempdir", scratch),
        mock.patch.object(typer.main, "get_command", return_value=COMMAND),
        mock.patch.object(sys, "argv", ["tricolore", *arguments]),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8")),
        contextlib.chdir(folder),
        _signals_restored(),
        _limited_memory(),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("default")  # not errors, as in other tests
        with (
            mock.patch.object(sys, "stdout", _text(out.fileno(), "strict")),
            mock.patch.object(sys, "stderr", _text(err.fileno(), "backslashreplace")),
        ):
            code = _exit_code()
            for stream in (sys.stdout, sys.stderr):
                if not stream.closed:
                    stream.close()
        # PyTorch makes a directory of its own when it is imported.
        left = [name for name in os.listdir(scratch) if not name.startswith("torchinductor_")]
        assert left == [], "temporary files are left"
        return Outcome(code, _read(out), _read(err))


def _exit_code() -> int:
    signal.alarm(GUARD)
    try:
        main()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except Hangs:
        raise AssertionError("the command hangs") from None
    finally:
        signal.alarm(0)
    return 0


def _text(descriptor: int, errors: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(open(os.dup(descriptor), "wb"), "utf-8", errors)


def _read(stream: Any) -> str:
    stream.seek(0)
    return str(stream.read().decode("utf-8"))


class Hangs(BaseException):
    """Ends a command; not an `Exception`, which would be taken for the failure of a measure."""


def _stop(*_: object) -> None:
    raise Hangs


@contextlib.contextmanager
def _limited_memory() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextlib.contextmanager
def _signals_restored() -> Iterator[None]:
    handlers = {number: signal.getsignal(number) for number in (*SIGNALS, signal.SIGALRM)}
    signal.signal(signal.SIGALRM, _stop)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
