"""Mean absolute error of a measure against human scores (thesis eqs. (2.4) and (2.5))."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tricolore.meta.correlation import paired


@dataclass(frozen=True)
class Mean:
    """A mean, its standard error, the number of values, and the number of undefined ones."""

    value: float
    sem: float
    n: int
    undefined: int = 0


def mean_and_sem(values: ArrayLike) -> Mean:
    """The mean of the values that are defined ± SEM (eq. 2.5): s / √c with the sample's s.

    The error is NaN for fewer than two values.

    >>> mean_and_sem([1.0, 3.0, float("nan")])
    Mean(value=2.0, sem=1.0, n=2, undefined=1)
    """
    given = np.asarray(values, dtype=float)
    known = given[np.isfinite(given)]
    n = len(known)
    return Mean(
        value=float(known.mean()) if n else math.nan,
        sem=float(known.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan,
        n=n,
        undefined=len(given) - n,
    )


@dataclass(frozen=True)
class MeanAbsoluteError:
    """The error over all summaries (micro), and by document and then averaged (macro)."""

    micro: float
    macro: Mean
    left_out: int


def mean_absolute_error(
    values: ArrayLike, human: ArrayLike, doc_ids: Sequence[str] | NDArray[np.intp]
) -> MeanAbsoluteError:
    """How far the values are from the human scores, on the same scale (eq. 2.4).

    >>> mean_absolute_error([0.2, 0.1, 0.01], [1, 0.75, 0.5], ["d1", "d1", "d2"])
    ... # doctest: +ELLIPSIS
    MeanAbsoluteError(micro=0.646..., macro=Mean(value=0.6075, ...), left_out=0)
    """
    x, y, left_out = paired(values, human)
    errors = np.abs(x - y)
    known = np.isfinite(np.asarray(values, float)) & np.isfinite(np.asarray(human, float))
    names, doc = np.unique(np.asarray(doc_ids), return_inverse=True)
    counts = np.bincount(doc[known], minlength=len(names)).astype(float)
    counts[counts == 0] = math.nan
    by_document = np.bincount(doc[known], weights=errors, minlength=len(names)) / counts
    return MeanAbsoluteError(
        micro=float(errors.mean()) if len(errors) else math.nan,
        macro=mean_and_sem(by_document),
        left_out=left_out,
    )
