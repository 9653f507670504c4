"""How far a run is: a bar on a terminal or in a notebook, or a line per minute in a log."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from tricolore.report.terminal import SafeConsole, console
from tricolore.text.plural import plural

Item = TypeVar("Item")
Total = Callable[[], int | None]
"""The current estimate of the number of items."""
ProgressMode = Literal["auto", "bar", "log", "off"]
"""A bar on a terminal and a log elsewhere (auto), only a bar, only a log, or nothing."""

LOG_SECONDS = 60.0
"""How often a line is written to a log."""
_LONG = 5.0
"""Seconds without a new row after which it is shown what is being done."""


@dataclass
class RowProgress:
    """How many rows are done, and what is being done now; any thread may read it."""

    words: str = "scoring"
    total: Total = lambda: None
    working: Callable[[], str] = lambda: ""
    """What is being done now, such as "grounding"."""
    done: int = 0
    problems: int = 0
    _before: int = field(init=False)
    _began: float = field(init=False, default_factory=time.monotonic)
    _changed: float = field(init=False, default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self._before = self.done

    def update(self, done: int, problems: int = 0) -> None:
        """Say how many rows are done, and how many of them have a problem."""
        if done != self.done:
            self._changed = time.monotonic()
        self.done, self.problems = done, problems

    @property
    def rate(self) -> float:
        """Rows per second; those that were done before the beginning do not count."""
        seconds = time.monotonic() - self._began
        return (self.done - self._before) / seconds if seconds else 0.0

    def describe(self) -> str:
        """Rows done, rate and problems, and after a while what is being done: in one line.

        >>> RowProgress(total=lambda: 4, done=1).describe()
        '1 of 4 rows'
        """
        total = self.total()
        found = [f"{self.done} of {total} rows" if total is not None else f"{self.done} rows"]
        if 0 < self.rate < 1:
            found.append(f"{1 / self.rate:.0f} s per row")
        elif self.rate:
            found.append(f"{self.rate:.0f} per second")
        if self.problems:
            found.append(plural(self.problems, "problem"))
        waited = time.monotonic() - self._changed
        if waited >= _LONG and (working := self.working()):
            found.append(f"{working} for {waited:.0f} s")
        return ", ".join(found)

    def left(self) -> str:
        """The time that is left, if it can be estimated: `0:12:30`."""
        total = self.total()
        if total is None or not self.rate:
            return ""
        minutes, seconds = divmod(int(max(0, total - self.done) / self.rate), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


class _Description(ProgressColumn):
    """The description of a run, which is drawn anew while a slow measure works."""

    max_refresh = 0.2

    def __init__(self, progress: RowProgress) -> None:
        super().__init__()
        self._progress = progress

    def render(self, task: Task) -> Text:
        """One line."""
        return Text(self._progress.describe())


@contextmanager
def shown(progress: RowProgress, mode: ProgressMode = "auto") -> Iterator[Callable[[], None]]:
    """Show the progress on standard error; the yielded function is called after an update."""
    out = console(stderr=True)
    has_bar = out.is_terminal or out.is_jupyter
    if mode == "log" or (mode == "auto" and not has_bar):
        with _logged(out, progress):
            yield lambda: None
        return
    if mode == "off" or not has_bar:
        yield lambda: None
        return
    columns = [SpinnerColumn(), TextColumn(progress.words, markup=False), BarColumn()]
    times = [TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn()]
    with Progress(*columns, _Description(progress), *times, console=out, transient=True) as bar:
        task = bar.add_task(progress.words, total=None, completed=progress.done)
        yield lambda: bar.update(task, total=progress.total(), completed=progress.done)


@contextmanager
def _logged(out: SafeConsole, progress: RowProgress) -> Iterator[None]:
    """Write a line now and then, also while a single row takes long."""
    ended = threading.Event()

    def write() -> None:
        while not ended.wait(LOG_SECONDS):
            left = progress.left()
            line = f"{progress.words}: {progress.describe()}" + (f", {left} left" if left else "")
            out.print(line, soft_wrap=True, highlight=False)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def watched(
    items: Iterable[Item],
    total: Total = lambda: None,
    mode: ProgressMode = "auto",
    *,
    has_problem: Callable[[Item], bool] = lambda _: False,
    working: Callable[[], str] = lambda: "",
) -> Iterator[Item]:
    """Pass the items on, and show their number.

    `has_problem` says of an item whether to count it as a problem, `working` what is being done.
    """
    progress = RowProgress(total=total)
    progress.working = lambda: f"row {progress.done + 1}: {words}" if (words := working()) else ""
    with shown(progress, mode) as draw:
        problems = 0
        for done, item in enumerate(items, 1):
            problems += has_problem(item)
            progress.update(done, problems)
            draw()
            yield item


@contextmanager
def counted(words: str, steps: int, mode: ProgressMode = "auto") -> Iterator[Callable[[], None]]:
    """Show the progress of something else; each call of the yielded function is one step."""
    progress = _StepProgress(words, lambda: steps)
    with shown(progress, mode) as draw:

        def advance() -> None:
            progress.update(progress.done + 1)
            draw()

        yield advance


class _StepProgress(RowProgress):
    """Progress that is not counted in rows."""

    def describe(self) -> str:
        return f"{self.done} of {self.total()}"
