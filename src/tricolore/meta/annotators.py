"""Agreement among annotators (BLANC paper §4), and where a measure would rank among them.

The judgements of one quality are a table: one row per summary, one column per annotator, NaN where
an annotator gave no score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tricolore.arrays import Floats
from tricolore.meta.choices import Coefficient
from tricolore.meta.correlation import Correlation, correlate

MOST_SPLITS = 2000
"""The most splits that are looked at; if there are more, this many are sampled."""


@dataclass(frozen=True)
class Standing:
    """How well an annotator, or a measure, agrees with the annotators.

    An annotator is compared with the mean of the others (the steps of figure 7), a measure with
    the mean of all. `above` is the share of the annotators whose agreement the measure reaches.
    """

    name: str
    agreement: Correlation
    above: float = float("nan")


@dataclass(frozen=True)
class Splits:
    """Every way to split the annotators into a small group and the others (figure 9).

    One row per split: `people` is the correlation of the small group's mean with the others' mean,
    `measures` that of a measure with the same others' mean.
    """

    groups: NDArray[np.bool_]
    people: list[Correlation]
    measures: dict[str, list[Correlation]]
    is_all: bool
    """Whether these are all splits, not a sample of them."""


def consensus(
    scores: Floats, chosen: ArrayLike | None = None, weights: Mapping[float, float] | None = None
) -> Floats:
    """The mean over all or some of the annotators who scored a summary; NaN where none did.

    `chosen` has one truth value per annotator, or one row of them per group: then the result has
    one column per group. `weights` maps a score to its weight in the mean: the BLANC paper suggests
    (3, 3, 1, 1, 2) for 0 to 4, as annotators often take "OK" for "good" and rarely "bad" for "OK".

    >>> table = np.array([[0.0, 3.0], [2.0, np.nan]])
    >>> consensus(table).tolist(), consensus(table, weights={0: 3, 2: 1, 3: 1}).tolist()
    ([1.5, 2.0], [0.75, 2.0])
    """
    known = np.isfinite(scores)
    counts = known.astype(float)
    if weights is not None:
        counts = _weights(scores, known, weights)
    groups = np.ones(scores.shape[1]) if chosen is None else np.asarray(chosen, dtype=float)
    total = counts @ groups.T
    with np.errstate(invalid="ignore"):
        weighted: Floats = np.where(
            total > 0, (np.where(known, scores, 0.0) * counts) @ groups.T, 0.0
        )
        return np.where(total > 0, weighted / np.where(total > 0, total, 1.0), np.nan)


def _weights(scores: Floats, known: NDArray[np.bool_], weights: Mapping[float, float]) -> Floats:
    counts = np.zeros(scores.shape)
    for value in np.unique(scores[known]):
        if float(value) not in weights:
            raise ValueError(f"the value {value:g} has no weight; there are {sorted(weights)}")
        counts[scores == value] = weights[float(value)]
    return counts


def standings(
    people: list[str],
    scores: Floats,
    measures: Mapping[str, ArrayLike],
    coefficient: Coefficient = "spearman",
    weights: Mapping[float, float] | None = None,
) -> list[Standing]:
    """Each annotator against the mean of the others, and where each measure ranks among them.

    The annotators come first, in the order given.
    """
    alone = ~np.eye(len(people), dtype=bool)
    others = consensus(scores, alone, weights)
    annotators = [
        Standing(who, correlate(scores[:, at], others[:, at], coefficient))
        for at, who in enumerate(people)
    ]
    annotator_values = np.array([one.agreement.value for one in annotators])
    annotator_values = annotator_values[np.isfinite(annotator_values)]
    everybody = consensus(scores, weights=weights)
    of_measures = []
    for label, values in measures.items():
        agreement = correlate(values, everybody, coefficient)
        # Rounding must not separate equal values.
        beaten = annotator_values <= agreement.value + 1e-12
        is_known = len(annotator_values) and np.isfinite(agreement.value)
        above = float(beaten.mean()) if is_known else float("nan")
        of_measures.append(Standing(label, agreement, above))
    return annotators + of_measures


def splits(
    scores: Floats,
    size: int,
    measures: Mapping[str, ArrayLike],
    coefficient: Coefficient = "spearman",
    *,
    weights: Mapping[float, float] | None = None,
    seed: int = 0,
) -> Splits:
    """All ways to choose `size` annotators, and how they and the measures agree with the rest."""
    count = scores.shape[1]
    if not 0 < size < count:
        raise ValueError(
            f"a group of {size} cannot be parted from {count} annotators with some left over"
        )
    groups, is_all = _groups(count, size, seed)
    small, rest = consensus(scores, groups, weights), consensus(scores, ~groups, weights)
    each = range(len(groups))
    return Splits(
        groups=groups,
        people=[correlate(small[:, at], rest[:, at], coefficient) for at in each],
        measures={
            label: [correlate(values, rest[:, at], coefficient) for at in each]
            for label, values in measures.items()
        },
        is_all=is_all,
    )


@dataclass(frozen=True)
class SignificantRanks:
    """The significant ones of many correlations, and their ranks among all of them.

    The weakest has rank 1. `left_out` counts the others, and those without a value.
    """

    places: list[int]
    values: list[float]
    left_out: int


def significant_ranks(found: Sequence[Correlation], alpha: float = 0.05) -> SignificantRanks:
    """Rank correlations, then leave out those that are not significant.

    >>> significant_ranks([Correlation(0.9, 0.01, 50), Correlation(0.1, 0.6, 50)])
    SignificantRanks(places=[2], values=[0.9], left_out=1)
    """
    known = sorted((one for one in found if np.isfinite(one.value)), key=lambda one: one.value)
    kept = [(at, one.value) for at, one in enumerate(known, 1) if one.p <= alpha]
    return SignificantRanks(
        [at for at, _ in kept], [value for _, value in kept], len(found) - len(kept)
    )


def _groups(count: int, size: int, seed: int) -> tuple[NDArray[np.bool_], bool]:
    if comb(count, size) <= MOST_SPLITS:
        chosen = np.array(list(combinations(range(count), size)))
    else:
        draw = np.random.default_rng(seed)
        order = draw.random((4 * MOST_SPLITS, count)).argsort(axis=1)
        distinct = np.unique(np.sort(order[:, :size], axis=1), axis=0)
        chosen = draw.permutation(distinct)[:MOST_SPLITS]
    groups = np.zeros((len(chosen), count), dtype=bool)
    groups[np.arange(len(chosen))[:, None], chosen] = True
    return groups, len(chosen) == comb(count, size)
