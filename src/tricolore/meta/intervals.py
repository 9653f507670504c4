"""A bootstrap over documents that needs one pass and no memory of the rows.

Instead of drawing documents with replacement, every document gets a Poisson(1) weight in every
resample (Chamandy et al. 2012, "Estimating uncertainty for massive data streams"). The weight
follows from the document's id and the seed, so that all summaries of a document have the same
weight, whatever the order, the batches and the other documents are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import shake_128
from math import exp, factorial

import numpy as np
from numpy.typing import NDArray

FEW = 5
"""With fewer documents, or systems, an interval says little."""

_STEPS = 1 << 16


@cache
def _table() -> NDArray[np.float64]:
    """The Poisson(1) quantile of every 16-bit number."""
    reached = np.cumsum([exp(-1) / factorial(k) for k in range(20)])
    return np.searchsorted(reached, (np.arange(_STEPS) + 0.5) / _STEPS).astype(np.float64)


def poisson_weights(doc_ids: Sequence[str], *, resamples: int, seed: int) -> NDArray[np.float64]:
    """How often each document is in each resample: documents × resamples."""
    raw = b"".join(
        shake_128(f"{seed}\0{doc_id}".encode("utf-8", "surrogatepass")).digest(2 * resamples)
        for doc_id in doc_ids
    )
    drawn = np.frombuffer(raw, dtype="<u2").reshape(len(doc_ids), resamples)
    found: NDArray[np.float64] = _table()[drawn]
    return found


def interval(
    values: NDArray[np.float64], level: float = 0.95, *, of: int = FEW
) -> tuple[float, float]:
    """The percentile interval of the resamples' values; undefined values are left out.

    NaN where `of`, the number of resampled items, is below two: one document says nothing about
    others.
    """
    known = values[np.isfinite(values)]
    if not known.size or of < 2:
        return float("nan"), float("nan")
    low, high = np.percentile(known, [50 * (1 - level), 50 * (1 + level)])
    return float(low), float(high)


def too_few_note(count: int, what: str = "documents") -> str:
    """A note for an interval over few items; empty if there are enough.

    >>> too_few_note(3), too_few_note(5)
    ('only 3 documents: the interval says little', '')
    """
    return f"only {count} {what}: the interval says little" if 2 <= count < FEW else ""


def few_systems_note(systems: int, level: str) -> str:
    """A note for correlations over few systems; empty if there are enough, or at other levels.

    At the document level, the summaries of a document are those of the systems.

    >>> few_systems_note(3, "system"), few_systems_note(3, "summary"), few_systems_note(5, "system")
    ('only 3 systems: a correlation over systems says little', '', '')
    >>> few_systems_note(3, "document")
    'only 3 systems: a correlation within a document says little'
    """
    if level == "summary" or not 2 <= systems < FEW:
        return ""
    where = "within a document" if level == "document" else "over systems"
    return f"only {systems} systems: a correlation {where} says little"
