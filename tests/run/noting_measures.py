"""Measures that note what they are asked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tricolore import Example, Measure, Score


@dataclass(frozen=True, kw_only=True)
class Fragile(Measure):
    """Breaks on the summary 'break', and counts how often it is asked."""

    name = "fragile"
    needs: ClassVar[frozenset[str]] = frozenset()
    asked: ClassVar[list[str]] = []

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        for example in examples:
            self.asked.append(example.summary)
            if example.summary == "break":
                raise RuntimeError("as told")
            yield Score(float(len(example.summary)))


@dataclass(frozen=True, kw_only=True)
class Slow(Measure):
    """Takes two examples at a time, notes which, and stops the run at the summary 'stop'."""

    name = "slow"
    needs: ClassVar[frozenset[str]] = frozenset()
    batch_size = 2
    asked: ClassVar[list[list[str]]] = []

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        self.asked.append([example.summary for example in examples])
        if any(example.summary == "stop" for example in examples):
            raise KeyboardInterrupt
        return [Score(float(len(example.summary))) for example in examples]
