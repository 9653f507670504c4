"""The ranks of n-grams by their importance, and what the released code lowers before it ranks."""

from __future__ import annotations

import numpy as np

from tricolore.arrays import Floats
from tricolore.text.tokenizer import Ids


def rank_order(w: Floats) -> Ids:
    """Indices from the most important down; ties, up to rounding, keep their order."""
    return np.argsort(-_without_noise(w), kind="stable")


def _without_noise(w: Floats) -> Floats:
    # 2·log(10) and log(100) must be equal on every machine.
    return np.rint(w * 1e9)


def lower_neighbours(w: Floats) -> Floats:
    """The weights, times 0.1 where one is not the largest from two before to one after it."""
    clean = np.pad(_without_noise(w), (2, 1), constant_values=-np.inf)
    largest = np.lib.stride_tricks.sliding_window_view(clean, 4).max(axis=1)
    lowered: Floats = np.where(clean[2:-1] < largest, w * 0.1, w)
    return lowered


def earlier_uses(unigrams: Ids) -> Floats:
    """For each row, how often its tokens were used before, in earlier rows and its own."""
    flat = unigrams.ravel()
    order = np.argsort(flat, kind="stable")
    ordered = flat[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=ordered[0] - 1))
    sizes = np.diff(starts, append=len(ordered))
    before = np.empty(len(flat), dtype=np.int64)
    before[order] = np.arange(len(flat)) - np.repeat(starts, sizes)
    uses: Floats = before.reshape(unigrams.shape).sum(axis=1).astype(np.float64)
    return uses
