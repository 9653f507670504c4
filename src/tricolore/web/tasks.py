"""What worker processes do for the server. Imports nothing of the web: workers import it, too."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from tricolore.errors import TricoloreError, Unavailable
from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.models.placement import placed
from tricolore.perturb.damage import Damaged, Undamaged
from tricolore.perturb.perturbation import Perturbation
from tricolore.run.engine import Assignment, Job, StepReport, Work, do
from tricolore.score import Score


class BatchKind(Protocol):
    """What can be done for several examples at once, of any requests."""

    @property
    def key(self) -> Hashable:
        """Examples with the same key can be in one batch."""
        ...

    @property
    def name(self) -> str:
        """The name of the measure, for metrics and messages."""
        ...

    @property
    def batch_size(self) -> int:
        """The most examples of a batch."""
        ...

    def assignment(self, examples: Sequence[Example]) -> Assignment:
        """What a worker is sent; its answer is a list with one entry per example."""
        ...

    def lost(self, reason: str) -> Any:
        """The entry of an example for which a worker died or took too long."""
        ...


@dataclass(frozen=True, eq=False)
class Measuring:
    """Examples are scored by a measure.

    `key` is the label and the settings of evidence, so that requests share batches; a measure that
    was fitted to the sources of one request has a key of its own.
    """

    measure: Measure
    evidence: bool
    key: Hashable

    @property
    def name(self) -> str:
        """The name of the measure."""
        return self.measure.name

    @property
    def batch_size(self) -> int:
        """That of the measure."""
        return self.measure.batch_size

    def assignment(self, examples: Sequence[Example]) -> MeasuredExamples:
        """The examples with the measure."""
        return MeasuredExamples(self.measure, self.evidence, examples)

    def lost(self, reason: str) -> Score:
        """A score with a problem."""
        return Score.missing(f"{self.name}: {reason}", is_final=False)


@dataclass(frozen=True)
class MeasuredExamples:
    """One batch of one measure."""

    measure: Measure
    evidence: bool
    examples: Sequence[Example]

    def done(self, work: Work, report: StepReport) -> list[Score]:
        """One score per example."""
        job = Job(0, self.examples, [range(len(self.examples))])
        try:
            own = replace(work, measures=[self.measure], evidence=self.evidence)
            return list(do(own, job).scores[0])
        except Unavailable as error:  # a run would stop; here the other measures go on
            missing = Score.missing(str(error), is_final=False)
            return [missing for _ in self.examples]


@dataclass(frozen=True, eq=False)
class Damaging:
    """A summary is damaged."""

    perturbation: Perturbation
    errors: int
    batch_size: int = 1

    @property
    def key(self) -> Hashable:
        """Each is done alone."""
        return id(self)

    @property
    def name(self) -> str:
        """The kind of damage."""
        return self.perturbation.kind

    def assignment(self, examples: Sequence[Example]) -> DamagedExamples:
        """The examples with the kind of damage."""
        return DamagedExamples(self.perturbation, self.errors, examples)

    def lost(self, reason: str) -> Undamaged:
        """A summary that could not be damaged."""
        return Undamaged(Example(summary=""), f"{self.name}: {reason}")


@dataclass(frozen=True)
class DamagedExamples:
    """Summaries to damage."""

    perturbation: Perturbation
    errors: int
    examples: Sequence[Example]

    def done(self, work: Work, report: StepReport) -> list[Damaged | Undamaged]:
        """One damaged summary per example, or why there is none."""
        try:
            with placed(work.placement):
                return list(self.perturbation.damage(list(self.examples), self.errors))
        except TricoloreError as error:
            return [Undamaged(example, str(error)) for example in self.examples]
        except Exception as error:
            words = f"{self.perturbation.kind} failed: {type(error).__name__}"
            return [Undamaged(example, words) for example in self.examples]
