"""How well an estimator predicts documents that it has not seen, as figures and as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from tricolore.arrays import Floats
from tricolore.data.grid import Grid
from tricolore.meta.choices import SYMBOLS, Statistic
from tricolore.meta.levels import agreement
from tricolore.report.terminal import plain_table

STATISTICS: tuple[Statistic, ...] = ("spearman", "kendall-b", "pearson")
Figures = dict[str, Any]


def figures(
    names: Sequence[str],
    targets: Floats,
    predicted: Mapping[str, Floats],
    documents: Sequence[str],
) -> dict[str, dict[str, Figures]]:
    """For each target and predictor: MAE over all summaries, the rest by document ± SEM.

    A figure that is undefined is None, for JSON has no NaN: the mean ranks no summaries.
    """
    grid = Grid.of(documents, [""] * len(documents))
    return {
        name: {
            who: _figures(values[:, at], targets[:, at], grid) for who, values in predicted.items()
        }
        for at, name in enumerate(names)
    }


def _figures(predicted: Floats, target: Floats, grid: Grid) -> Figures:
    errors: Figures = {"mae": agreement(predicted, target, grid, "summary", "mae").value}
    for statistic in STATISTICS:
        one = agreement(predicted, target, grid, "document", statistic)
        errors[statistic] = {
            "value": None if math.isnan(one.value) else one.value,
            "sem": None if math.isnan(one.sem) else one.sem,
            "documents": one.n,
        }
    return errors


def table(error: Mapping[str, Mapping[str, Figures]]) -> Table:
    """Targets and predictors down, figures across."""
    shown = plain_table("target", "", "MAE", *(SYMBOLS[name] for name in STATISTICS))
    shown.columns[1].justify = "left"
    for target, predictors in error.items():
        for at, (who, errors) in enumerate(predictors.items()):
            cells = [_cell(**errors[name]) for name in STATISTICS]
            shown.add_row(Text("" if at else target), Text(who), f"{errors['mae']:.3f}", *cells)
    return shown


def _cell(*, value: float | None, sem: float | None, documents: int) -> str:
    if value is None:
        return "undefined"
    return f"{value:.3f}" + ("" if sem is None else f" ± {sem:.3f}")
