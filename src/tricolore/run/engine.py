"""Where measures do their work: in this process, or in several."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.models.errors import ModelNotFoundError
from tricolore.models.placement import Placement, current, place_process
from tricolore.score import Score

Job = Sequence[Sequence[Example]]
"""For each measure of the run, the examples that it has to score."""
Ticket = TypeVar("Ticket")


class _Worker:
    """A process of the pool: it gets the measures once, not with every job."""

    measures: Sequence[Measure] = ()
    evidence = False


def _equip(measures: Sequence[Measure], evidence: bool, threads: int, placement: Placement) -> None:
    place_process(placement)
    # Read when a model is first loaded: the workers must not fight over the same cores.
    os.environ.setdefault("OMP_NUM_THREADS", str(threads))
    _Worker.measures, _Worker.evidence = measures, evidence


def _work_here(job: Job) -> list[list[Score]]:
    return work(_Worker.measures, job, evidence=_Worker.evidence)


def work(measures: Sequence[Measure], job: Job, *, evidence: bool) -> list[list[Score]]:
    """The scores of a job, measure by measure."""
    return [_score(m, examples, evidence) for m, examples in zip(measures, job, strict=True)]


def _score(measure: Measure, examples: Sequence[Example], evidence: bool) -> list[Score]:
    try:
        return measure.score(examples, evidence=evidence)
    except ModelNotFoundError:
        raise  # no row can be scored: the user has to know at once
    except Exception as error:
        # One row must not take the others down: find it, and let its own score say what broke.
        if len(examples) == 1:
            return [Score.missing(f"{measure.name} failed: {type(error).__name__}: {error}")]
        return [_score(measure, [example], evidence)[0] for example in examples]


def in_order(
    measures: Sequence[Measure],
    jobs: Iterable[tuple[Ticket, Job]],
    *,
    workers: int,
    evidence: bool,
) -> Iterator[tuple[Ticket, list[list[Score]]]]:
    """Do the jobs and give them back in the order they came, with whatever ticket they carried.

    With several workers only a few jobs are in flight, so that memory stays bounded.
    """
    if workers <= 1:
        for ticket, job in jobs:
            yield ticket, work(measures, job, evidence=evidence)
        return
    pending: deque[tuple[Ticket, Future[list[list[Score]]]]] = deque()
    given = (measures, evidence, max(1, (os.cpu_count() or 1) // workers), current())
    with ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=_equip, initargs=given
    ) as pool:
        for ticket, job in jobs:
            pending.append((ticket, pool.submit(_work_here, job)))
            if len(pending) > 2 * workers:
                first, future = pending.popleft()
                yield first, future.result()
        while pending:
            first, future = pending.popleft()
            yield first, future.result()
