"""The engine that scores parts by actors of a Ray cluster."""

from __future__ import annotations

import logging
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tricolore.data.manifest import Part
from tricolore.errors import TricoloreError, Unavailable
from tricolore.run.part_engines import PartWatcher
from tricolore.run.part_work import PartAnswer, PartJob, PartWork, with_threads
from tricolore.run.pool import HINT, WorkerLogs, setup_of
from tricolore.run.processes import Processes
from tricolore.run.ray_actor import ActorAnswer, ActorStatus, PartActor
from tricolore.run.ray_session import ray_session
from tricolore.text.plural import plural

_log = logging.getLogger(__name__)

_WAIT_SECONDS = 0.5
"""How long to wait for an answer before looking at how far the parts are."""
_STATUS_SECONDS = 1.0
"""How often an actor is asked how far it is."""
_SILENT_SECONDS = 15.0
"""How much longer than a batch may take an actor may be silent, which a measure can make it."""
_PATIENCE_SECONDS = 60.0
"""How long no actor may be there before a warning."""
_MOST_LOSSES = 4
"""A part whose actors died as often is given up: a row that ends its process is found by then."""
_MOST_FAILED_STARTS = 4


@dataclass(frozen=True)
class RayParts:
    """Scores parts by actors of Ray, on this machine or on a cluster.

    Every actor reads and writes its parts itself and has one part at a time, so that no more parts
    are under way than there are actors. A part whose actor or node dies, or takes longer than
    `timeout` seconds for a batch of rows, is scored again by another, with a process of its own for
    its rows: there the row and measure at fault get a problem and all others a score.

    Args:
        actors: How many actors; one per CPU of the cluster if 0.
        timeout: The seconds that a batch of rows may take, and loading a model with it.
        address: The address of a cluster, as in "10.0.0.1:6379"; if empty, Ray is started on this
            machine and ended again. Every node must have tricolore, the measures and the models,
            and must see the input and the output under the same paths.
    """

    actors: int = 0
    timeout: float | None = None
    address: str = ""

    def __post_init__(self) -> None:
        if self.actors < 0:
            raise TricoloreError(
                f"the number of actors is a whole number from 0, not {self.actors}",
                argument="actors",
            )
        Processes(1, self.timeout)  # it checks the time

    def run_parts(
        self, work: PartWork, parts: Iterable[Part], watcher: PartWatcher
    ) -> Iterator[PartAnswer]:
        """One answer per part, in the order in which they finish."""
        with ray_session(self.address, self.actors) as ray:
            cpus = int(ray.cluster_resources().get("CPU", 1))
            count = self.actors or max(1, cpus)
            work = with_threads(work, max(1, cpus // count))
            crew = _Crew(ray, work, count, self.timeout, watcher)
            try:
                yield from crew.answers(parts)
            finally:
                crew.dismiss()


@dataclass(frozen=True)
class _LoadedPart:
    """A part to score, and how often that was tried."""

    job: PartJob
    losses: int = 0

    @property
    def has_time_limit(self) -> bool:
        """Whether the time limit holds here; if not, the process of its rows has one."""
        return self.job.engine is None


class _Member:
    """One actor, what it does, and what it was asked."""

    def __init__(self, ray: Any, work: PartWork, setup: Any) -> None:
        gpus = 1 if work.placement.device.startswith("cuda") else 0
        actor = ray.remote(num_cpus=1, num_gpus=gpus, max_concurrency=2)(PartActor)
        self.handle = actor.remote()
        self.is_ready = False
        self.task: _LoadedPart | None = None
        self.pending: Any = self.handle.begin.remote(setup, sys.path)
        self.question: Any = None
        self.asked = time.monotonic()

    def give(self, task: _LoadedPart) -> None:
        self.task = task
        self.pending = self.handle.score.remote(task.job)
        self.question, self.asked = None, time.monotonic()


class _Crew:
    """The actors of a run, as seen by the driver."""

    def __init__(
        self, ray: Any, work: PartWork, count: int, timeout: float | None, watcher: PartWatcher
    ) -> None:
        self._ray = ray
        self._work = work
        self._count = count
        self._timeout = timeout
        self._watcher = watcher
        self._setup = ray.put(setup_of(work))
        self._members: list[_Member] = []
        self._tasks: deque[_LoadedPart] = deque()
        self._logs = WorkerLogs()
        self._failed_starts = 0
        self._waiting_since = time.monotonic()

    def answers(self, parts: Iterable[Part]) -> Iterator[PartAnswer]:
        rest = iter(parts)
        while True:
            while len(self._tasks) < self._count and (part := next(rest, None)):
                self._tasks.append(_LoadedPart(PartJob(part)))
            self._give()
            if not self._tasks and not any(member.task for member in self._members):
                return
            pending = [member.pending for member in self._members if member.pending is not None]
            done, _ = self._ray.wait(pending, num_returns=1, timeout=_WAIT_SECONDS)
            if done:  # others may be ready, too
                done, _ = self._ray.wait(pending, num_returns=len(pending), timeout=0)
            for member in [each for each in self._members if each.pending in done]:
                answer = self._settled(member)
                if answer is not None:
                    yield answer
            for member in list(self._members):
                if member.task is not None:
                    self._look_at(member)

    def dismiss(self) -> None:
        """End all actors: they have nothing to save."""
        for member in self._members:
            self._end(member)
        self._members = []

    def _give(self) -> None:
        """Give tasks to actors that are free, and start actors for the others."""
        for member in self._members:
            if self._tasks and member.is_ready and member.task is None:
                member.give(self._tasks.popleft())
        starting = sum(not member.is_ready for member in self._members)
        while len(self._members) < self._count and starting < len(self._tasks):
            self._members.append(_Member(self._ray, self._work, self._setup))
            starting += 1
        if any(member.is_ready for member in self._members):
            self._waiting_since = time.monotonic()
        elif time.monotonic() > self._waiting_since + _PATIENCE_SECONDS:
            self._waiting_since = time.monotonic()
            _log.warning("waiting for Ray: it has not started an actor yet, or has no CPU free")

    def _settled(self, member: _Member) -> PartAnswer | None:
        """What an actor has answered; if it has died, its part is done again."""
        try:
            found = self._ray.get(member.pending)
        except self._ray.exceptions.RayTaskError:
            raise  # a mistake of ours
        except self._ray.exceptions.RayError as error:
            self._lose(member, _reason(error))
            return None
        member.pending = None
        if not member.is_ready:
            if isinstance(found, TricoloreError):
                raise found
            member.is_ready, self._failed_starts = True, 0
            return None
        assert isinstance(found, ActorAnswer)
        member.task = None
        self._log_all(member, found)
        if found.error is not None:
            raise found.error
        return found.answer

    def _look_at(self, member: _Member) -> None:
        """Ask an actor how far it is, pass that on, and end it if it takes too long."""
        assert member.task is not None
        now = time.monotonic()
        if member.question is None:
            if now >= member.asked + _STATUS_SECONDS:
                member.question, member.asked = member.handle.status.remote(), now
            return
        silence = now - member.asked
        done, _ = self._ray.wait([member.question], timeout=0)
        if not done:
            if self._is_late(member.task, silence - _SILENT_SECONDS):
                self._lose(member, f"took longer than {self._timeout:g} s")
            return
        try:
            status: ActorStatus = self._ray.get(member.question)
        except self._ray.exceptions.RayError:
            return  # the answer to the part says why
        member.question = None
        self._log_all(member, status)
        if status.step is not None:
            self._watcher(member.task.job.part, status.step)
        if self._is_late(member.task, status.seconds):
            self._lose(member, f"took longer than {self._timeout:g} s")

    def _is_late(self, task: _LoadedPart, seconds: float) -> bool:
        return task.has_time_limit and self._timeout is not None and seconds > self._timeout

    def _lose(self, member: _Member, reason: str) -> None:
        """Take an actor off the list, and put its part before the others."""
        self._members.remove(member)
        self._end(member)
        task = member.task
        if task is None:
            self._failed_starts += 1
            if self._failed_starts >= _MOST_FAILED_STARTS:
                raise Unavailable(f"no Ray actor could start ({reason})", HINT)
            return
        number, losses = task.job.part.number, task.losses + 1
        if losses >= _MOST_LOSSES:
            times = plural(losses, "time")
            raise Unavailable(f"part {number} cannot be scored: tried {times}; the last: {reason}")
        _log.info("part %d is scored again: %s", number, reason)
        job = replace(task.job, engine=Processes(1, self._timeout))
        self._tasks.appendleft(_LoadedPart(job, losses))

    def _end(self, member: _Member) -> None:
        try:
            self._ray.kill(member.handle, no_restart=True)
        except Exception as error:  # it has ended, or Ray has
            _log.debug("an actor could not be ended: %s", error)

    def _log_all(self, member: _Member, said: ActorAnswer | ActorStatus) -> None:
        for record in said.records:
            self._logs.handle(record, id(member))


def _reason(error: Exception) -> str:
    """Why an actor has died, in one line."""
    words = str(getattr(error, "cause", None) or error).strip().split("\n")
    return " ".join(word.strip() for word in words[:1]) or type(error).__name__
