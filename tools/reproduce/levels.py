"""Correlation with people at the three levels of the thesis (§2.3, figure 2.1)."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from scipy import stats

Level = Literal["summary", "document", "system"]
Statistic = Literal["ρ", "τ-c", "r"]

_STATISTICS: dict[Statistic, Callable[..., float]] = {
    "ρ": lambda x, y: stats.spearmanr(x, y).statistic,
    "τ-c": lambda x, y: stats.kendalltau(x, y, variant="c").statistic,
    "r": lambda x, y: stats.pearsonr(x, y).statistic,
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
    x, y = np.asarray(values, float), np.asarray(human, float)
    if not np.isfinite(x).all():
        raise ValueError(f"{int((~np.isfinite(x)).sum())} rows have no value")
    correlate = _STATISTICS[statistic]
    if level == "summary":
        return float(correlate(x, y)), 0
    groups = _groups(doc_ids if level == "document" else systems)
    if level == "system":
        means = [(x[rows].mean(), y[rows].mean()) for rows in groups]
        return float(correlate(*zip(*means, strict=True))), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.ConstantInputWarning)
        each = np.array([correlate(x[rows], y[rows]) for rows in groups])
    return float(np.nanmean(each)), int(np.isnan(each).sum())


def _groups(names: Sequence[str]) -> list[list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        found[name].append(at)
    return list(found.values())
