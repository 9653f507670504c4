"""Only a command that is done ends with exit code 0: a plugin cannot end it before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import extract_tb
from typing import NoReturn


@contextmanager
def no_early_exit() -> Iterator[None]:
    """Within this block, `os._exit` in this process raises SystemExit, as `sys.exit` does.

    So a plugin that calls it while it is imported, prepared or fitted is reported, and files are
    cleaned up. Processes that are forked from this one may end as they like.
    """
    owner, leave = os.getpid(), os._exit

    def raise_exit(status: int) -> NoReturn:
        if os.getpid() != owner:
            leave(status)
        raise SystemExit(status)

    os._exit = raise_exit
    try:
        yield
    finally:
        os._exit = leave


def early_exit_line(error: SystemExit) -> str:
    """Which file ended a command before it was done."""
    places = [frame.filename for frame in extract_tb(error.__traceback__)]
    name = next((os.path.basename(place) for place in reversed(places) if place != __file__), "")
    return f"{name or 'a package'} ended the program before the command was done"
