"""What bad references do to a measure that uses them (importance paper §5.2, figure 2).

A growing share of the references is replaced by the first three sentences of the source. A measure
only has to be scored twice, with the true references and with the replaced ones: every sample takes
one or the other value for each document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from tricolore.data.grid import Grid
from tricolore.example import Example
from tricolore.meta.choices import Coefficient
from tricolore.meta.correlation import settled
from tricolore.meta.numeric.document_draws import (
    Curve,
    correlation_curve,
    random_orders,
    system_means,
)
from tricolore.text.sentences import sentences

SHARES = tuple(step / 10 for step in range(11))


def with_lead_reference(example: Example, count: int = 3) -> Example:
    """The same summary, with the first sentences of its source in place of all references.

    >>> with_lead_reference(Example(source="It is. It was. No.", summary="a", references="X."), 2)
    ... # doctest: +ELLIPSIS
    Example(source=..., summary='a', references=('It is. It was.',), ...)
    """
    lead = sentences("\n".join(example.source))[:count]
    return replace(example, references=(" ".join(lead),) if lead else ())


def robustness(
    clean: ArrayLike,
    spoiled: ArrayLike,
    human: ArrayLike,
    grid: Grid,
    *,
    shares: Sequence[float] = SHARES,
    draws: int = 1000,
    seed: int = 0,
    coefficient: Coefficient = "spearman",
) -> Curve:
    """System-level correlation when a share of the documents has a replaced reference.

    `clean` and `spoiled` are the values with the true and with the replaced references; a
    summary that lacks one of them, or a human score, is left out everywhere. The curve is over
    the shares that were really taken: of four documents 0, 25, 50, 75 and 100 %.
    """
    bad = [share for share in shares if not 0 <= share <= 1]
    if bad:
        raise ValueError(f"a share of references lies between 0 and 1, not at {bad[0]:g}")
    kept, replaced, judged = (grid.matrix(column) for column in (clean, spoiled, human))
    known = np.isfinite(kept) & np.isfinite(replaced) & np.isfinite(judged)
    kept, replaced, judged = (np.where(known, m, np.nan) for m in (kept, replaced, judged))
    documents = len(grid.documents)
    place = random_orders(draws, documents, seed)
    counts = np.where(known.any(axis=1), known.sum(axis=1), np.nan)
    means = []
    taken = list(dict.fromkeys(round(share * documents) for share in shares))
    for count in taken:
        bad_here = (place < count).astype(float)
        sums = bad_here @ np.nan_to_num(replaced).T + (1 - bad_here) @ np.nan_to_num(kept).T
        means.append(settled(sums / counts))
    people = system_means(judged, np.ones((1, documents), dtype=bool))
    really = [round(count / documents, 3) for count in taken]
    return correlation_curve(really, means, [people] * len(means), coefficient)
