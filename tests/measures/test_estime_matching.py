"""ESTIME's equations on small vectors, computed by hand."""

from __future__ import annotations

import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from tricolore.measures import estime_matching
from tricolore.measures.estime_matching import LayerComparison, Pairs, mean_cosine, tau_c

A, B, C, Z = range(4)
SOURCE = np.array([[1, 0], [0, 1], [2, 0], [1, 1]], dtype=np.float32)
SOURCE_KEYS = np.array([A, B, A, C])
SUMMARY = np.array([[1, 2], [0, 1], [1, 0]], dtype=np.float32)
SUMMARY_KEYS = np.array([A, B, Z])
CHECKED = np.array([True, True, False])


def comparison(similarity="product"):
    return LayerComparison(SUMMARY, SOURCE, SUMMARY_KEYS, SOURCE_KEYS, CHECKED, similarity)


def test_by_hand():
    #            a(1,0)  b(0,1)  a(2,0)  c(1,1)
    # a (1,2)      1       2       2       3     s = 2; c wins; b is equal, which is no win
    # b (0,1)      0       1       0       1     s = 1; c is equal: the same token is the best
    # z (1,0)      1       0       2       1     not in the source: not checked; best is a
    a, b, z = comparison().matches()
    assert (a.is_alarm, a.winners, a.best, a.is_same, a.is_checked) == (True, 1, 3, False, True)
    assert a.lead == pytest.approx((3 - 2) / 3)
    assert (b.is_alarm, b.winners, b.best, b.is_same, b.is_checked) == (False, 0, 1, True, True)
    assert (z.is_alarm, z.winners, z.best, z.is_same, z.is_checked) == (False, 0, 2, False, False)


def test_cosine_by_hand():
    # a (1,2): 1/√5 for both a, 2/√5 for b, 3/√10 for c: b and c win, c is the best.
    # z (1,0): 1 for both a: the first of them.
    a, _, z = comparison("cosine").matches()
    assert (a.winners, a.best) == (2, 3)
    assert a.lead == pytest.approx(1 - (1 / 5**0.5) / (3 / 10**0.5))
    assert z.best == 0


numbers = st.integers(-2, 2)


@given(
    source=st.lists(st.tuples(numbers, numbers, numbers, st.integers(0, 2)), min_size=1),
    summary=st.lists(st.tuples(numbers, numbers, numbers, st.integers(0, 3)), min_size=1),
    cells=st.sampled_from([1, 7, 1 << 22]),
)
def test_the_equations_themselves(source, summary, cells):
    text, own = np.array(source), np.array(summary)
    checked = np.isin(own[:, 3], text[:, 3])
    made = LayerComparison(
        own[:, :3].astype(np.float32),
        text[:, :3].astype(np.float32),
        own[:, 3],
        text[:, 3],
        checked,
    )
    with mock.patch.object(estime_matching, "_CELLS", cells):
        matches = made.matches()
    for row, match in zip(own, matches, strict=True):
        products = text[:, :3] @ row[:3]
        same = text[:, 3] == row[3]
        if same.any():
            s = products[same].max()  # eq. (2)
            assert match.is_alarm == ((~same).any() and products[~same].max() > s)  # eq. (1)
            assert match.winners == (products[~same] > s).sum()  # eq. (3)
        assert products[match.best] == products.max()
        assert match.is_same == same[match.best]
        if not match.is_same:
            assert not same[products == products.max()].any()
        ties = (products == products.max()) & (same == match.is_same)
        assert match.best == np.argmax(ties)


def one_token(source, keys, *, key=A, is_checked=True):
    """A token of the vector (1, 0) against some places."""
    here = np.array([[1.0, 0.0]], dtype=np.float32)
    vectors = np.array(source, dtype=np.float32)
    return LayerComparison(here, vectors, np.array([key]), np.array(keys), np.array([is_checked]))


def settle(made, pairs, source):
    """Decide the pairs by exact vectors of the source; the token's own is (1, 0)."""
    made.settle(pairs, np.array([[1.0, 0.0]] * len(source)), np.array(source))


def test_near_ties_are_decided_by_the_exact_vectors():
    # In fp32 the other token is ahead by 1 in 10 million; in fp64 the same token is.
    made = one_token([[1.0, 0.0], [1.0000001, 0.0], [0.5, 0.0]], [A, B, C])
    assert made.matches()[0].is_alarm
    pairs = made.near_ties()
    assert (pairs.tokens.tolist(), pairs.places.tolist()) == ([0, 0], [0, 1])
    settle(made, pairs, [[1.0 + 1e-8, 0.0], [1.0, 0.0]])
    [match] = made.matches()
    assert (match.is_alarm, match.winners, match.best, match.is_same) == (False, 0, 0, True)


def test_winners_near_the_same_token_are_settled_where_they_are_counted():
    # The best place is clear, but whether the second beats the same token is not.
    made = one_token([[1.0, 0.0], [1.0000001, 0.0], [2.0, 0.0]], [A, B, C])
    assert made.matches()[0].winners == 2
    assert made.near_ties().places.tolist() == []
    pairs = made.near_ties(count_exactly=True)
    assert pairs.places.tolist() == [0, 1]
    settle(made, pairs, [[1.0, 0.0], [1.0 - 1e-8, 0.0]])
    assert made.matches()[0].winners == 1


def test_clear_cases_are_not_asked_again():
    made = LayerComparison(SUMMARY[2:], SOURCE, SUMMARY_KEYS[2:], SOURCE_KEYS, CHECKED[2:])
    assert made.near_ties(count_exactly=True).tokens.tolist() == []


def test_pairs_are_settled_in_their_own_block():
    both = np.array([[1.0, 0.0], [1.0, 0.0]], dtype=np.float32)
    places = np.array([[1.0, 0.0], [1.0000001, 0.0]], dtype=np.float32)
    with mock.patch.object(estime_matching, "_CELLS", 1):
        made = LayerComparison(
            both, places, np.array([A, B]), np.array([A, B]), np.array([True] * 2)
        )
        assert made.near_ties().tokens.tolist() == [0, 0, 1, 1]
        pairs = Pairs(np.array([1, 1]), np.array([0, 1]))
        settle(made, pairs, [[1.0, 0.0], [0.5, 0.0]])
        assert [match.best for match in made.matches()] == [1, 0]


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
    made = one_token([[1.0000001, 0.0], [1.0, 0.0]], [A, B], key=Z, is_checked=False)
    assert made.matches()[0].best == 0
    pairs = made.near_ties()
    assert pairs.places.tolist() == [0, 1]
    settle(made, pairs, [[1.0, 0.0], [1.0 + 1e-8, 0.0]])
    assert made.matches()[0].best == 1
