"""Where models run and what they may download: a value that is passed to threads and workers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Placement:
    """Where models run, whether they may be downloaded, and on how many threads they compute."""

    device: str = ""
    """"cpu", "cuda", "cuda:1", "mps"; empty: the fastest one that is available."""
    offline: bool = False
    """Whether models that are not on this machine are an error instead of a download."""
    threads: int = 0
    """Threads of torch on the CPU; 0: as torch chooses."""


_of_context: ContextVar[Placement | None] = ContextVar("placement", default=None)
_of_process: Placement | None = None


def current() -> Placement:
    """The placement of this context, else that of the process, else that of the environment."""
    return _of_context.get() or _of_process or _of_environment()


@contextmanager
def placed(placement: Placement) -> Iterator[None]:
    """Use a placement within a block, in this thread (or asyncio task) only.

    >>> with placed(Placement(device="cpu")):
    ...     current().device
    'cpu'
    """
    token = _of_context.set(placement)
    try:
        yield
    finally:
        _of_context.reset(token)


def place_process(placement: Placement) -> None:
    """Use a placement in all threads of this process that have not set their own."""
    global _of_process
    _of_process = placement


def _of_environment() -> Placement:
    offline = os.environ.get("HF_HUB_OFFLINE", "").lower() in ("1", "true", "yes", "on")
    return Placement(device=os.environ.get("TRICOLORE_DEVICE", ""), offline=offline)
