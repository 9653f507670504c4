"""What every kind of damage has: a seed, a plan for each summary, and damaged copies of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from tricolore.errors import PerturbError
from tricolore.example import Example
from tricolore.perturb.damage import CLEAN, Damaged, DamagePlan, Undamaged, apply
from tricolore.perturb.draw import Draw
from tricolore.settings import Settings, setting, shortest_spec

Outcome = Damaged | Undamaged


@dataclass(frozen=True, kw_only=True)
class Perturbation(Settings, ABC):
    """One way to make a summary worse. Like a measure, a frozen dataclass with settings.

    The same seed, texts and settings give the same damage, whatever else is in the batch.
    """

    kind: ClassVar[str]
    counted: ClassVar[bool] = True
    """Whether the number of errors can be chosen; if not, the whole summary is damaged at once."""
    needs_source: ClassVar[bool] = False

    seed: int = setting(0, "Seed of the random choices.")
    copy: int = setting(0, "Number of the damaged version: versions of the same seed differ.")

    @cached_property
    def label(self) -> str:
        """The shortest spec that makes this damage again, without seed and copy."""
        drawn = {"seed": self.seed, "copy": self.copy}
        return str(shortest_spec(self.kind, self.settings, self.defaults() | drawn, self.presets))

    @abstractmethod
    def plan_changes(self, examples: Sequence[Example], most: int) -> Sequence[DamagePlan]:
        """One plan per example, of at most `errors` changes; every example has what is needed."""

    def plans(self, examples: Sequence[Example], most: int) -> list[DamagePlan]:
        """One plan per example, in order."""
        problems = [self._problem(example) for example in examples]
        sound = [e for e, problem in zip(examples, problems, strict=True) if not problem]
        made = iter(self.plan_changes(sound, most) if sound else ())
        return [DamagePlan((), problem) if problem else next(made) for problem in problems]

    def damage(self, examples: Sequence[Example], count: int = 3) -> list[Outcome]:
        """Every summary with this many errors, or as many as it can take."""
        return [outcome for [outcome] in self.damage_by(examples, [count])]

    def damage_by(self, examples: Sequence[Example], counts: Sequence[int]) -> list[list[Outcome]]:
        """Every summary with each of these numbers of errors; errors are nested.

        A kind that does not count errors damages once for each number.
        """
        if not counts or min(counts) < 1:
            raise PerturbError("a summary has at least one error, not fewer")
        plans = self.plans(examples, max(counts))
        return [
            [self._made(example, plan, count) for count in counts]
            for example, plan in zip(examples, plans, strict=True)
        ]

    def _made(self, example: Example, plan: DamagePlan, count: int) -> Outcome:
        changes = plan.changes[:count] if self.counted else plan.changes
        summary, edits = apply(example.summary, changes)
        if summary == example.summary:
            return Undamaged(example, plan.problem or "the damage left the summary as it was")
        system = f"{example.system} + {self.label}" if example.system else self.label
        made = Example(
            source=example.source,
            summary=summary,
            references=example.references,
            doc_id=example.doc_id,
            system=system,
            human={CLEAN: 0.0},  # the human scores are of the clean summary,
            units=[replace(unit, present=None) for unit in example.units],  # and so are the labels
            highlights=example.highlights,
        )
        short = self.counted and len(changes) < count
        problem = plan.problem if short else ""
        about = (self.label, self.seed, self.copy, problem, self._by())
        return Damaged(example, made, edits, *about)

    def _by(self) -> dict[str, str]:
        """What determined the damage besides seed and texts, for the label."""
        return {}

    def _problem(self, example: Example) -> str:
        if not example.summary.strip():
            return "the summary is empty"
        if self.needs_source and not any(text.strip() for text in example.source):
            return "there is no source to take other words from"
        return ""

    def _draw(self, example: Example) -> Draw:
        return Draw(example, self.seed, self.copy, self.kind)
