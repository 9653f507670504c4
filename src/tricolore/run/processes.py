"""The engine of several processes on one machine, which survives the death of a process."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context

from tricolore.errors import Unavailable
from tricolore.run.engine import Engine, Here, Job, JobScores, Work, do
from tricolore.score import Score

_IN_FLIGHT = 2
"""Jobs per process that are running or waiting."""
_AHEAD = 8
"""The most jobs per process from the oldest running one to the newest, which wait for it."""
_DIED = "the process that scored this row was killed or crashed; other rows are not affected"


@dataclass(frozen=True)
class Processes:
    """Do jobs in several processes, each with its own copy of the models.

    When a process dies, the jobs that were running are repeated, one at a time. A job that kills
    its process again is split up: the row and measure at fault get a problem.
    """

    count: int

    def run(self, work: Work, jobs: Iterable[Job]) -> Iterator[JobScores]:
        """One answer per job, in the order in which they finish."""
        if not work.placement.threads:
            # The processes must not compete for the same cores.
            threads = max(1, (os.cpu_count() or 1) // self.count)
            work = replace(work, placement=replace(work.placement, threads=threads))
        waiting = iter(jobs)
        while lost := (yield from self._until_a_process_dies(work, waiting)):
            for job in lost:
                yield _alone(work, job)

    def _until_a_process_dies(
        self, work: Work, waiting: Iterator[Job]
    ) -> Generator[JobScores, None, list[Job]]:
        """The answers; then the jobs that were running when a process died, if one did."""
        under_way: dict[int, Job] = {}
        futures: set[Future[JobScores]] = set()
        newest = 0
        with _pool(work, self.count) as pool:
            try:
                while True:
                    while self._has_room(under_way, newest):
                        job = next(waiting, None)
                        if job is None:
                            break
                        if job.is_empty:
                            yield JobScores(job.number, [[] for _ in job.places])
                            continue
                        newest, under_way[job.number] = job.number, job
                        futures.add(pool.submit(_do, job))
                    if not futures:
                        return []
                    done, futures = wait(futures, return_when=FIRST_COMPLETED)
                    for future in done:
                        answer = future.result()
                        del under_way[answer.number]
                        yield answer
            except BrokenProcessPool:
                return list(under_way.values())

    def _has_room(self, under_way: dict[int, Job], newest: int) -> bool:
        if not under_way:
            return True
        is_near = newest - min(under_way) < _AHEAD * self.count
        return is_near and len(under_way) < _IN_FLIGHT * self.count


def _alone(work: Work, job: Job) -> JobScores:
    """The answer to a job during which a process died."""
    with _pool(work, 1) as pool:
        try:
            return pool.submit(_do, job).result()
        except BrokenProcessPool:
            pass
    scores: dict[tuple[int, int], Score] = {}
    pieces = list(job.pieces())
    while pieces:
        with _pool(work, 1) as pool:
            _want_start(pool)
            while pieces:
                (measure, place), piece = pieces.pop(0)
                try:
                    scores[measure, place] = pool.submit(_do, piece).result().scores[measure][0]
                except BrokenProcessPool:
                    scores[measure, place] = Score.missing(_DIED, is_final=False)
                    break
    columns = enumerate(job.places)
    return JobScores(job.number, [[scores[m, place] for place in places] for m, places in columns])


def _want_start(pool: ProcessPoolExecutor) -> None:
    try:
        pool.submit(os.getpid).result()
    except BrokenProcessPool as error:
        raise Unavailable(
            "no worker process could start",
            "measures that are defined in a script must be in a module that others can import",
        ) from error


@contextmanager
def _pool(work: Work, count: int) -> Iterator[ProcessPoolExecutor]:
    pool = ProcessPoolExecutor(count, get_context("spawn"), initializer=_start, initargs=(work,))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


class _Worker:
    """What a process of the pool was started with: it is not sent again with every job."""

    work: Work


def _start(work: Work) -> None:
    _Worker.work = work


def _do(job: Job) -> JobScores:
    return do(_Worker.work, job)


def local_engine(processes: int) -> Engine:
    """The engine for a number of processes on this machine."""
    return Here() if processes <= 1 else Processes(processes)
