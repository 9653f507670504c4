"""Does a measure rank systems better when it sees more summaries? (Importance paper §5.1.)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from tricolore.data.grid import Grid
from tricolore.meta.choices import Coefficient
from tricolore.meta.numeric.document_draws import (
    Curve,
    correlation_curve,
    random_orders,
    system_means,
)

People = Literal["all", "same"]


def scaling(
    values: ArrayLike,
    human: ArrayLike,
    grid: Grid,
    *,
    sizes: Sequence[int] = (),
    people: People = "all",
    draws: int = 1000,
    seed: int = 0,
    coefficient: Coefficient = "spearman",
) -> Curve:
    """System-level correlation as a function of the number of summaries per system.

    `sizes` are numbers of documents, sampled without replacement; ten steps to all if not given.
    `people="all"`: the measure sees n documents, the mean human scores are over all documents
    (Deutsch et al. 2022). `same`: both are means over the sampled documents.
    """
    measured, judged = grid.matrix(values), grid.matrix(human)
    documents = len(grid.documents)
    chosen = list(sizes) or default_sizes(documents)
    bad = [size for size in chosen if not 1 <= size <= documents]
    if bad:
        raise ValueError(f"there are {documents} documents, so {bad[0]} of them cannot be drawn")
    if people == "same":
        both = np.isfinite(measured) & np.isfinite(judged)
        measured, judged = (np.where(both, m, np.nan) for m in (measured, judged))
    place = random_orders(draws, documents, seed)
    everything = np.ones((1, documents), dtype=bool)
    means, humans = [], []
    for size in chosen:
        taken = place < size
        means.append(system_means(measured, taken))
        humans.append(system_means(judged, taken if people == "same" else everything))
    return correlation_curve([float(size) for size in chosen], means, humans, coefficient)


def default_sizes(documents: int) -> list[int]:
    """About ten sample sizes, up to the number of documents.

    >>> default_sizes(100), default_sizes(4)
    ([1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100], [1, 2, 3, 4])
    """
    steps = np.linspace(0, documents, 11).round().astype(int).tolist()
    return sorted({max(1, step) for step in steps}) if documents else []
