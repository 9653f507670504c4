"""A measure that does harm on poisoned rows, as a file says; actors have another environment."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tricolore import Example, Measure, Score
from tricolore.measure import Need
from tricolore.settings import setting


@dataclass(frozen=True, kw_only=True)
class Rigged(Measure):
    """The number of letters; on a poisoned row, first the fault that `folder`/fault names."""

    name = "rigged"
    needs: ClassVar[frozenset[Need]] = frozenset()
    batch_size = 2

    folder: str = setting("", "Where the fault is named.")

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        for example in examples:
            if "poison" in example.summary:
                self._do_harm()
            yield Score(float(len(example.summary)))

    def _do_harm(self) -> None:
        folder = Path(self.folder)
        try:
            words = (folder / "fault").read_text().split()
        except FileNotFoundError:
            return
        if "once" in words:
            try:
                (folder / "once").touch(exist_ok=False)
            except FileExistsError:
                return
        (folder / f"pid-{os.getpid()}").touch()
        if "gate" in words:
            while not (folder / "open").exists():
                time.sleep(0.02)
        if "kill" in words:
            os.kill(os.getpid(), signal.SIGKILL)
        if "hang" in words:
            time.sleep(3600)
        if "memory" in words:
            limit = 3 << 30
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
            bytearray(2 * limit)
