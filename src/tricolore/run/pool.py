"""The worker processes of a run, as seen by the process that started them."""

from __future__ import annotations

import atexit
import logging
import math
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Generic, Protocol, Self, TypeVar

from tricolore.errors import Unavailable
from tricolore.run.worker import Message, Setup, serve, stopping_signals

_log = logging.getLogger(__name__)

_CHECK_SECONDS = 1.0
"""How often to look whether workers are alive: a child of a dead one may keep its pipe open."""
_CLOSE_SECONDS = 5.0
"""How long an idle worker may take to end."""
HINT = (
    "measures must be defined in a module that other processes can import, and a script must start "
    "its work under `if __name__ == '__main__':`"
)
"""What to do if a worker cannot start."""


class HasJob(Protocol):
    """Something to do that has a job."""

    @property
    def job(self) -> Any:
        """What a worker is sent."""
        ...

    @property
    def has_time_limit(self) -> bool:
        """Whether the time limit of the pool holds for it."""
        ...


SomeTask = TypeVar("SomeTask", bound=HasJob)
Answer = TypeVar("Answer")
Watcher = Callable[[SomeTask, Any], bool]
"""Told of the steps of a task that a worker reports; whether the time limit begins anew."""


@dataclass(frozen=True)
class Lost:
    """Why there is no answer to a job: `reason` is how the process ended, or that it was ended."""

    reason: str
    is_timeout: bool = False


