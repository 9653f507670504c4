"""What a measure costs: CPU seconds per summary, measured on a few rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import process_time

from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.memo import forget
from tricolore.run.run import Run

_ENOUGH = 2.0
"""CPU seconds after which no further document is timed."""


@dataclass(frozen=True)
class MeasuredCost:
    """CPU seconds per row of a measure, and on how many rows they were measured."""

    seconds: float
    rows: int


def measured_cost(
    measure: str | Measure,
    examples: Sequence[Example],
    sources: Iterable[str],
    *,
    enough: float = _ENOUGH,
) -> MeasuredCost:
    """Time a measure in this process, without a cache.

    The first row is scored once before, so that loading a model does not count. Whole documents
    are timed one after the other, as many measures read a source once for all its summaries, until
    `enough` seconds have passed.

    Args:
        measure: The measure, or a spec of it.
        examples: The rows; those of one document together.
        sources: All sources, for measures that need a corpus; fitting does not count.
        enough: CPU seconds after which no further document is timed.
    """
    run = Run([measure])
    run.fit(sources)
    if not examples:
        return MeasuredCost(math.nan, 0)
    begin = process_time()
    list(run.score(examples[:1]))
    first = process_time() - begin
    if first > 10 * enough:  # a further row would take as long
        return MeasuredCost(first, 1)
    spent, rows = 0.0, 0
    for document in _by_document(examples):
        forget()
        begin = process_time()
        list(run.score(document))
        spent += process_time() - begin
        rows += len(document)
        if spent > enough:
            break
    return MeasuredCost(spent / rows, rows)


def _by_document(examples: Sequence[Example]) -> list[list[Example]]:
    found: dict[str, list[Example]] = {}
    for number, example in enumerate(examples):
        found.setdefault(example.doc_id or f"row {number}", []).append(example)
    return list(found.values())
