"""Measures that misbehave on purpose; in a module of their own, so that processes can import it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tricolore import Example, Measure, Score
from tricolore.errors import Unavailable
from tricolore.measure import Need, ValueChoice


@dataclass(frozen=True, kw_only=True)
class Fragile(Measure):
    """Breaks on the summary 'break' as long as a file is there."""

    name = "fragile"
    needs: ClassVar[frozenset[Need]] = frozenset()
    cause: str = ""

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        for example in examples:
            if example.summary == "break" and Path(self.cause).exists():
                raise MemoryError("too little memory for now")
            yield Score(float(len(example.summary)))


@dataclass(frozen=True, kw_only=True)
class Deadly(Measure):
    """Kills its process on the summary 'die'."""

    name = "deadly"
    needs: ClassVar[frozenset[Need]] = frozenset()
    batch_size = 4
    how: str = "kill"

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        for example in examples:
            if example.summary == "die":
                if self.how == "abort":
                    os.abort()
                os.kill(os.getpid(), signal.SIGKILL)
            yield Score(float(len(example.summary)))


@dataclass(frozen=True, kw_only=True)
class LikesReferences(Measure):
    """Uses references where there are some, and does without where there are none."""

    name = "likes-references"
    needs: ClassVar[frozenset[Need]] = frozenset()
    reads: ClassVar[frozenset[Need]] = frozenset({"references"})  # type: ignore[assignment]

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        return [Score(float(len(example.references))) for example in examples]


@dataclass(frozen=True, kw_only=True)
class NoKey(Measure):
    """Would need a key that is not there."""

    name = "no-key"
    needs: ClassVar[frozenset[Need]] = frozenset()

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        raise Unavailable("the key is wrong", "give another", argument="offline")


@dataclass(frozen=True, kw_only=True)
class Sizes(ValueChoice):
    """Letters or words, and how often it was asked."""

    name = "sizes"
    needs: ClassVar[frozenset[Need]] = frozenset()
    part_names = ("letters", "words")
    asked: ClassVar[list[str]] = []
    value: str = "letters"

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        for example in examples:
            self.asked.append(example.summary)
            words = len(example.summary.split())
            yield Score.of_parts(
                {"letters": len(example.summary), "words": words if words > 1 else float("nan")}
            )