class Pool(Generic[SomeTask, Answer]):
    """Workers that do one task each at a time. They are started as they are needed.

    `Answer` is what the jobs of the tasks give.

    A worker that dies, or takes longer than `timeout` seconds for a step of its task, is replaced.
    Leaving the block ends all of them: at once if there is an error, such as KeyboardInterrupt.
    """

    def __init__(
        self,
        work: object,
        count: int,
        timeout: float | None = None,
        *,
        watcher: Watcher[SomeTask] = lambda *_: False,
    ) -> None:
        self._watcher = watcher
        self._count = count
        self._timeout = math.inf if timeout is None else timeout
        self._setup = setup_of(work)
        self._workers: list[_Worker[SomeTask]] = []
        self._logs = WorkerLogs()
        self.not_warm: dict[str, str] = {}
        """The measures that could not be warmed up, by label, and why."""

    def __enter__(self) -> Self:
        # For callers that never end their iteration: Python waits for all processes at its end.
        atexit.register(self._kill)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        atexit.unregister(self._kill)
        if kind is None:
            self._close()
        else:
            self._kill()

    @property
    def is_busy(self) -> bool:
        """Whether a task is under way."""
        return any(worker.task is not None for worker in self._workers)

    @property
    def ready(self) -> int:
        """The number of workers that have started and can do tasks."""
        return sum(worker.is_ready for worker in self._workers)

    @property
    def free(self) -> int:
        """The number of workers that wait for a task."""
        return sum(worker.is_ready and worker.task is None for worker in self._workers)

    def start(self) -> None:
        """Start all workers now, also those that replace others, before there are tasks."""
        while len(self._workers) < self._count:
            self._start_one()

    def give(self, tasks: deque[SomeTask]) -> None:
        """Give tasks, from the first, to workers that are free, and start workers for the rest."""
        for worker in self._workers:
            if not tasks:
                return
            if worker.is_ready and worker.task is None:
                worker.give(tasks.popleft(), self._timeout)
        starting = sum(not worker.is_ready for worker in self._workers)
        while len(self._workers) < self._count and starting < len(tasks):
            self._start_one()
            starting += 1

    def _start_one(self) -> None:
        try:
            self._workers.append(_Worker(self._setup))
        except OSError as error:
            self._go_on_with_fewer(error)

    def _go_on_with_fewer(self, error: OSError) -> None:
        """The system allows no more processes or open files: the workers that run must do."""
        reason = error.strerror or str(error)
        if not self._workers:
            raise Unavailable(f"no worker process could start ({reason})") from error
        self._count = len(self._workers)
        _log.warning("no more than %d worker processes could start (%s)", self._count, reason)

    def wait(self, also: Sequence[Any] = ()) -> list[tuple[SomeTask, Answer | Lost]]:
        """Wait until something happens: tasks that are done or lost.

        `also` are sockets and the like: the wait ends, too, when one of them can be read.
        """
        now = time.monotonic()
        soonest = min((worker.deadline for worker in self._workers), default=math.inf)
        readable = wait(
            [*(worker.connection for worker in self._workers), *also],
            timeout=max(0.0, min(soonest - now, _CHECK_SECONDS)),
        )
        found: list[tuple[SomeTask, Answer | Lost]] = []
        for worker in list(self._workers):
            task = worker.task
            outcome = self._outcome(worker, worker.connection in readable)
            if outcome is not None and task is not None:
                found.append((task, outcome))
        return found

    def _outcome(self, worker: _Worker[SomeTask], has_message: bool) -> Answer | Lost | None:
        """What has become of the task of a worker, if anything has."""
        if has_message or worker.connection.poll():
            try:
                kind, content = worker.receive()
            except (EOFError, OSError):
                return self._dead(worker)
            if kind == "ready":
                worker.is_ready = True
                self.not_warm |= content
            elif kind == "log":
                self._logs.handle(content, worker.process.pid or 0)
            elif kind == "step":
                if worker.task is not None and self._watcher(worker.task, content):
                    worker.begin_step(self._timeout)
            elif kind == "error":
                raise content if worker.is_ready else Unavailable(content.problem, HINT)
            else:
                worker.free()
                answer: Answer = content
                return answer
        elif not worker.process.is_alive():
            return self._dead(worker)
        elif time.monotonic() >= worker.deadline:
            self._workers.remove(worker)
            worker.kill()
            return Lost(f"took longer than {self._timeout:g} s", is_timeout=True)
        return None

    def _dead(self, worker: _Worker[SomeTask]) -> Lost:
        self._workers.remove(worker)
        worker.process.join(_CHECK_SECONDS)  # it may just be ending
        worker.kill()
        if not worker.is_ready:
            raise Unavailable("no worker process could start", HINT)
        return Lost(f"the process that scored this row {_end(worker.process.exitcode)}")

    def _close(self) -> None:
        """Let the workers end by themselves, which they do when nothing can come any more."""
        for worker in self._workers:
            worker.connection.close()
        deadline = time.monotonic() + _CLOSE_SECONDS
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
        self._kill()

    def _kill(self) -> None:
        """End the workers at once: they have nothing to save."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.kill()
        self._workers = []


class _Worker(Generic[SomeTask]):
    """One process, the pipe to it, and the task that it does."""

    def __init__(self, setup: Setup) -> None:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        self.connection: Connection = ours
        is_main = threading.current_thread() is threading.main_thread()
        self.process: SpawnProcess = context.Process(target=serve, args=(theirs, setup, is_main))
        self.is_ready = False
        self.task: SomeTask | None = None
        self.deadline = math.inf
        try:
            with _no_interrupts():
                self.process.start()
        except BaseException:  # no pool knows it yet, so nobody else would end it
            if self.process.pid is not None:
                self.process.kill()
            ours.close()
            raise
        finally:
            theirs.close()

    def give(self, task: SomeTask, timeout: float) -> None:
        self.task = task
        self.begin_step(timeout)
        # The worker reads, so this does not block. If it has died, waiting for it will tell.
        with suppress(OSError):
            self.connection.send(task.job)

    def begin_step(self, timeout: float) -> None:
        is_limited = self.task is not None and self.task.has_time_limit
        self.deadline = time.monotonic() + timeout if is_limited else math.inf

    def receive(self) -> Message:
        message: Message = self.connection.recv()
        return message

    def free(self) -> None:
        self.task = None
        self.deadline = math.inf

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


class WorkerLogs:
    """Passes on what workers log; what several workers say is said once."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], int] = {}

    def handle(self, record: logging.LogRecord, worker: int) -> None:
        """Log a record of a worker, unless another worker has said the same."""
        key = record.name, record.getMessage()
        if len(self._first) < _REMEMBERED and self._first.setdefault(key, worker) != worker:
            return
        logger = logging.getLogger(record.name)
        if logger.isEnabledFor(record.levelno):
            logger.handle(record)


_REMEMBERED = 1000
"""Log messages that are remembered, so that memory stays bounded."""


def setup_of(work: object) -> Setup:
    """What a worker needs to do some work; an error if that cannot be sent to it."""
    try:
        pickled = pickle.dumps(work)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise Unavailable(f"no worker process could start ({reason})", HINT) from error
    names = ("", "tricolore")
    return Setup(pickled, {name: logging.getLogger(name).getEffectiveLevel() for name in names})


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM wait while a worker starts, and let it start without.

    A worker that is left in the middle of its start would print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it is started with the first worker, and unblocks Ctrl-C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, stopping_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(code: int | None) -> str:
    """How a process ended.

    >>> _end(-9), _end(0)
    ('was killed by SIGKILL', 'ended with exit code 0')
    """
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"was killed by {signal.Signals(-code).name}"
        return f"was killed by signal {-code}"
    return f"ended with exit code {code}"
