import math

import numpy as np
import pytest

from tricolore.measures import soft_alignment
from tricolore.measures.soft_alignment import Alignment, Summaries, Words


def words(*vectors):
    places = [(0, at, at + 1) for at in range(len(vectors))]
    return Words(np.array(vectors, dtype=np.float32), places)


REFERENCE = words((1, 0), (0, 1), (-1, 0))
SUMMARY = words((1, 0), (0.6, 0.8))
# Cosines, a row a token of the reference:
#      1    0.6
#      0    0.8
#     -1   -0.6
# The best by column are 1 and 0.8, by row 1, 0.8 and -0.6.
PRECISION, RECALL = 0.9, 0.4


def aligned(summaries, *references, evidence=False):
    made = Alignment(Summaries(summaries), evidence=evidence)
    for reference in references:
        made.add(reference)
    return made.matches()


def test_by_hand():
    [match] = aligned([SUMMARY], REFERENCE)
    assert match.precision == pytest.approx(PRECISION)
    assert match.recall == pytest.approx(RECALL)
    assert match.f1 == pytest.approx(2 * 0.9 * 0.4 / 1.3)
    assert match.best == pytest.approx([1, 0.8])
    assert len(match.where) == 0


def test_where_the_best_matches_are():
    [match] = aligned([SUMMARY], REFERENCE, evidence=True)
    assert match.where == [(0, 0, 1), (0, 1, 2)]


@pytest.mark.parametrize("cells", [1, 4, 1 << 20])
def test_a_reference_in_parts_and_in_small_blocks(cells, monkeypatch):
    monkeypatch.setattr(soft_alignment, "_CELLS", cells)
    parts = [Words(REFERENCE.vectors[at : at + 1], [(0, at, at + 1)]) for at in range(3)]
    for references in ([REFERENCE], parts, parts[::-1]):
        [match] = aligned([SUMMARY], *references, evidence=True)
        assert (match.precision, match.recall) == pytest.approx((PRECISION, RECALL))
        assert match.where == [(0, 0, 1), (0, 1, 2)]


def test_summaries_together_are_as_each_alone():
    other = words((0, -1))  # cosines 0, -1 and 0: precision 0, recall -1/3
    first, second = aligned([SUMMARY, other], REFERENCE)
    assert (first.precision, first.recall) == pytest.approx((PRECISION, RECALL))
    assert (second.precision, second.recall) == pytest.approx((0, -1 / 3))


def test_no_harmonic_mean_unless_both_are_positive():
    [match] = aligned([words((0, -1))], REFERENCE)
    assert math.isnan(match.f1)


def test_rounding_takes_nothing_beyond_one():
    near = words(*[(0.6, 0.8000001)] * 3)
    [match] = aligned([near], near)
    assert match.precision == match.recall == 1
