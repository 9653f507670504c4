"""Engines that score whole parts: in this process, or in several on this machine."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, runtime_checkable

from tricolore.data.manifest import Part
from tricolore.errors import Unavailable
from tricolore.run.engine import Engine, Here
from tricolore.run.part_work import PartAnswer, PartJob, PartStep, PartWork, with_threads
from tricolore.run.pool import Lost, Pool
from tricolore.run.processes import PluginsApart, Processes

PartWatcher = Callable[[Part, PartStep], None]
"""Told how far a part is."""


@runtime_checkable
class PartEngine(Protocol):
    """Scores parts and writes them.

    An engine takes parts as it needs them and may answer in any order. Every answer is about a
    part that is safely written. An error ends the run; the parts that were answered stay.
    """

    def run_parts(
        self, work: PartWork, parts: Iterable[Part], watcher: PartWatcher
    ) -> Iterator[PartAnswer]:
        """One answer per part, in any order."""
        ...


@dataclass(frozen=True)
class PartsHere:
    """Scores parts in this process, with an engine for their rows."""

    engine: Engine | None = None

    def run_parts(
        self, work: PartWork, parts: Iterable[Part], watcher: PartWatcher
    ) -> Iterator[PartAnswer]:
        """One part after the other."""
        with work.begun() as score:
            for part in parts:
                yield score(PartJob(part, self.engine), partial(watcher, part))


@dataclass(frozen=True)
class PartProcesses:
    """Scores parts in several processes, each of which reads and writes its parts itself.

    A part whose process dies, or takes longer than `timeout` seconds for a batch of rows, is scored
    again, with a process of its own for its rows: there the row and measure at fault get a problem
    and all others a score.
    """

    count: int
    timeout: float | None = None

    def run_parts(
        self, work: PartWork, parts: Iterable[Part], watcher: PartWatcher
    ) -> Iterator[PartAnswer]:
        """One answer per part, in the order in which they finish."""
        work = with_threads(work, max(1, (os.cpu_count() or 1) // self.count))
        rest = iter(parts)
        tasks: deque[_PartTask] = deque()

        def watch(task: _PartTask, step: PartStep) -> bool:
            watcher(task.job.part, step)
            return step.is_new_batch

        with Pool[_PartTask, PartAnswer](work, self.count, self.timeout, watcher=watch) as pool:
            while True:
                while len(tasks) < self.count and (part := next(rest, None)):
                    tasks.append(_PartTask(PartJob(part)))
                pool.give(tasks)
                if not pool.is_busy and not tasks:
                    return
                for task, outcome in pool.wait():
                    if isinstance(outcome, Lost):
                        tasks.appendleft(self._again(task, outcome))
                    else:
                        yield outcome

    def _again(self, task: _PartTask, lost: Lost) -> _PartTask:
        if not task.has_time_limit:
            reason = lost.reason.replace("this row", f"part {task.job.part.number}")
            raise Unavailable(f"part {task.job.part.number} cannot be scored: {reason}")
        job = replace(task.job, engine=Processes(1, self.timeout))
        return _PartTask(job, has_time_limit=False)


@dataclass(frozen=True)
class _PartTask:
    """A part; without a time limit if the processes of its rows have one."""

    job: PartJob
    has_time_limit: bool = True


def part_engine(engine: Engine, work: PartWork) -> PartEngine:
    """The engine for parts that does the same as an engine for rows."""
    if isinstance(engine, PluginsApart):
        packages = {type(measure).__module__.partition(".")[0] for measure in work.measures}
        return PartsHere() if packages == {"tricolore"} else PartProcesses(1)
    if isinstance(engine, Processes):
        return PartProcesses(engine.count, engine.timeout)
    return PartsHere(None if isinstance(engine, Here) else engine)
