"""Soft alignment of the tokens of two texts: each with the most similar one of the other.

Thesis, section 5.2 and figure 5.3: a matrix of cosines, its highest values by row and by column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from tricolore.measures.precision_recall import harmonic_mean
from tricolore.models.encoder import Vectors

_CELLS = 1 << 23  # of the matrix of cosines that are held at a time

Place = tuple[int, int, int]
"""A document, and the characters of it where a token begins and ends."""


@dataclass(frozen=True)
class Words:
    """The tokens of a text: their vectors, of length 1, and where they stand."""

    vectors: Vectors
    places: Sequence[Place]
    is_cut: bool = False
    """Whether a sentence had more tokens than were read."""

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True)
class Match:
    """How a summary and a pseudo-reference match, and the best match of each summary token.

    `where` is empty unless it was asked for.
    """

    precision: float
    recall: float
    best: Vectors
    where: Sequence[Place]

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        return harmonic_mean(self.precision, self.recall)


class Summaries:
    """The tokens of several summaries one after the other, none of them empty."""

    def __init__(self, summaries: Sequence[Words]) -> None:
        self.vectors = np.concatenate([summary.vectors for summary in summaries])
        self.bounds = [0, *accumulate(map(len, summaries))]


class Alignment:
    """Summaries against one pseudo-reference, which may come in parts: none of it is held."""

    def __init__(self, summaries: Summaries, *, evidence: bool = False) -> None:
        self._summaries = summaries
        self._best = np.full(len(summaries.vectors), -np.inf, dtype=np.float32)
        self._where: list[Place] = [(0, 0, 0)] * len(self._best) if evidence else []
        self._recalled = np.zeros(len(summaries.bounds) - 1)
        self.tokens = 0
        self.is_cut = False

    def add(self, reference: Words) -> None:
        """A part of the pseudo-reference."""
        rows = max(1, _CELLS // len(self._best))
        for start in range(0, len(reference), rows):
            cosines = reference.vectors[start : start + rows] @ self._summaries.vectors.T
            if self._where:
                self._point(cosines, reference.places[start : start + rows])
            self._best = np.maximum(self._best, cosines.max(axis=0))
            by_summary = np.maximum.reduceat(cosines, self._summaries.bounds[:-1], axis=1)
            self._recalled += by_summary.sum(axis=0, dtype=np.float64)
        self.tokens += len(reference)
        self.is_cut |= reference.is_cut

    def _point(self, cosines: npt.NDArray[np.float32], places: Sequence[Place]) -> None:
        rows = cosines.argmax(axis=0)
        better = cosines[rows, np.arange(cosines.shape[1])] > self._best
        for column in np.flatnonzero(better):
            self._where[column] = places[rows[column]]

    def matches(self) -> list[Match]:
        """One a summary; only if the pseudo-reference had tokens."""
        found = []
        for at, recalled in enumerate(self._recalled):
            own = slice(self._summaries.bounds[at], self._summaries.bounds[at + 1])
            precision = float(self._best[own].mean(dtype=np.float64))
            recall = float(recalled) / self.tokens
            best, where = self._best[own], self._where[own]
            found.append(Match(_cosine(precision), _cosine(recall), best, where))
        return found


def _cosine(value: float) -> float:
    """Rounding takes what is 1 a little beyond."""
    return min(1.0, max(-1.0, value))
