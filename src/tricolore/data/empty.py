"""How an empty summary counts: a system must not win by empty output."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Literal, get_args

from tricolore.measure import Direction

Empty = Literal["worst", "skip"]
"""`worst`: as the worst possible value of each measure. `skip`: as a value that is missing."""
Bounds = tuple[float, float]
UNBOUNDED: Bounds = (-math.inf, math.inf)
_NAMED = 20
"""Systems that a note names."""


def check_empty(empty: str) -> None:
    """Raise an error if there is no such way to count empty summaries."""
    if empty not in get_args(Empty):
        raise ValueError(f"empty is one of {', '.join(get_args(Empty))}, not '{empty}'")


def worst_value(direction: Direction, bounds: Bounds, observed: Bounds) -> float:
    """The value of an empty summary: the worst bound of a measure.

    If that bound is infinite, as for a count of alarms, it is the worse of the lowest and the
    highest `observed` value. NaN (no value) if neither direction is better.

    >>> worst_value("higher", (0, 1), (0.2, 0.9)), worst_value("lower", (0, math.inf), (3, 17))
    (0.0, 17.0)
    """
    if direction == "neither":
        return math.nan
    at = 0 if direction == "higher" else 1
    worst = bounds[at] if math.isfinite(bounds[at]) else observed[at]
    return float(worst) if math.isfinite(worst) else math.nan


def has_worst(direction: Direction, bounds: Bounds) -> bool:
    """Whether a measure has a worst possible value: a count of errors has none."""
    return direction != "neither" and math.isfinite(bounds[0 if direction == "higher" else 1])


def empty_notes(
    counts: Mapping[str, int],
    empty: Empty,
    skipped: Iterable[str] = (),
    unbounded: Mapping[str, float] | None = None,
) -> list[str]:
    """What to say below the numbers of systems with empty summaries.

    Args:
        counts: The number of empty summaries of each system.
        empty: How they count.
        skipped: The columns of which neither way is better.
        unbounded: Columns without a worst possible value, and the worst value that is there.
    """
    empties = {system: count for system, count in counts.items() if count}
    if not empties:
        return []
    total = sum(empties.values())
    summaries = "1 empty summary" if total == 1 else f"{total} empty summaries"
    named = [f"{system or '(none)'} {count}" for system, count in islice(empties.items(), _NAMED)]
    if len(empties) > _NAMED:
        named.append(f"and {len(empties) - _NAMED} more systems")
    systems = ", ".join(named)
    if empty == "skip":
        return [f"{summaries}, left out: {systems}."]
    counts_as = "counts" if total == 1 else "count"
    notes = [f"{summaries}, which {counts_as} as the worst possible value: {systems}."]
    for column, worst in (unbounded or {}).items():
        value = "there is none" if math.isnan(worst) else f"{worst:g}"
        notes.append(
            f"{column} has no worst possible value: empty summaries count as the worst value of "
            f"all rows here ({value})."
        )
    if columns := list(skipped):
        notes.append(
            f"Neither way is better, so empty summaries are left out: {', '.join(columns)}."
        )
    return notes
