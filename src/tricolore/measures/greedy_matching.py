"""Greedy matching: every token of two texts with the most similar token of the other.

Zhang et al. (2020), "BERTScore", section 3, and the thesis, section 5.2: the highest of each row
and of each column in a matrix of cosines.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tricolore.models.encoder import Vectors

TokenWeights = npt.NDArray[np.float64]

_CELLS = 1 << 22  # cosines held at a time


class GreedyMatching:
    """The tokens of a summary against those of a reference.

    All vectors have length 1, and neither text is without tokens. The reference may come in
    parts, so that not all its vectors need to be held at once.

    >>> matching = GreedyMatching(np.array([[1, 0], [0.6, 0.8]], dtype=np.float32))
    >>> matching.add(np.array([[0, 1], [-1, 0]], dtype=np.float32))
    >>> matching.best.tolist(), matching.where.tolist()  # cosines: 0 and -1; 0.8 and -0.6
    ([0.0, 0.800000011920929], [0, 0])
    >>> round(matching.precision(), 6), round(matching.recall(), 6)  # (0 + 0.8)/2, (0.8 - 0.6)/2
    (0.4, 0.1)
    """

    def __init__(self, summary: Vectors) -> None:
        self._summary = summary
        self.best = np.full(len(summary), -np.inf, dtype=np.float32)
        """The highest cosine of each token of the summary."""
        self.where = np.zeros(len(summary), dtype=np.intp)
        """The reference token with this cosine; the first if there are several."""
        self._best_of_reference: list[Vectors] = []
        self._tokens = 0

    def add(self, reference: Vectors) -> None:
        """Match with the next part of the reference."""
        step = max(1, _CELLS // len(self._summary))
        for start in range(0, len(reference), step):
            cosines = self._summary @ reference[start : start + step].T
            found = cosines.max(axis=1)
            better = found > self.best
            self.best[better] = found[better]
            self.where[better] = self._tokens + cosines.argmax(axis=1)[better]
            self._best_of_reference.append(cosines.max(axis=0))
            self._tokens += cosines.shape[1]

    def precision(self, weights: TokenWeights | None = None) -> float:
        """The mean over the tokens of the summary."""
        return _mean(self.best, weights)

    def recall(self, weights: TokenWeights | None = None) -> float:
        """The mean over the tokens of the reference."""
        return _mean(np.concatenate(self._best_of_reference), weights)


def _mean(cosines: Vectors, weights: TokenWeights | None) -> float:
    exact = cosines.astype(np.float64)
    mean = exact.mean() if weights is None else weights @ exact / weights.sum()
    return float(min(1.0, max(-1.0, mean)))  # rounding can move a cosine of 1 slightly above 1
