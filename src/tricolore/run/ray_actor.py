"""The actor that scores parts: a process of a Ray cluster, on this machine or another."""

from __future__ import annotations

import logging
import pickle
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from logging.handlers import QueueHandler
from typing import Any

from tricolore.errors import TricoloreError, Unavailable
from tricolore.run.part_work import PartAnswer, PartJob, PartStep
from tricolore.run.pool import HINT
from tricolore.run.worker import Setup, plain_error

_MOST_RECORDS = 1000


@dataclass(frozen=True, slots=True)
class ActorStatus:
    """What an actor does: the last step of its part, and for how long its batch takes so far."""

    step: PartStep | None
    seconds: float
    records: Sequence[logging.LogRecord]


@dataclass(frozen=True, slots=True)
class ActorAnswer:
    """What has become of a part: it is written, or there is an error that ends the run."""

    answer: PartAnswer | None
    error: TricoloreError | None
    records: Sequence[logging.LogRecord]


class PartActor:
    """Scores one part after the other; it prepares measures and loads models once.

    `status` answers at any time, from another thread.
    """

    def __init__(self) -> None:
        self._records = _KeptLogs()
        self._step: PartStep | None = None
        self._began = time.monotonic()
        self._score: Callable[[PartJob, Callable[[Any], None]], PartAnswer] | None = None
        self._block: Any = None

    def begin(self, setup: Setup, path: Sequence[str]) -> TricoloreError | None:
        """Get ready, with the modules that the driver can import; an error if that fails."""
        sys.path += [each for each in path if each not in sys.path]
        logging.getLogger().handlers = [QueueHandler(self._records)]  # type: ignore[arg-type]
        for name, level in setup.log_levels.items():
            logging.getLogger(name).setLevel(level)
        try:
            work = pickle.loads(setup.work)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            return Unavailable(f"no Ray actor could start ({reason})", HINT)
        try:
            self._block = work.begun()
            self._score = self._block.__enter__()
        except TricoloreError as error:
            return plain_error(error)
        return None

    def score(self, job: PartJob) -> ActorAnswer:
        """Score a part and write it."""
        assert self._score is not None
        self._step, self._began = None, time.monotonic()
        try:
            return ActorAnswer(self._score(job, self._note), None, self._records.taken())
        except TricoloreError as error:
            return ActorAnswer(None, plain_error(error), self._records.taken())

    def status(self) -> ActorStatus:
        """What is being done."""
        return ActorStatus(self._step, time.monotonic() - self._began, self._records.taken())

    def _note(self, step: PartStep) -> None:
        if step.is_new_batch:
            self._began = time.monotonic()
        self._step = step


class _KeptLogs:
    """Keeps log records until the driver takes them; this makes it the queue of a handler."""

    def __init__(self) -> None:
        self._kept: deque[logging.LogRecord] = deque(maxlen=_MOST_RECORDS)

    def put_nowait(self, record: logging.LogRecord) -> None:
        self._kept.append(record)

    def taken(self) -> list[logging.LogRecord]:
        return [self._kept.popleft() for _ in range(len(self._kept))]
