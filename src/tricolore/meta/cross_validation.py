"""How well estimators predict human scores of documents that they have not seen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricolore.data.grid import Grid
from tricolore.meta.choices import Statistic
from tricolore.meta.levels import agreement

STATISTICS: tuple[Statistic, ...] = ("spearman", "kendall-b", "pearson")
TargetScores = NDArray[np.float64]
Quality = dict[str, Any]


def prediction_quality(
    names: Sequence[str],
    targets: TargetScores,
    predicted: Mapping[str, TargetScores],
    documents: Sequence[str],
) -> dict[str, dict[str, Quality]]:
    """MAE over all summaries and correlations by document, per human score and predictor.

    Correlations are the mean over documents, with its standard error. A number that is undefined
    is None, as JSON has no NaN: a constant prediction ranks no summaries.
    """
    grid = Grid.of(documents, [""] * len(documents))
    return {
        name: {
            predictor: _quality(values[:, at], targets[:, at], grid)
            for predictor, values in predicted.items()
        }
        for at, name in enumerate(names)
    }


def _quality(predicted: TargetScores, target: TargetScores, grid: Grid) -> Quality:
    found: Quality = {"mae": agreement(predicted, target, grid, "summary", "mae").value}
    for statistic in STATISTICS:
        one = agreement(predicted, target, grid, "document", statistic)
        found[statistic] = {
            "value": None if math.isnan(one.value) else one.value,
            "sem": None if math.isnan(one.sem) else one.sem,
            "documents": one.n,
        }
    return found
