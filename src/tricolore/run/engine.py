"""Engines run measures. This file has the interface, and the engine of one process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from tricolore.errors import Unavailable
from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.models.placement import Placement, current, placed
from tricolore.returned import failure
from tricolore.run.activity import Activity
from tricolore.score import Score

StepReport = Callable[[Any], None]
"""Told what is being done, before it is done."""


class Assignment(Protocol):
    """What a worker can be asked to do: a `Job` of a run, or anything else that can be pickled."""

    def done(self, work: Work, report: StepReport) -> Any:
        """Do it; `work` is what the worker was started with."""
        ...


@dataclass(frozen=True)
class Work:
    """What is the same for all jobs of a run. It can be sent to another process."""

    measures: Sequence[Measure]
    evidence: bool = False
    placement: Placement = field(default_factory=current)
    activity: Activity = field(default_factory=Activity, compare=False)
    """What is being done now, as far as this process knows."""
    warm: Sequence[Measure] = ()
    """Measures whose models a worker process loads before it takes its first job."""

    @contextmanager
    def begun(self) -> Iterator[Callable[[Assignment, StepReport], Any]]:
        """Within a block: a function that does what a worker process is asked to do."""
        yield lambda asked, report: asked.done(self, report)

    def warm_up(self) -> dict[str, str]:
        """Let the measures of `warm` score a short text: why some cannot, by label."""
        problems = {}
        with placed(self.placement):
            for measure in self.warm:
                try:
                    _scores(measure.computed(evidence=False), [_SHORT], False)
                except Unavailable as error:
                    problems[measure.label] = error.problem
        return problems


@dataclass(frozen=True)
class Job:
    """Examples, and which of them each measure has to score."""

    number: int
    examples: Sequence[Example]
    places: Sequence[Sequence[int]]
    """For each measure of the work, indices into `examples`."""

    def to_json(self) -> dict[str, Any]:
        """The object as plain values."""
        return {
            "number": self.number,
            "examples": [example.to_json() for example in self.examples],
            "places": [list(places) for places in self.places],
        }

    @staticmethod
    def from_json(plain: Mapping[str, Any]) -> Job:
        """The inverse of `to_json`."""
        examples = [Example.from_json(example) for example in plain["examples"]]
        return Job(plain["number"], examples, plain["places"])

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do: all scores were in the cache."""
        return not any(self.places)

    def pieces(self) -> Iterator[tuple[tuple[int, int], Job]]:
        """One job per measure and example, with the index of each."""
        for measure, places in enumerate(self.places):
            for place in places:
                alone = [[0] if at == measure else [] for at in range(len(self.places))]
                yield (measure, place), Job(self.number, [self.examples[place]], alone)

    def done(self, work: Work, report: StepReport) -> JobScores:
        """The answer to this job."""
        return do(work, self, report)


@dataclass(frozen=True)
class JobScores:
    """The scores of a job: one list per measure, in the order of the job's indices."""

    number: int
    scores: Sequence[Sequence[Score]]

    def to_json(self) -> dict[str, Any]:
        """The object as plain values."""
        scores = [[score.to_json() for score in column] for column in self.scores]
        return {"number": self.number, "scores": scores}

    @staticmethod
    def from_json(plain: Mapping[str, Any]) -> JobScores:
        """The inverse of `to_json`."""
        scores = [[Score.from_json(score) for score in column] for column in plain["scores"]]
        return JobScores(plain["number"], scores)


_SHORT = Example(
    source="The ferry to the island left at nine. It carried forty people.",
    summary="The ferry left at nine with forty people.",
    references=("A ferry with forty people left at nine.",),
)
"""What a measure scores so that its model is loaded."""


class Engine(Protocol):
    """Does the jobs of a run.

    An engine takes jobs as it needs them, never far ahead of its answers, so that memory stays
    bounded. It may answer in any order: the run restores it.
    """

    def run(self, work: Work, jobs: Iterable[Job]) -> Iterator[JobScores]:
        """One answer per job, in any order."""
        ...


@dataclass(frozen=True)
class Here:
    """The engine of this process."""

    def run(self, work: Work, jobs: Iterable[Job]) -> Iterator[JobScores]:
        """Do one job after the other."""
        for job in jobs:
            yield do(work, job)


def do(work: Work, job: Job, report: StepReport | None = None) -> JobScores:
    """The scores of one job, measure by measure; `report` is told which measure is at work."""
    scores = []
    with placed(work.placement):
        for measure, places in zip(work.measures, job.places, strict=True):
            if places:
                work.activity.begin(measure.name)
                if report:
                    report(measure.name)
            examples = [job.examples[place] for place in places]
            scores.append(_scores(measure, examples, work.evidence))
    return JobScores(job.number, scores)


def _scores(measure: Measure, examples: Sequence[Example], evidence: bool) -> list[Score]:
    try:
        return measure.compute_all(examples, evidence=evidence)
    except (Unavailable, KeyboardInterrupt):
        raise  # no row can be scored, or somebody stops the run
    except BaseException as error:  # also SystemExit: a measure must not end the program
        # One row must not make the others fail: find it, and report the failure in its own score.
        if len(examples) == 1:
            return [failure(measure.name, error)]
        return [_scores(measure, [example], evidence)[0] for example in examples]
