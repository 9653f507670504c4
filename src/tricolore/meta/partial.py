"""Partial correlation: what is left of an agreement when control columns are held constant.

Summaries that copy more, or that are longer, may get higher human scores and higher values of a
measure alike. A partial correlation compares them as if all copied equally much and were equally
long. `partial_correlation` is the definition; the bootstrap (`meta.partial_bootstrap`) has the same
for many weightings at once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from tricolore.arrays import Floats
from tricolore.data.grid import Grid
from tricolore.meta.bootstrap import Resamples, system_means_of
from tricolore.meta.choices import Level, PartialCoefficient
from tricolore.meta.correlation import Correlation, is_constant
from tricolore.meta.error import mean_and_sem
from tricolore.meta.levels import Agreement, document_sets, student_p
from tricolore.meta.numeric.weighted_partial import NOTHING_LEFT, correlate_set_rows
from tricolore.text.plural import listed, plural

Controls = Mapping[str, ArrayLike]
"""The columns that are held constant, by name."""


def residuals(column: Floats, controls: Sequence[Floats]) -> Floats:
    """What a least-squares regression on the controls, with an intercept, leaves of a column."""
    design = np.column_stack([np.ones(len(column)), *controls])
    slopes, *_ = np.linalg.lstsq(design, column, rcond=None)
    left: Floats = column - design @ slopes
    return left


def partial_correlation(
    x: ArrayLike, y: ArrayLike, controls: Controls, coefficient: PartialCoefficient = "spearman"
) -> Correlation:
    """Pearson's r of the residuals of x and y, regressed on the controls.

    For Spearman's ρ, all columns are replaced by their ranks first. The two-sided p-value is that
    of Student's t with n − 2 − (number of controls) degrees of freedom. Rows that lack a number
    are left out and counted. Without a value, `reason` says why.

    >>> x, y, control = [1, 2, 3, 4, 5], [2, 1, 4, 3, 5], [1, 3, 2, 5, 4]
    >>> round(partial_correlation(x, y, {"length": control}).value, 3)
    0.978
    """
    rows = np.column_stack([np.asarray(column, float) for column in (x, y, *controls.values())])
    known = np.isfinite(rows).all(axis=1)
    rows, left_out = rows[known], int((~known).sum())
    n, freedom = len(rows), len(rows) - 2 - len(controls)
    if reason := _too_few(rows, len(controls)):
        return Correlation(math.nan, math.nan, n, left_out, reason)
    if coefficient == "spearman":
        from scipy import stats

        rows = stats.rankdata(rows, axis=0)
    a, b, *held = rows.T
    if reason := _not_separable(a, b, dict(zip(controls, held, strict=True))):
        return Correlation(math.nan, math.nan, n, left_out, reason)
    left_a, left_b = residuals(a, held), residuals(b, held)
    r = float(left_a @ left_b / math.sqrt((left_a @ left_a) * (left_b @ left_b)))
    r = max(-1.0, min(1.0, r))
    return Correlation(r, _student_of_r(r, freedom), n, left_out)


def _too_few(rows: Floats, controls: int) -> str:
    """Why there are too few points: with one more than the controls fix, r is always 1 or −1."""
    needed = controls + 3
    points = len(np.unique(rows, axis=0)) if len(rows) else 0
    if points >= needed:
        return ""
    with_them = plural(controls, "control")
    return f"{plural(points, 'different point')}, and {needed} are needed with {with_them}"


def _not_separable(x: Floats, y: Floats, controls: Mapping[str, Floats]) -> str:
    """Why nothing can be said of two columns with the controls held constant; empty if it can."""
    before: dict[str, Floats] = {}
    for name, control in controls.items():
        if is_constant(control):
            return f"the control {name} is constant"
        if _follows(control, list(before.values())):
            return f"the control {name} follows from {listed(list(before))} (collinear)"
        before[name] = control
    for column, what in ((x, "values"), (y, "human scores")):
        if is_constant(column):
            return f"all {what} are the same"
        if _follows(column, list(before.values())):
            return f"the {what} follow from the controls"
    return ""


def _follows(column: Floats, controls: Sequence[Floats]) -> bool:
    """Whether a regression on the controls explains all of a column, up to rounding."""
    left, moved = residuals(column, controls), column - column.mean()
    return bool(left @ left <= NOTHING_LEFT * (moved @ moved))


def _student_of_r(r: float, freedom: int) -> float:
    """The two-sided p-value of a partial correlation."""
    if abs(r) == 1:
        return 0.0

    from scipy import stats

    return float(2 * stats.t.sf(abs(r) * math.sqrt(freedom / (1 - r * r)), freedom))


def partial_agreement(
    values: ArrayLike,
    human: ArrayLike,
    controls: Controls,
    grid: Grid,
    level: Level,
    coefficient: PartialCoefficient,
) -> Agreement:
    """The agreement of a measure with human scores, with the controls held constant.

    The levels are those of `meta.levels.agreement`. At the system level the controls are averaged
    per system too; at the document level a document with too few summaries is left out. Only
    summaries with a value, a human score and all controls count, at every level.
    """
    columns = np.stack([np.asarray(each, float) for each in (values, human, *controls.values())])
    known = np.isfinite(columns).all(axis=0)
    columns, rows, left_out = columns[:, known], grid.keep(known), int((~known).sum())
    if level == "document":
        return _mean_of_documents(columns, list(controls), rows, coefficient, left_out)
    undefined = 0
    if level == "system":
        columns = system_means_of(columns, rows, Resamples(None, None, 1))[:, 0]
        undefined = int(np.isnan(columns[0]).sum())
    x, y, *held = columns
    found = partial_correlation(x, y, dict(zip(controls, held, strict=True)), coefficient)
    return Agreement(
        found.value, found.p, found.n, undefined=undefined, left_out=left_out, reason=found.reason
    )


def partial_by_document(columns: Floats, grid: Grid, coefficient: PartialCoefficient) -> Floats:
    """The partial correlation of each document's summaries, NaN where it is undefined.

    `columns` are the values, the human scores and the controls; no number is missing.
    """
    each = np.full(len(grid.documents), math.nan)
    for documents, rows in document_sets(grid):
        x, y, *held = (column[rows] for column in columns)
        each[documents] = correlate_set_rows(x, y, held, coefficient)
    return each


def _mean_of_documents(
    columns: Floats,
    names: Sequence[str],
    grid: Grid,
    coefficient: PartialCoefficient,
    left_out: int,
) -> Agreement:
    each = partial_by_document(columns, grid, coefficient)
    mean = mean_and_sem(each)
    reason = ""
    if not mean.n:
        reasons = Counter[str]()
        for document in np.unique(grid.doc):
            x, y, *held = columns[:, grid.doc == document]
            controls = dict(zip(names, held, strict=True))
            reasons[partial_correlation(x, y, controls, coefficient).reason] += 1
        often = reasons.most_common(1)
        reason = f"in every document, mostly: {often[0][0]}" if often else "no summary has them all"
    return Agreement(
        mean.value, student_p(each), mean.n, mean.sem, mean.undefined, left_out, reason
    )
