"""The table of how well an estimator predicts documents that it has not seen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tricolore.meta.choices import SYMBOLS
from tricolore.meta.cross_validation import STATISTICS
from tricolore.report.result_table import Number, ResultTable
from tricolore.report.statistics import MeanNumber


def training_sheet(error: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> ResultTable:
    """One row per human score and predictor, one column per statistic."""
    sheet = ResultTable(
        ["human score", "predictor", "MAE", *(SYMBOLS[name] for name in STATISTICS)]
    )
    for target, predictors in error.items():
        for predictor, found in predictors.items():
            cells = [_mean(**found[name]) for name in STATISTICS]
            sheet.add(target, predictor, Number(found["mae"]), *cells)
    return sheet


def _mean(*, value: float | None, sem: float | None, documents: int) -> MeanNumber:
    return MeanNumber(math.nan if value is None else value, sem=math.nan if sem is None else sem)
