"""The engine of several processes on one machine, which survives the death of a process."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from tricolore.errors import TricoloreError
from tricolore.run.engine import Engine, Here, Job, JobScores, Work
from tricolore.run.pool import Lost, Pool
from tricolore.score import Score

_AHEAD = 8
"""The most jobs per process from the oldest unfinished one to the newest, which wait for it."""


@dataclass(frozen=True)
class Processes:
    """Do jobs in several processes, each with its own copy of the models.

    A job whose process dies is done again, in a new one. If that dies, too, the job is split up:
    the row and measure at fault get a problem, all others a score. The same happens at once to a
    job that takes longer than `timeout` seconds, in which it may also have to load a model.
    """

    count: int
    timeout: float | None = None

    def __post_init__(self) -> None:
        if self.timeout is not None and not 0 < self.timeout < math.inf:
            words = f"a timeout is a number of seconds above 0, not {self.timeout:g}"
            raise TricoloreError(words, argument="timeout")

    def run(self, work: Work, jobs: Iterable[Job]) -> Iterator[JobScores]:
        """One answer per job, in the order in which they finish."""
        if not work.placement.threads:
            # The processes must not compete for the same cores.
            threads = max(1, (os.cpu_count() or 1) // self.count)
            work = replace(work, placement=replace(work.placement, threads=threads))
        rest = iter(jobs)
        unfinished: set[int] = set()
        tasks: deque[_JobTask] = deque()

        def note(_: _JobTask, measure: str) -> bool:
            work.activity.begin(measure)
            return False  # the time limit is for the whole job

        with Pool[_JobTask, JobScores](work, self.count, self.timeout, watcher=note) as pool:
            while True:
                # One job per process is kept ready, so that none waits while results are used.
                while len(tasks) < self.count and self._is_near(unfinished):
                    job = next(rest, None)
                    if job is None:
                        break
                    if job.is_empty:
                        yield JobScores(job.number, [[] for _ in job.places])
                        continue
                    unfinished.add(job.number)
                    tasks.append(_JobTask(job))
                    pool.give(tasks)
                if not unfinished:
                    return
                pool.give(tasks)
                answers = [_settled(work, *ended, tasks) for ended in pool.wait()]
                pool.give(tasks)
                for answer in filter(None, answers):
                    unfinished.remove(answer.number)
                    yield answer

    def _is_near(self, unfinished: set[int]) -> bool:
        """Whether the next job would not be too far ahead of the oldest one."""
        return not unfinished or max(unfinished) - min(unfinished) < _AHEAD * self.count


@dataclass(frozen=True)
class _JobTask:
    """A job, or a piece of one that was lost."""

    job: Job
    is_repeated: bool = False
    piece: tuple[int, int] = (0, 0)
    """The index of the measure and of the example, if it is a piece."""
    of: _SplitJob | None = None
    has_time_limit: bool = True


@dataclass
class _SplitJob:
    """A job that is done in pieces, one per measure and example, and the scores so far."""

    job: Job
    scores: dict[tuple[int, int], Score] = field(default_factory=dict)

    def tasks(self) -> list[_JobTask]:
        return [_JobTask(job, piece=piece, of=self) for piece, job in self.job.pieces()]

    def put(self, piece: tuple[int, int], score: Score) -> JobScores | None:
        """Take the score of a piece; the answer to the job if it was the last one."""
        self.scores[piece] = score
        if len(self.scores) < sum(map(len, self.job.places)):
            return None
        columns = enumerate(self.job.places)
        scores = [[self.scores[measure, place] for place in places] for measure, places in columns]
        return JobScores(self.job.number, scores)


def _settled(
    work: Work, task: _JobTask, outcome: JobScores | Lost, tasks: deque[_JobTask]
) -> JobScores | None:
    """The answer to a job, or none yet: then what is left to do is put before the other tasks."""
    if isinstance(outcome, JobScores):
        if task.of is None:
            return outcome
        return task.of.put(task.piece, outcome.scores[task.piece[0]][0])
    if task.of is None and not task.is_repeated and not outcome.is_timeout:
        tasks.appendleft(replace(task, is_repeated=True))
        return None
    pieces = [task] if task.of else _SplitJob(task.job).tasks()
    if len(pieces) > 1:
        tasks.extendleft(reversed(pieces))
        return None
    [task] = pieces
    assert task.of is not None
    problem = f"{work.measures[task.piece[0]].name}: {outcome.reason}"
    return task.of.put(task.piece, Score.missing(problem, is_final=False))


@dataclass(frozen=True)
class PluginsApart:
    """Do jobs in this process, or in one worker if a measure is not of this package.

    A plugin may end its process by `os._exit` or a crash: that must not end a command silently.
    """

    def run(self, work: Work, jobs: Iterable[Job]) -> Iterator[JobScores]:
        """One answer per job."""
        packages = {type(measure).__module__.partition(".")[0] for measure in work.measures}
        engine: Engine = Here() if packages == {"tricolore"} else Processes(1)
        return engine.run(work, jobs)


def local_engine(
    processes: int, timeout: float | None = None, *, plugins_apart: bool = False
) -> Engine:
    """The engine for a number of processes on this machine.

    Args:
        processes: How many.
        timeout: The seconds that a job may take. With it there is at least one process beside this
            one, since this one cannot be ended.
        plugins_apart: Whether measures of plugins run in another process even if one is enough.
    """
    if processes > 1 or timeout is not None:
        return Processes(max(1, processes), timeout)
    return PluginsApart() if plugins_apart else Here()
