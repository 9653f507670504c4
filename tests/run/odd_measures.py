"""Measures that misbehave on purpose; in a module of their own, so that processes can import it."""

from __future__ import annotations

import ctypes
import hashlib
import logging
import math
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tricolore import Example, Measure, Score, Span
from tricolore.errors import Unavailable
from tricolore.measure import Composed, Need, ValueChoice


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
    """Ends its process on the summary 'die', and notes the processes that it runs in."""

    name = "deadly"
    needs: ClassVar[frozenset[Need]] = frozenset()
    batch_size = 200
    how: str = "kill"
    noted: str = ""

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        if self.noted:
            with open(self.noted, "a") as stream:
                print(os.getpid(), file=stream)
        for example in examples:
            if example.summary == "die":
                _end_process(self.how)
            yield Score(float(len(example.summary)))


def _end_process(how: str) -> None:
    if how == "abort":
        os.abort()
    if how == "exit":
        os._exit(0)
    if how == "interrupt":
        raise KeyboardInterrupt
    if how == "hang":
        hashlib.pbkdf2_hmac("sha256", b"", b"", 1 << 30)  # in C, for many minutes
    if how == "sigint":
        os.kill(os.getpid(), signal.SIGINT)
        return
    if how == "memory":
        resource.setrlimit(resource.RLIMIT_AS, (1 << 31, resource.RLIM_INFINITY))
        hoard = [bytearray(1 << 24)]
        while True:
            hoard.append(bytearray(hoard[0]))
    if how == "segv":
        ctypes.string_at(0)
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True, kw_only=True)
class Returns(Measure):
    """Returns something odd for the summary 'odd'."""

    name = "returns"
    needs: ClassVar[frozenset[Need]] = frozenset()
    part_names = ("words",)
    what: str = ""

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        if self.what == "no scores" and any(example.summary == "odd" for example in examples):
            return None  # type: ignore[return-value]
        return self._each(examples)

    def _each(self, examples: Sequence[Example]) -> Iterable[Score]:
        for example in examples:
            if example.summary != "odd":
                yield Score(float(len(example.summary)), {"words": 1.0})
            elif self.what == "too few":
                continue
            elif self.what == "too many":
                while True:
                    yield Score(1.0)
            else:
                yield ODD_SCORES[self.what]()


def _raise(error: BaseException) -> Any:
    raise error


class Unspeakable(BaseException):
    """Not an Exception, and without any words."""

    def __str__(self) -> str:
        raise ValueError("it has no words")


ODD_SCORES: dict[str, Callable[[], Any]] = {
    "zero": lambda: Score(0.0),
    "None": lambda: None,
    "a number": lambda: 0.5,
    "NaN": lambda: Score(math.nan),
    "parts only": lambda: Score.of_parts({"words": 1.0}),
    "infinity": lambda: Score(math.inf),
    "text": lambda: Score("0.5"),  # type: ignore[arg-type]
    "nothing": lambda: Score(None),  # type: ignore[arg-type]
    "infinite part": lambda: Score(1.0, {"words": -math.inf}),
    "text as part": lambda: Score(1.0, {"words": "1"}),  # type: ignore[dict-item]
    "parts in a list": lambda: Score(1.0, [1.0]),  # type: ignore[arg-type]
    "evidence of text": lambda: Score(1.0, evidence=("odd",)),  # type: ignore[arg-type]
    "evidence beyond": lambda: Score(1.0, evidence=(Span("summary", 1, 4),)),
    "evidence backwards": lambda: Score(1.0, evidence=(Span("summary", 2, 1),)),
    "evidence at halves": lambda: Score(1.0, evidence=(Span("summary", 0, 1.5),)),  # type: ignore[arg-type]
    "evidence elsewhere": lambda: Score(1.0, evidence=(Span("title", 0, 1),)),  # type: ignore[arg-type]
    "match beyond": lambda: Score(
        1.0, evidence=(Span("summary", 0, 1, match=Span("source", 0, 1, document=3)),)
    ),
    "weight NaN": lambda: Score(1.0, evidence=(Span("summary", 0, 1, math.nan),)),
    "exit": lambda: sys.exit(0),
    "unspeakable": lambda: _raise(Unspeakable()),
    "stop": lambda: _raise(GeneratorExit()),
}


@dataclass(frozen=True, kw_only=True)
class Noisy(Measure):
    """Logs a warning in every process that it runs in, with its settings."""

    name = "noisy"
    needs: ClassVar[frozenset[Need]] = frozenset()
    batch_size = 1

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        for _ in examples:
            log = logging.getLogger("tricolore.noisy")
            log.warning("a %s warning", "rare", extra={"argument": "cache"})
            log.debug("too much")
            yield Score(1.0)


@dataclass(frozen=True, kw_only=True)
class FailsLate(Measure):
    """Divides by zero when its score for the summary 'odd' is shown."""

    name = "fails-late"
    needs: ClassVar[frozenset[Need]] = frozenset()

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        return [Score(float(example.summary != "odd")) for example in examples]

    def shown(self, score: Score) -> Score:
        return Score(1.0 / score.value)


@dataclass(frozen=True, kw_only=True)
class FailsToCompose(Composed):
    """Divides by zero when it composes a score for the summary 'odd'."""

    name = "fails-late"
    needs: ClassVar[frozenset[Need]] = frozenset()
    terms = (Returns(what="zero"),)

    def compose(self, scores: Sequence[Score]) -> Score:
        return Score(1.0 if scores[0].value else 1.0 / scores[0].value)


@dataclass(frozen=True, kw_only=True)
class BadSignature(Measure):
    """Has a signature that cannot be written down."""

    name = "bad-signature"
    needs: ClassVar[frozenset[Need]] = frozenset()

    def signature(self) -> dict[str, Any]:
        return {"self": self}

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        return [Score(1.0) for _ in examples]


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
