"""The value of every system by a measure, with a bootstrap interval over documents.

The same numbers as the table of `tricolore score` (`report.systems`), from a table of scores.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tricolore.data.score_table import ScoreTable
from tricolore.meta.intervals import interval, poisson_weights
from tricolore.meta.system_tests import system_sums


@dataclass(frozen=True)
class SystemEstimate:
    """One system by one measure: the mean of its values, or what the measure has instead.

    `documents` have a value; `missing` rows and documents have none.
    """

    system: str
    value: float
    low: float
    high: float
    documents: int
    missing: int


def system_estimates(
    table: ScoreTable, column: str, *, resamples: int = 1000, seed: int = 0
) -> list[SystemEstimate]:
    """The value of each system in its own documents, in the order of the table.

    Settle first how empty summaries count (`ScoreTable.with_empty`).

    >>> table = ScoreTable.of(["1", "2", "2"], ["a", "a", "b"], {"chrf": [10, 20, 5]})
    >>> [(one.system, one.value, one.missing) for one in system_estimates(table, "chrf")]
    [('a', 15.0, 0), ('b', 5.0, 1)]
    """
    pooled, sums = system_sums(table, column, table.grid.systems)
    weights = poisson_weights(table.grid.documents, resamples=resamples, seed=seed)
    missing = table.missing(column)
    with np.errstate(all="ignore"):
        values = np.asarray(pooled({name: own.sum(axis=1) for name, own in sums.items()}))
        resampled = np.asarray(pooled({name: own @ weights for name, own in sums.items()}))
    documents = (sums["count"] > 0).sum(axis=1)
    return [
        SystemEstimate(
            system,
            float(values[at]) if documents[at] else float("nan"),
            *interval(resampled[at], of=int(documents[at])),
            int(documents[at]),
            missing[system],
        )
        for at, system in enumerate(table.grid.systems)
    ]
