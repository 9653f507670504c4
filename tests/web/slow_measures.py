"""Measures that wait, hang or die on purpose, in a module that workers can import."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tricolore import Example, Measure, Score
from tricolore.errors import Unavailable
from tricolore.measure import Need
from tricolore.settings import setting


@dataclass(frozen=True, kw_only=True)
class Gated(Measure):
    """Waits until a file is there, and notes which summaries it is asked to score together."""

    name = "gated"
    needs: ClassVar[frozenset[Need]] = frozenset()
    batch_size = 8
    gate: str = setting("", "File that it waits for.")
    noted: str = setting("", "File to which it writes one line per batch.")

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        if self.noted:
            with open(self.noted, "a") as stream:
                print(*(example.summary for example in examples), file=stream)
        while self.gate and not Path(self.gate).exists():
            time.sleep(0.01)
        return [Score(float(len(example.summary))) for example in examples]


@dataclass(frozen=True, kw_only=True)
class Mortal(Measure):
    """Dies of the summary 'die', hangs at 'hang', and is unavailable for 'missing'."""

    name = "mortal"
    needs: ClassVar[frozenset[Need]] = frozenset()

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        for example in examples:
            if example.summary == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            if example.summary == "hang":
                time.sleep(600)
            if example.summary == "missing":
                raise Unavailable("no key is set")
            yield Score(float(len(example.summary)))
