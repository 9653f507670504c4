"""Kendall's τ of many resamples of groups, such as documents, as a quadratic form.

If all pairs of a group have the same weight, the concordant less the discordant pairs are
v' K v, where v has one weight per group and K sums the signs within and between groups. K is made
once, and a resample costs groups² steps whatever the number of pairs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricolore.arrays import Floats, Ints
from tricolore.meta.choices import Coefficient
from tricolore.meta.numeric.weighted import WeightedPairs, tau_a, tau_b, tau_c

_AT_ONCE = 1 << 21


class KendallForm:
    """Grouped pairs of numbers, whose τ is wanted for many weights of the groups."""

    def __init__(self, pairs: WeightedPairs, group: Ints, groups: int) -> None:
        self._member = np.zeros((len(group), groups), dtype=np.float32)
        self._member[np.arange(len(group)), group] = 1
        self._ties = [_present(side.tie, group, groups) for side in (pairs.x, pairs.y)]
        self._difference, self._untied_x, self._untied_y = self._forms(pairs)

    def _forms(self, pairs: WeightedPairs) -> Floats:
        x, y = (side.tie.astype(np.float32) for side in (pairs.x, pairs.y))
        forms = np.zeros((3, self._member.shape[1], self._member.shape[1]))
        size = max(1, _AT_ONCE // max(1, len(x)))
        for start in range(0, len(x), size):
            block = slice(start, start + size)
            signs_x = np.sign(x[block, None] - x)
            signs_y = np.sign(y[block, None] - y)
            for form, signs in zip(
                forms, (signs_x * signs_y, np.abs(signs_x), np.abs(signs_y)), strict=True
            ):
                form += self._member[block].T @ (signs @ self._member)
        return forms

    def correlate(self, weights: Floats, coefficient: Coefficient) -> Floats:
        """One τ per column of `weights` (groups × resamples); NaN where undefined."""
        with np.errstate(divide="ignore", invalid="ignore"):
            difference = _form(self._difference, weights)
            total = self._member.sum(axis=0, dtype=float) @ weights
            if coefficient != "kendall-c":
                untied = _form(self._untied_x, weights), _form(self._untied_y, weights)
                if coefficient == "kendall-a":
                    return tau_a(difference, total, *untied)
                return tau_b(difference, *untied)
            drawn = (weights > 0).astype(np.float32)
            distinct = [(ties @ drawn > 0).sum(axis=0) for ties in self._ties]
            return tau_c(difference, total, distinct[0], distinct[1])


def _present(tie: Ints, group: Ints, groups: int) -> NDArray[np.float32]:
    """Which distinct value occurs in which group."""
    present = np.zeros((int(tie.max(initial=-1)) + 1, groups), dtype=np.float32)
    present[tie, group] = 1
    return present


def _form(matrix: Floats, weights: Floats) -> Floats:
    values: Floats = np.einsum("gr,gr->r", weights, matrix @ weights)
    return values
