"""ESTIME's equations on small vectors, computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from tricolore.measures.estime_contest import Contest, mean_cosine, tau_c

A, B, C, Z = range(4)
SOURCE = np.array([[1, 0], [0, 1], [2, 0], [1, 1]], dtype=np.float32)
SOURCE_KEYS = np.array([A, B, A, C])
SUMMARY = np.array([[1, 2], [0, 1], [1, 0]], dtype=np.float32)
SUMMARY_KEYS = np.array([A, B, Z])
CHECKED = np.array([True, True, False])


def contest(similarity="product"):
    return Contest(SUMMARY, SUMMARY_KEYS, CHECKED, similarity=similarity)


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]])
@pytest.mark.parametrize("size", [1, 3, 4])
def test_by_hand(order, size):
    #            a(1,0)  b(0,1)  a(2,0)  c(1,1)
    # a (1,2)      1       2       2       3     s = 2; c wins; b is equal, which is no win
    # b (0,1)      0       1       0       1     s = 1; c is equal: the same token is the best
    # z (1,0)      1       0       2       1     not in the source: not checked; best is a
    made = contest()
    for start in range(0, 4, size):
        some = np.array(order[start : start + size])
        made.meet(SOURCE[some], SOURCE_KEYS[some], some)
    a, b, z = made.verdicts()
    assert (a.alarm, a.winners, a.best, a.same, a.checked) == (True, 1, 3, False, True)
    assert a.lead == pytest.approx((3 - 2) / 3)
    assert (b.alarm, b.winners, b.best, b.same, b.checked) == (False, 0, 1, True, True)
    assert (z.alarm, z.winners, z.best, z.same, z.checked) == (False, 0, 2, False, False)


def test_cosine_by_hand():
    # a (1,2): 1/√5 for both a, 2/√5 for b, 3/√10 for c: b and c win, c is the best.
    # z (1,0): 1 for both a: the first of them.
    made = contest("cosine")
    made.meet(SOURCE, SOURCE_KEYS, np.arange(4))
    a, _, z = made.verdicts()
    assert (a.winners, a.best) == (2, 3)
    assert a.lead == pytest.approx(1 - (1 / 5**0.5) / (3 / 10**0.5))
    assert z.best == 0


numbers = st.integers(-2, 2)


@given(
    source=st.lists(st.tuples(numbers, numbers, numbers, st.integers(0, 2)), min_size=1),
    summary=st.lists(st.tuples(numbers, numbers, numbers, st.integers(0, 3)), min_size=1),
    size=st.integers(1, 5),
)
def test_the_equations_themselves(source, summary, size):
    text, own = np.array(source), np.array(summary)
    checked = np.isin(own[:, 3], text[:, 3])
    made = Contest(own[:, :3].astype(np.float32), own[:, 3], checked)
    for start in range(0, len(text), size):
        some = np.arange(start, min(start + size, len(text)))
        made.meet(text[some, :3].astype(np.float32), text[some, 3], some)
    for row, verdict in zip(own, made.verdicts(), strict=True):
        products = text[:, :3] @ row[:3]
        same = text[:, 3] == row[3]
        if same.any():
            s = products[same].max()  # eq. (2)
            assert verdict.alarm == ((~same).any() and products[~same].max() > s)  # eq. (1)
            assert verdict.winners == (products[~same] > s).sum()  # eq. (3)
        assert products[verdict.best] == products.max()
        assert verdict.same == same[verdict.best]
        if not verdict.same:
            assert not same[products == products.max()].any()
        ties = (products == products.max()) & (same == verdict.same)
        assert verdict.best == np.argmax(ties)


def test_near_ties_are_decided_by_the_exact_vectors():
    # In fp32 the other token is ahead by 1 in 10 million; in fp64 the same token is.
    rough = np.array([[1.0, 0.0], [1.0000001, 0.0], [0.5, 0.0]], dtype=np.float32)
    exact = np.array([[1.0 + 1e-8, 0.0], [1.0, 0.0]])
    made = Contest(np.array([[1.0, 0.0]], dtype=np.float32), np.array([A]), np.array([True]))
    made.meet(rough, np.array([A, B, C]), np.arange(3))
    assert made.verdicts()[0].alarm
    rows, places = made.unsure()
    assert (rows.tolist(), places.tolist()) == ([0, 0], [0, 1])
    made.settle(made.similarities(np.array([[1.0, 0.0]] * 2), exact))
    [verdict] = made.verdicts()
    assert (verdict.alarm, verdict.winners, verdict.best, verdict.same) == (False, 0, 0, True)


def test_winners_near_the_same_token_are_unsure_too():
    # The best place is clear, but whether the second beats the same token is not.
    rough = np.array([[1.0, 0.0], [1.0000001, 0.0], [2.0, 0.0]], dtype=np.float32)
    made = Contest(
        np.array([[1.0, 0.0]], dtype=np.float32),
        np.array([A]),
        np.array([True]),
        count_exactly=True,
    )
    made.meet(rough, np.array([A, B, C]), np.arange(3))
    assert made.verdicts()[0].winners == 2
    assert made.unsure()[1].tolist() == [0, 1]
    made.settle(np.array([1.0, 1.0 - 1e-8]))
    assert made.verdicts()[0].winners == 1


def test_clear_cases_are_not_asked_again():
    made = Contest(SUMMARY[2:], SUMMARY_KEYS[2:], CHECKED[2:])
    made.meet(SOURCE, SOURCE_KEYS, np.arange(4))
    assert [len(part) for part in made.unsure()] == [0, 0]


@given(st.lists(st.integers(0, 8), min_size=2, max_size=12))
def test_tau_c_as_scipy_has_it(places):
    expected = kendalltau(range(len(places)), places, variant="c").correlation
    assert tau_c(places) == pytest.approx(expected, nan_ok=True)


def test_tau_c_by_hand():
    # 2 1 3: two pairs in order, one not; 2 · 1 · 3 / (9 · 2).
    assert tau_c([2, 1, 3]) == pytest.approx(1 / 3)
    assert math.isnan(tau_c([4]))
    assert math.isnan(tau_c([4, 4]))


def test_a_vector_of_zeros_is_like_nothing():
    assert mean_cosine(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[1.0, 0.0]] * 2)) == 0.5


def test_the_best_place_of_a_token_that_the_source_has_not():
    # Two other tokens in nearly the same context: which is the best decides soft and coherence.
    rough = np.array([[1.0000001, 0.0], [1.0, 0.0]], dtype=np.float32)
    made = Contest(np.array([[1.0, 0.0]], dtype=np.float32), np.array([Z]), np.array([False]))
    made.meet(rough, np.array([A, B]), np.arange(2))
    assert made.verdicts()[0].best == 0
    assert made.unsure()[1].tolist() == [0, 1]
    made.settle(np.array([1.0, 1.0 + 1e-8]))
    assert made.verdicts()[0].best == 1
