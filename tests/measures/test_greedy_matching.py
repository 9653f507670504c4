"""Greedy matching: by hand, in parts and blocks, with weights."""

from __future__ import annotations

import numpy as np
import pytest

from tricolore.measures import greedy_matching
from tricolore.measures.greedy_matching import GreedyMatching

SUMMARY = np.float32([(1, 0), (0.6, 0.8)])
REFERENCE = np.float32([(1, 0), (0, 1), (-1, 0)])
# Cosines, one row per token of the summary:
#      1     0    -1
#      0.6   0.8  -0.6
# The best by row are 1 and 0.8, by column 1, 0.8 and -0.6.
PRECISION, RECALL = 0.9, 0.4


def matched(summary, *parts) -> GreedyMatching:
    matching = GreedyMatching(summary)
    for part in parts:
        matching.add(part)
    return matching


def test_by_hand():
    found = matched(SUMMARY, REFERENCE)
    assert found.precision() == pytest.approx(PRECISION)
    assert found.recall() == pytest.approx(RECALL)
    assert found.best == pytest.approx([1, 0.8])
    assert found.where.tolist() == [0, 1]


def test_weights():
    found = matched(SUMMARY, REFERENCE)
    assert found.precision(np.array([1.0, 3.0])) == pytest.approx((1 * 1 + 3 * 0.8) / 4)
    assert found.recall(np.array([1.0, 0.0, 1.0])) == pytest.approx((1 - 0.6) / 2)


@pytest.mark.parametrize("cells", [1, 4, 1 << 20])
def test_a_reference_in_parts_and_in_small_blocks(cells, monkeypatch):
    monkeypatch.setattr(greedy_matching, "_CELLS", cells)
    none = REFERENCE[:0]
    for parts in ([REFERENCE], [REFERENCE[:1], none, REFERENCE[1:]], [*REFERENCE[:, None]]):
        found = matched(SUMMARY, *parts)
        assert (found.precision(), found.recall()) == pytest.approx((PRECISION, RECALL))
        assert found.where.tolist() == [0, 1]


def test_of_equal_cosines_the_first_is_the_match():
    assert matched(SUMMARY[:1], REFERENCE[1:], REFERENCE, REFERENCE).where.tolist() == [2]


def test_rounding_takes_nothing_beyond_one():
    near = np.float32([(0.6, 0.8000001)] * 3)
    found = matched(near, near)
    assert found.best.max() > 1
    assert found.precision() == found.recall() == 1
