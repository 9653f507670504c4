"""The table of how well an estimator predicts documents that it has not seen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tricolore.meta.correlation import SYMBOLS
from tricolore.meta.cross_validation import STATISTICS
from tricolore.report.sheets import Figure, Sheet
from tricolore.report.statistics import MeanFigure


def training_sheet(error: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Sheet:
    """One row per human score and predictor, one column per statistic."""
    sheet = Sheet(["human score", "predictor", "MAE", *(SYMBOLS[name] for name in STATISTICS)])
    for target, predictors in error.items():
        for predictor, found in predictors.items():
            cells = [_mean(**found[name]) for name in STATISTICS]
            sheet.add(target, predictor, Figure(found["mae"]), *cells)
    return sheet


def _mean(*, value: float | None, sem: float | None, documents: int) -> MeanFigure:
    return MeanFigure(math.nan if value is None else value, sem=math.nan if sem is None else sem)
