"""A progress bar on a terminal, nothing in a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from tricolore.data.records import Records
from tricolore.report.terminal import console

ItemT = TypeVar("ItemT")


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        done = task.fields["done"]
        seconds = task.elapsed or 0.0
        return Text(f"{done} rows, {done / seconds:.0f}/s" if seconds else f"{done} rows")


@contextmanager
def counted(words: str, steps: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr that goes one step further whenever what is given is called."""
    out = console(stderr=True)
    if not out.is_terminal:
        yield lambda: None
        return
    columns = [
        TextColumn(words),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f}"),
    ]
    with Progress(*columns, TimeElapsedColumn(), console=out, transient=True) as bar:
        task = bar.add_task(words, total=steps)
        yield lambda: bar.advance(task)


def watched(
    items: Iterable[ItemT], records: Records | None = None, total: int | None = None
) -> Iterator[ItemT]:
    """Pass the items on, with a bar on stderr that follows them.

    How far it is can be seen by how much of the file is read, or by how many there will be; if
    neither is known, the bar only moves.
    """
    out = console(stderr=True)
    if not out.is_terminal:
        yield from items
        return
    columns = [TextColumn("scoring"), BarColumn(), _Rate(), TimeElapsedColumn()]
    with Progress(*columns, TimeRemainingColumn(), console=out, transient=True) as bar:
        task = bar.add_task("scoring", total=total, done=0)
        for done, item in enumerate(items, 1):
            read = records.fraction if records else None
            if read is not None:
                bar.update(task, total=1.0, completed=read, done=done)
            else:
                bar.update(task, completed=done, done=done)
            yield item
