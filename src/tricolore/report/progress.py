"""A progress bar on a terminal or in a notebook, and nothing in a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

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

from tricolore.report.terminal import console

Item = TypeVar("Item")
Total = Callable[[], int | None]
"""The current estimate of the number of items."""


class _Count(ProgressColumn):
    """How many rows are done, of how many, and how fast."""

    max_refresh = 0.2

    def __init__(self, total: Total) -> None:
        super().__init__()
        self._total = total

    def render(self, task: Task) -> Text:
        """One line, which is redrawn while a slow measure works."""
        total = self._total()
        words = f"{task.completed:.0f} " + (f"of {total} rows" if total is not None else "rows")
        seconds = task.elapsed or 0.0
        rate = task.completed / seconds if seconds else 0.0
        if 0 < rate < 1:
            return Text(f"{words}, {1 / rate:.0f} s per row")
        return Text(f"{words}, {rate:.0f} per second" if rate else words)


def watched(items: Iterable[Item], total: Total = lambda: None) -> Iterator[Item]:
    """Pass the items on, with a bar on standard error that follows them."""
    out = console(stderr=True)
    if not (out.is_terminal or out.is_jupyter):
        yield from items
        return
    columns = [SpinnerColumn(), TextColumn("scoring"), BarColumn(), _Count(total)]
    times = [TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn()]
    with Progress(*columns, *times, console=out, transient=True) as bar:
        task = bar.add_task("scoring", total=None)
        for done, item in enumerate(items, 1):
            bar.update(task, total=total(), completed=done)
            yield item


@contextmanager
def counted(words: str, steps: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error; each call of the yielded function advances it by one step."""
    out = console(stderr=True)
    if not (out.is_terminal or out.is_jupyter):
        yield lambda: None
        return
    columns = [
        SpinnerColumn(),
        TextColumn(words, markup=False),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f}"),
    ]
    times = [TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn()]
    with Progress(*columns, *times, console=out, transient=True) as bar:
        task = bar.add_task(words, total=steps)
        yield lambda: bar.advance(task)
