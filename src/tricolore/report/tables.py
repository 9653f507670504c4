"""Tables for the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from tricolore.measure import Measure, write_setting
from tricolore.report.systems import Cell, SystemTable

_ARROWS = {"higher": "↑", "lower": "↓", "neither": ""}


def console(*, stderr: bool = False) -> Console:
    """A console that does not fold tables to 80 columns when its output is a pipe or a file."""
    made = Console(stderr=stderr, highlight=False)
    return made if made.is_terminal else Console(stderr=stderr, highlight=False, width=1000)


def plain_table(*headers: str) -> Table:
    """A table in the one style that all our tables have; only the first column is words."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for at, header in enumerate(headers):
        table.add_column(header, justify="left" if at == 0 else "right", no_wrap=True)
    return table


def print_systems(out: Console, systems: SystemTable) -> None:
    """Systems down, measures across; as many tables as the width asks for."""
    cells = {
        measure.label: [systems.cell(name, measure) for name in systems.systems]
        for measure in systems.measures
    }
    names = [name or "(all)" for name in systems.systems]
    for table in _fitting(out, systems.measures, cells, names):
        out.print(table)
    counts = [cell.count + cell.missing for cell in cells[systems.measures[0].label]]
    if any(_has_interval(cell) for row in cells.values() for cell in row):
        out.print("Mean [95 % interval, bootstrap over documents].", style="dim")
    rows = "1 row" if sum(counts) == 1 else f"{sum(counts)} rows"
    each = f"{counts[0]}" if len(set(counts)) == 1 else f"{min(counts)} to {max(counts)}"
    out.print(f"{rows}, {each} a system." if len(counts) > 1 else f"{rows}.", style="dim")


def print_signatures(out: Console, measures: Sequence[Measure]) -> None:
    """One line a measure with all that its values depend on."""
    for measure in measures:
        out.print(Text(signature_line(measure)), style="dim", soft_wrap=True)


def signature_line(measure: Measure) -> str:
    """A signature as a short string."""
    return " ".join(f"{key}={_word(value)}" for key, value in measure.signature().items())


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + " ".join(f"{k}={_word(v)}" for k, v in value.items()) + "}"
    return write_setting(value)


def _has_interval(cell: Cell) -> bool:
    return not math.isnan(cell.low)


def _show(cell: Cell) -> Text:
    shown = Text("no value" if math.isnan(cell.value) else f"{cell.value:.3f}")
    if _has_interval(cell):
        shown.append(f" [{cell.low:.3f}, {cell.high:.3f}]", style="dim")
    if cell.missing:
        shown.append(f" ({cell.missing} missing)", style="yellow")
    return shown


def _fitting(
    out: Console, measures: Sequence[Measure], cells: dict[str, list[Cell]], names: list[str]
) -> Iterator[Table]:
    """Tables of as many measures each as fit side by side."""
    unbounded = out.options.update(max_width=100_000)
    some: list[Measure] = []
    for measure in measures:
        wider = _side_by_side([*some, measure], cells, names)
        if some and Measurement.get(out, unbounded, wider).maximum > out.width:
            yield _side_by_side(some, cells, names)
            some = []
        some.append(measure)
    yield _side_by_side(some, cells, names)


def _side_by_side(
    measures: Sequence[Measure], cells: dict[str, list[Cell]], names: list[str]
) -> Table:
    headers = [f"{m.label} {_ARROWS[m.direction]}".strip() for m in measures]
    table = plain_table("system", *headers)
    for at, name in enumerate(names):
        table.add_row(Text(name), *(_show(cells[m.label][at]) for m in measures))
    return table
