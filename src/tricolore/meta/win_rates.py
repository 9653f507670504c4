"""Win rates of systems whose summaries were compared in pairs, each pair in both orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tricolore.arrays import Floats
from tricolore.meta.intervals import interval, poisson_weights

_EVEN, _TIE = 0.5, 1e-9


@dataclass(frozen=True)
class WinRate:
    """How often the summaries of one system were preferred to those of another.

    A preference is from 0 (the other's) to 1 (its own). It is asked for twice, once with its
    summary first and once second; the mean of both decides who wins a document.
    """

    system: str
    other: str
    documents: int
    wins: int
    ties: int
    losses: int
    rate: float
    """The mean preference; 0.5 if the systems are equally good."""
    low: float
    high: float
    agreement: float
    """The share of documents for which both orders have the same winner, or both a tie."""


@dataclass(frozen=True)
class PositionBias:
    """How much a judge prefers the summary that it reads first, whosever it is."""

    rate: float
    """The mean preference for the first one; 0.5 if the order does not matter."""
    low: float
    high: float
    agreement: float
    """The share of pairs with the same winner in both orders."""
    pairs: int

    @property
    def is_biased(self) -> bool:
        """Whether the interval leaves 0.5 out."""
        return self.low > _EVEN or self.high < _EVEN


def win_rate(
    system: str,
    other: str,
    doc_ids: Sequence[str],
    if_first: ArrayLike,
    if_second: ArrayLike,
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> WinRate:
    """The win rate of a system over another, with a 95 % bootstrap interval over documents.

    Args:
        system: The system.
        other: The system that it is compared with.
        doc_ids: The document of each pair of summaries.
        if_first: The preferences for the system where its summary was first.
        if_second: The preferences for the system where its summary was second.
        resamples: Number of bootstrap resamples.
        seed: Seed of the random resampling.

    >>> found = win_rate("a", "b", ["1", "2", "3"], [1, 1, 0], [1, 0, 0])
    >>> found.wins, found.ties, found.losses, found.rate, round(found.agreement, 3)
    (1, 1, 1, 0.5, 0.667)
    """
    first, second = np.asarray(if_first, dtype=float), np.asarray(if_second, dtype=float)
    preference = (first + second) / 2
    side = _side(preference)
    rate, low, high = _mean(preference, doc_ids, resamples, seed)
    return WinRate(
        system,
        other,
        len(doc_ids),
        int((side > 0).sum()),
        int((side == 0).sum()),
        int((side < 0).sum()),
        rate,
        low,
        high,
        _agreement(first, second),
    )


def position_bias(
    doc_ids: Sequence[str],
    if_first: ArrayLike,
    if_second: ArrayLike,
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> PositionBias:
    """The preference for the first position; the arguments are those of `win_rate`.

    >>> position_bias(["1", "2"], [1, 1], [0, 0]).rate  # whichever is first wins
    1.0
    """
    first, second = np.asarray(if_first, dtype=float), np.asarray(if_second, dtype=float)
    found = _mean((first + 1 - second) / 2, doc_ids, resamples, seed)
    return PositionBias(*found, _agreement(first, second), len(doc_ids))


def _side(preference: Floats) -> Floats:
    """1 for a win, 0 for a tie, -1 for a loss."""
    distance = preference - _EVEN
    return np.where(np.abs(distance) <= _TIE, 0.0, np.sign(distance))


def _agreement(first: Floats, second: Floats) -> float:
    return float((_side(first) == _side(second)).mean()) if len(first) else float("nan")


def _mean(
    values: Floats, doc_ids: Sequence[str], resamples: int, seed: int
) -> tuple[float, float, float]:
    """The mean with its interval; all values of a document are in a resample, or none."""
    if not len(values):
        return float("nan"), float("nan"), float("nan")
    documents = list(dict.fromkeys(doc_ids))
    weights = poisson_weights(documents, resamples=resamples, seed=seed)
    number = {doc_id: at for at, doc_id in enumerate(documents)}
    of_row = weights[[number[doc_id] for doc_id in doc_ids]]
    with np.errstate(all="ignore"):
        resampled = (values @ of_row) / of_row.sum(axis=0)
    low, high = interval(resampled, of=len(documents))
    return float(values.mean()), low, high
