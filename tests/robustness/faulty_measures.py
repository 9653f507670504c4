"""A measure that misbehaves on the poison row, in the way that the environment names."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tricolore import Example, Measure, Score
from tricolore.measure import Need

POISON = "poison"


@dataclass(frozen=True, kw_only=True)
class Faulty(Measure):
    """The number of letters; on the poison row, the fault that the variable FAULT names."""

    name = "faulty"
    needs: ClassVar[frozenset[Need]] = frozenset()
    batch_size = 4

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        for example in examples:
            if POISON in example.summary and _is_due():
                FAULTS[os.environ["FAULT"]]()
            yield Score(float(len(example.summary)))


def _is_due() -> bool:
    """Whether there is a fault now: always, or the first time only."""
    if "FAULT" not in os.environ:
        return False
    once = os.environ.get("FAULT_ONCE")
    if once is None:
        return True
    try:
        Path(once).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _fill_memory() -> None:
    limit = 3 << 30
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    bytearray(2 * limit)


def _hang() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _tell_that_it_is_reached()
    while True:
        time.sleep(1)


def _wait_at_the_gate() -> None:
    """Say that the row is reached, and go on when the test says so."""
    gate = _tell_that_it_is_reached()
    while not (gate / "open").exists():
        time.sleep(0.01)


def _tell_that_it_is_reached() -> Path:
    gate = Path(os.environ["FAULT_GATE"])
    (gate / "pid.new").write_text(str(os.getpid()))
    (gate / "pid.new").rename(gate / "pid")
    return gate


FAULTS = {
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "abort": os.abort,
    "segfault": lambda: ctypes.string_at(0),
    "memory": _fill_memory,
    "exit": lambda: sys.exit(0),
    "hard exit": lambda: os._exit(0),
    "hang": _hang,
    "gate": _wait_at_the_gate,
}
