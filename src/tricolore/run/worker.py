"""A worker process: it does one job after the other, and never outlives the process it serves."""

from __future__ import annotations

import ctypes
import logging
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from logging.handlers import QueueHandler
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from typing import Any, Literal, Protocol

from tricolore.errors import TricoloreError, Unavailable
from tricolore.run.engine import StepReport

MessageKind = Literal["ready", "answer", "step", "log", "error"]
Message = tuple[MessageKind, Any]
"""What a worker sends: that it is ready and what it could not warm up, the answer to a job, what it
does next, a log record, or an error of ours."""


class WorkerWork(Protocol):
    """What a worker process is started with."""

    def warm_up(self) -> dict[str, str]:
        """Load what the first job would wait for: what cannot be loaded, by name, and why."""
        ...

    def begun(self) -> AbstractContextManager[Callable[[Any, StepReport], Any]]:
        """Within a block: a function that does what the worker is asked to do."""
        ...


_STOPPED = 130
"""The exit code of a worker whose measure raised KeyboardInterrupt, as of a stopped command."""


@dataclass(frozen=True)
class Setup:
    """What a worker is started with."""

    work: bytes
    """The pickled `Work` or `PartWork`: a worker reports when it cannot import what is in it."""
    log_levels: Mapping[str, int]
    """The level of loggers by name."""


def serve(connection: Connection, setup: Setup, is_from_main_thread: bool) -> None:
    """Answer jobs until the other end is closed."""
    _end_with_parent(is_from_main_thread)
    _ignore_interrupts()
    outbox = _Outbox(connection)
    _forward_logs(outbox, setup.log_levels)
    try:
        work: WorkerWork = pickle.loads(setup.work)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        outbox.send("error", Unavailable(f"no worker process could start ({reason})"))
        return
    outbox.send("ready", work.warm_up())
    try:
        with work.begun() as do:
            _answer_all(connection, outbox, do)
    except TricoloreError as error:
        outbox.send("error", plain_error(error))


def _answer_all(
    connection: Connection, outbox: _Outbox, do: Callable[[Any, StepReport], Any]
) -> None:
    while True:
        try:
            job = connection.recv()
        except (EOFError, OSError):
            return
        try:
            outbox.send("answer", do(job, lambda step: outbox.send("step", step)))
        except TricoloreError as error:
            outbox.send("error", plain_error(error))
        except KeyboardInterrupt:  # of a measure: real ones are ignored
            os._exit(_STOPPED)


def plain_error(error: TricoloreError) -> TricoloreError:
    """The error as one of this package: another process may not know the class of a plugin."""
    if type(error).__module__ == TricoloreError.__module__:
        return error
    kind = Unavailable if isinstance(error, Unavailable) else TricoloreError
    return kind(error.problem, error.hint, argument=error.argument)


class _Outbox:
    """Sends messages, from any thread."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()

    def send(self, kind: MessageKind, content: Any) -> None:
        """Send a message; if nobody is there to take it, this process has nothing more to do."""
        with self._lock:
            try:
                self._connection.send((kind, content))
            except BrokenPipeError:
                os._exit(0)

    def put_nowait(self, record: logging.LogRecord) -> None:
        """Send a log record; this makes it the queue of a `QueueHandler`."""
        self.send("log", record)


def _forward_logs(outbox: _Outbox, levels: Mapping[str, int]) -> None:
    logging.getLogger().handlers = [QueueHandler(outbox)]  # type: ignore[arg-type]
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def _ignore_interrupts() -> None:
    """Leave Ctrl-C, which a terminal sends to all processes, to the one that is served."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, stopping_signals())


def stopping_signals() -> set[signal.Signals]:
    """Signals that wait while a worker starts."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    return {getattr(signal, name) for name in names if hasattr(signal, name)}


def _end_with_parent(is_from_main_thread: bool) -> None:
    """End this process when its parent has ended, by whatever means."""
    parent = parent_process()
    assert parent is not None
    if sys.platform == "linux" and is_from_main_thread:
        # The kernel does it even while a measure computes in C and no other thread can run. It
        # goes by the thread that started this process, which may end before its process does.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


_PR_SET_PDEATHSIG = 1


def _watch(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
