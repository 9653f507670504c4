"""Standard output that is closed, full, gone, or in an encoding without our characters."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

PIPE_CLOSED = 141
"""The exit code of a program whose reader has gone (`| head -1`): 128 and the signal SIGPIPE."""


@contextmanager
def standard_streams() -> Iterator[None]:
    """Make standard output safe to write to; if it fails, exit with one line on stderr."""
    if sys.stdout is not sys.__stdout__:  # a program that calls ours collects what it prints
        yield
        return
    _fill_closed()
    watched = _WatchedOutput(1, "wb", closefd=False)
    sys.stdout = out = io.TextIOWrapper(
        io.BufferedWriter(watched),
        encoding=sys.stdout.encoding if sys.stdout else "utf-8",
        errors="backslashreplace",
        line_buffering=watched.isatty(),
    )
    try:
        yield
    finally:
        # What is still in the buffer would fail later, when nobody can report it any more.
        with suppress(OSError):
            out.flush()
        if watched.failure:
            # The interpreter, which tries again at its end, must not fail.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            sys.exit(_reported(watched.failure))


class _WatchedOutput(io.FileIO):
    """Keeps the first error, which libraries may hide."""

    failure: OSError | None = None

    def write(self, data: Any) -> int:
        """Write bytes."""
        try:
            return super().write(data)
        except OSError as error:
            self.failure = self.failure or error
            raise


def _reported(error: OSError) -> int:
    """Say what is wrong, unless the reader has gone, and give the exit code."""
    if error.errno == errno.EPIPE:
        return PIPE_CLOSED
    words = "it is closed" if error.errno == errno.EBADF else error.strerror
    with suppress(OSError):
        print(f"tricolore: standard output cannot be written: {words}", file=sys.stderr)
    return 1


def _fill_closed() -> None:
    """Open descriptors that are closed (`>&-`), so that no file that we write gets their number.

    Writing to standard output then fails, as it should; what goes to stderr is lost.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # It gets the lowest free number, which is this one.
            os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", closefd=False)
