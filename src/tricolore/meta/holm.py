"""Holm's correction of p-values when many hypotheses are tested."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """The p-values corrected for their number (Holm 1979); NaN are not counted and stay NaN.

    The smallest is multiplied by the number of tests m, the next by m - 1, and so on; none may
    become smaller than the one before it.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.array(p_values, dtype=float)
    flat = given.ravel()
    tests = np.flatnonzero(np.isfinite(flat))
    order = tests[np.argsort(flat[tests], kind="stable")]
    steps = flat[order] * np.arange(len(order), 0, -1)
    flat[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(order) else []
    return flat.reshape(given.shape)
