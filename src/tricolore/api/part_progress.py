"""How far a run in parts is, from what its processes report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tricolore.api.running import Progress, ProgressChoice, progress_mode
from tricolore.data.manifest import FinishedPart, Manifest, Part
from tricolore.report.progress import RowProgress, shown
from tricolore.run.part_work import PartStep


class PartProgress:
    """Rows that are done and rows with a problem, in finished parts and those under way."""

    def __init__(self, manifest: Manifest) -> None:
        parts = manifest.in_order()
        self.total = manifest.rows
        self.working = ""
        """The row that is being scored, and the measure."""
        self._done = sum(part.rows for part in parts)
        self._problems = sum(part.rows_with_problem for part in parts)
        self._under_way: dict[int, PartStep] = {}

    @property
    def done(self) -> int:
        """Rows that are done."""
        return self._done + sum(step.rows for step in self._under_way.values())

    @property
    def problems(self) -> int:
        """Rows with a problem."""
        steps = self._under_way.values()
        return self._problems + sum(step.rows_with_problem for step in steps)

    def step(self, part: Part, step: PartStep) -> None:
        """Note how far a part is."""
        self._under_way[part.number] = step
        if step.measure:
            self.working = f"row {part.first_row + step.rows}: {step.measure}"

    def finish(self, part: FinishedPart) -> None:
        """Note that a part is finished."""
        self._under_way.pop(part.number, None)
        self._done += part.rows
        self._problems += part.rows_with_problem


@contextmanager
def parts_shown(manifest: Manifest, progress: ProgressChoice) -> Iterator[ShownParts]:
    """Show the progress of a run in parts within a block."""
    rows = PartProgress(manifest)
    if callable(progress):
        yield ShownParts(rows, progress)
        return
    bar = RowProgress(total=lambda: rows.total, working=lambda: rows.working, done=rows.done)
    with shown(bar, progress_mode(progress)) as draw:

        def update(done: int, _: int | None) -> None:
            bar.update(done, rows.problems)
            draw()

        yield ShownParts(rows, update)


class ShownParts:
    """Passes what processes report on to whoever shows it."""

    def __init__(self, rows: PartProgress, update: Progress) -> None:
        self._rows = rows
        self._update = update

    def step(self, part: Part, step: PartStep) -> None:
        """Show how far a part is."""
        self._rows.step(part, step)
        self._update(self._rows.done, self._rows.total)

    def finish(self, part: FinishedPart) -> None:
        """Show that a part is finished."""
        self._rows.finish(part)
        self._update(self._rows.done, self._rows.total)
