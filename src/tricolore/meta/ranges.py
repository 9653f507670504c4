"""The range of values of a measure for kinds of summaries (importance paper A.3, figs. 6, 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


@dataclass(frozen=True)
class Range:
    """Where the values of one measure lie for one kind of summaries."""

    kind: str
    quantiles: tuple[float, ...]
    mean: float
    n: int
    left_out: int


def ranges(values: ArrayLike, kinds: ArrayLike, names: tuple[str, ...]) -> list[Range]:
    """The quantiles of the values of each kind; NaN where there is none.

    `kinds` has the number of each value's kind among `names`.

    >>> ranges([1, 2, 3, 9], [0, 0, 0, 1], ("a", "b"))[0].quantiles[3]
    2.0
    """
    given, kind = np.asarray(values, dtype=float), np.asarray(kinds)
    found = []
    for at, name in enumerate(names):
        mine = given[kind == at]
        known = mine[np.isfinite(mine)]
        some = np.quantile(known, QUANTILES) if len(known) else np.full(len(QUANTILES), np.nan)
        mean = float(known.mean()) if len(known) else float("nan")
        spread = tuple(float(value) for value in some)
        found.append(Range(name, spread, mean, len(known), len(mine) - len(known)))
    return found
