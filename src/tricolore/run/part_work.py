"""Scoring a part: a process reads its rows, scores them, and writes them itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tricolore.data.manifest import FinishedPart, Part
from tricolore.data.part_files import PartFile
from tricolore.data.part_source import PartReader, PartSource
from tricolore.measure import Measure
from tricolore.models.placement import Placement, current, placed
from tricolore.models.spending import Usage
from tricolore.run.cache import Cache
from tricolore.run.engine import Engine, Here, Job, JobScores, StepReport, Work, do
from tricolore.run.run import Run


@dataclass(frozen=True)
class PartWork:
    """What is the same for all parts of a run. It can be sent to another process or machine."""

    measures: Sequence[Measure]
    """The measures, fitted to the corpus of the run where they need one."""
    source: PartSource
    output: Path
    """The directory that the parts are written to."""
    about: str
    """The metadata of the scores, as JSON."""
    evidence: bool = False
    cache: Path | None = None
    """The directory of the cache of scores."""
    placement: Placement = field(default_factory=current)

    def warm_up(self) -> dict[str, str]:
        """Nothing is loaded before the first part."""
        return {}

    @contextmanager
    def begun(self) -> Iterator[Callable[[PartJob, StepReport], PartAnswer]]:
        """Within a block: a function that scores a part, for worker processes.

        Measures are prepared, and models loaded, once for all parts.
        """
        cache = Cache(self.cache) if self.cache else None
        reader = self.source.open()
        try:
            yield PartScorer(self, reader, cache).score
        finally:
            reader.close()
            if cache:
                cache.close()


@dataclass(frozen=True)
class PartJob:
    """A part to score; with an engine where a row may be at fault that ends its process."""

    part: Part
    engine: Engine | None = None


@dataclass(frozen=True, slots=True)
class PartStep:
    """How far a part is: the rows that are done, those with a problem, and the measure at work."""

    rows: int
    rows_with_problem: int
    measure: str = ""
    is_new_batch: bool = False


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """A part that is written, and how many of its scores were computed or found in the cache."""

    finished: FinishedPart
    scored: int
    reused: int
    lost: int = 0
    """Scores that the cache could not keep."""
    usage: Usage = field(default_factory=Usage)
    """What measures that ask a service used for its scores."""


class PartScorer:
    """Scores parts, one after the other."""

    def __init__(self, work: PartWork, reader: PartReader, cache: Cache | None) -> None:
        self._work = work
        self._reader = reader
        self._cache = cache
        self._measures: Sequence[Measure] = ()

    def score(self, job: PartJob, report: StepReport) -> PartAnswer:
        """Read, score and write a part."""
        work = self._work
        with placed(work.placement):
            lost = self._cache.lost if self._cache else 0
            file = PartFile(job.part, work.measures, work.about, evidence=work.evidence)

            def step(measure: str = "", *, is_new_batch: bool = False) -> None:
                tally = file.tally
                report(PartStep(tally.rows, tally.rows_with_problem, measure, is_new_batch))

            engine = _Reporting(job.engine, step)
            run = Run(
                work.measures,
                cache=self._cache,
                engine=engine,
                evidence=work.evidence,
                placement=work.placement,
                is_fitted=True,
            )
            for result in run.score(self._reader.rows(job.part)):
                file.add(result.example, result.scores)
            finished = file.write(work.output, self._reader.odd_human)
            lost = self._cache.lost - lost if self._cache else 0
            return PartAnswer(finished, run.scored, run.reused, lost, run.usage)


@dataclass(frozen=True)
class _Reporting:
    """An engine that reports the beginning of every batch, and which measure is at work."""

    engine: Engine | None
    step: Callable[..., None]

    def run(self, work: Work, jobs: Iterable[Job]) -> Iterator[JobScores]:
        if self.engine is not None and not isinstance(self.engine, Here):
            for answer in self.engine.run(work, jobs):
                self.step(is_new_batch=True)
                yield answer
            return
        for job in jobs:
            self.step(is_new_batch=True)
            yield do(work, job, self.step)


def with_threads(work: PartWork, threads: int) -> PartWork:
    """The same work with so many threads for models, unless their number is given already."""
    if work.placement.threads:
        return work
    return replace(work, placement=replace(work.placement, threads=threads))
