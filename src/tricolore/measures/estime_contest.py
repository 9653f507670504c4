"""ESTIME's second half: the vectors of summaries against those of their source, eqs (1)-(3).

The source comes in blocks and is not kept: of every block, only the places that may still matter
are remembered. Pure arithmetic on arrays.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tricolore.models.vectors import unit_rows

Similarity = Literal["product", "cosine"]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Pairs = npt.NDArray[np.void]

NOISE = 5e-6
"""Similarities nearer than this, as a share of the vectors' lengths, are decided in fp64.

In fp32, batch size, padding and threads move them by up to 1e-6."""
EQUAL = 1e-10
"""Nearer than this they are equal."""

_AT_ONCE = 1 << 20  # similarities that are held at a time
_PAIR = np.dtype([("row", "i8"), ("place", "i8"), ("value", "f8"), ("equal", "?")])


@dataclass(frozen=True)
class Verdict:
    """What one unit of a summary met in the source."""

    checked: bool
    """It occurs in the source."""
    best: int
    """The most similar place of the source."""
    same: bool
    """The same token stands there."""
    winners: int
    """How many places with another token beat all places with the same one."""
    lead: float
    """By how much the best place beats the best with the same token, as a share of the best."""

    @property
    def alarm(self) -> bool:
        """Whether the unit counts in eq. (1)."""
        return self.winners > 0


class Contest:
    """Units of summaries (rows) against the units of their source (places), at one layer."""

    def __init__(
        self,
        vectors: npt.NDArray[Any],
        keys: Ints,
        checked: Flags,
        *,
        similarity: Similarity = "product",
        count_exactly: bool = False,
    ) -> None:
        self._similarity = similarity
        self._count_exactly = count_exactly
        self._vectors = self._scaled(vectors)
        self._lengths = np.linalg.norm(self._vectors, axis=1)
        self._keys = keys
        self._checked = checked
        count = len(keys)
        self._noise = np.zeros(count)
        self._same = np.full(count, -np.inf)  # s(i), eq. (2)
        self._top = np.full(count, -np.inf)
        self._blocks = [np.empty(0, dtype=_PAIR)]
        self._new = 0

    def meet(self, vectors: npt.NDArray[Any], keys: Ints, places: Ints) -> None:
        """Compare with a block of the source."""
        step = max(1, _AT_ONCE // max(1, len(self._keys)))
        for start in range(0, len(keys), step):
            some = slice(start, start + step)
            self._meet(self._scaled(vectors[some]), keys[some], places[some])

    def _meet(self, vectors: Floats, keys: Ints, places: Ints) -> None:
        longest = float(np.linalg.norm(vectors, axis=1).max())
        np.maximum(self._noise, NOISE * longest * self._lengths, out=self._noise)
        values = self._vectors @ vectors.T
        equal = self._keys[:, None] == keys[None, :]
        np.maximum(self._top, values.max(axis=1), out=self._top)
        np.maximum(self._same, np.where(equal, values, -np.inf).max(axis=1), out=self._same)
        rows, columns = np.nonzero(values >= self._floor()[:, None])
        block = np.empty(len(rows), dtype=_PAIR)
        block["row"], block["place"] = rows, places[columns]
        block["value"], block["equal"] = values[rows, columns], equal[rows, columns]
        self._blocks.append(block)
        self._new += len(block)
        if self._new > max(_AT_ONCE, len(self._blocks[0])):
            self._pairs()

    def _floor(self) -> Floats:
        """What is below can no longer matter: s(i) and the best only grow."""
        return np.where(self._checked, self._same, self._top) - self._noise

    def _pairs(self) -> Pairs:
        """The rows and places that still matter."""
        if len(self._blocks) > 1:
            found = np.concatenate(self._blocks)
            self._blocks = [found[found["value"] >= self._floor()[found["row"]]]]
            self._new = 0
        return self._blocks[0]

    def unsure(self) -> tuple[Ints, Ints]:
        """Rows and places that rounding may have put in the wrong order."""
        doubtful = self._pairs()[self._doubtful()]
        return doubtful["row"], doubtful["place"]

    def similarities(self, rows: npt.NDArray[Any], places: npt.NDArray[Any]) -> Floats:
        """The similarities of vectors in pairs."""
        found: Floats = np.einsum("ij,ij->i", self._scaled(rows), self._scaled(places))
        return found

    def settle(self, exact: Floats) -> None:
        """Decide the pairs that `unsure` gave by these similarities."""
        pairs = self._pairs()
        pairs["value"][self._doubtful()] = exact
        self._same.fill(-np.inf)
        same = pairs[pairs["equal"]]
        np.maximum.at(self._same, same["row"], same["value"])

    def _doubtful(self) -> Flags:
        """Candidates for the best place, if there are several.

        They decide all but the number of winners, for which all that may beat s(i) must be known:
        these are in doubt ten times as often, and only looked at where the number is asked for.
        """
        pairs = self._pairs()
        rows, values, noise = pairs["row"], pairs["value"], self._noise[pairs["row"]]
        near_top = values >= self._top[rows] - noise
        count = len(self._keys)
        several = np.bincount(rows[near_top], minlength=count) > 1
        found: Flags = near_top & several[rows]
        if self._count_exactly:
            near_same = (np.abs(values - self._same[rows]) <= noise) & self._checked[rows]
            rivals = np.bincount(rows[near_same & ~pairs["equal"]], minlength=count) > 0
            found |= near_same & rivals[rows]
        return found

    def verdicts(self) -> list[Verdict]:
        """One verdict a row. Of equal similarities the same token wins, then the first place."""
        pairs = self._pairs()
        pairs = pairs[np.lexsort((pairs["place"], ~pairs["equal"], pairs["row"]))]
        bounds = np.searchsorted(pairs["row"], np.arange(len(self._keys) + 1))
        return [
            self._verdict(row, pairs[bounds[row] : bounds[row + 1]])
            for row in range(len(self._keys))
        ]

    def _verdict(self, row: int, pairs: Pairs) -> Verdict:
        values, equal = pairs["value"], pairs["equal"]
        margin = self._noise[row] / NOISE * EQUAL
        top, same = values.max(), self._same[row]
        best = int(np.argmax(values >= top - margin))
        checked = bool(self._checked[row])
        # eq. (3); where there is one, eq. (1) counts the token.
        winners = int((values[~equal] > same + margin).sum()) if checked else 0
        lead = float((top - same) / abs(top)) if winners and top else 0.0
        return Verdict(checked, int(pairs["place"][best]), bool(equal[best]), winners, lead)

    def _scaled(self, vectors: npt.NDArray[Any]) -> Floats:
        """In fp64, so that the products add no noise; of length 1 for the cosine (appendix C)."""
        exact: Floats = np.asarray(vectors, dtype=np.float64)
        if self._similarity == "product":
            return exact
        return unit_rows(exact)


def mean_cosine(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> float:
    """The mean cosine of vectors in pairs: soft ESTIME. That of a vector of zeros is 0.

    >>> mean_cosine(np.array([[1.0, 0.0], [3.0, 4.0]]), np.array([[2.0, 0.0], [4.0, 3.0]]))
    0.98
    """
    one, other = left.astype(np.float64), right.astype(np.float64)
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    products = np.einsum("ij,ij->i", one, other)
    return float((products / np.where(lengths > 0, lengths, 1.0)).mean())


def tau_c(places: Sequence[int]) -> float:
    """Kendall's τ-c of the order of a sequence with 0, 1, 2…; NaN where there is no order.

    >>> tau_c([3, 5, 9]), tau_c([9, 5, 3])
    (1.0, -1.0)
    """
    classes = min(len(places), len(set(places)))
    if classes < 2:
        return float("nan")
    before: list[int] = []
    balance = 0
    for place in places:
        balance += bisect_left(before, place) - (len(before) - bisect_right(before, place))
        insort(before, place)
    return 2 * balance * classes / (len(places) ** 2 * (classes - 1))
