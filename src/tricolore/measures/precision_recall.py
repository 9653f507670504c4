"""Precision, recall and F1, for all measures that have these three parts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from tricolore.measure import Direction

PrecisionRecallPart = Literal["f1", "precision", "recall"]

DIRECTIONS: Mapping[str, Direction] = MappingProxyType(
    {"precision": "higher", "recall": "higher", "f1": "higher"}
)


def harmonic_mean(precision: float, recall: float) -> float:
    """F1; the lower of the two where one is not positive, as cosines may be.

    Only positive numbers have a harmonic mean. The lower of the two continues it without a jump,
    since F1 tends to 0 as one of them does, and still falls as either falls.

    >>> harmonic_mean(0.5, 1.0), harmonic_mean(-0.1, 0.2)
    (0.6666666666666666, -0.1)
    """
    if precision <= 0 or recall <= 0:
        return min(precision, recall)
    return 2 * precision * recall / (precision + recall)
