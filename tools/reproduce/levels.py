"""Correlation with people by the statistics' signs in the papers' tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from tricolore.data.grid import Grid
from tricolore.meta.choices import Coefficient, Level
from tricolore.meta.levels import agreement

__all__ = ["Level", "Statistic", "correlation"]

Statistic = Literal["ρ", "τ-c", "r"]

_COEFFICIENTS: dict[Statistic, Coefficient] = {
    "ρ": "spearman",
    "τ-c": "kendall-c",
    "r": "pearson",
}


def correlation(
    values: Sequence[float],
    human: Sequence[float],
    doc_ids: Sequence[str],
    systems: Sequence[str],
    level: Level,
    statistic: Statistic,
) -> tuple[float, int]:
    """The correlation, and how many documents it is undefined for and not averaged over."""
    missing = int((~np.isfinite(np.asarray(values, float))).sum())
    if missing:
        raise ValueError(f"{missing} rows have no value")
    grid = Grid.of(doc_ids, systems)
    found = agreement(values, human, grid, level, _COEFFICIENTS[statistic])
    return found.value, found.undefined
