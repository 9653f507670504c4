"""Scalar correlations: equal to scipy's, defined where scipy warns."""

from itertools import combinations, permutations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tricolore.meta.choices import COEFFICIENTS
from tricolore.meta.correlation import correlate, settled
from tricolore.meta.numeric.weighted import SortedNumbers, WeightedPairs

NAN = float("nan")


def kendall_a(x, y):
    """scipy has no τ-a: concordant less discordant pairs by all pairs, and the p-value of τ-b."""
    signs = [
        np.sign((a - b) * (c - d)) for (a, c), (b, d) in combinations(zip(x, y, strict=True), 2)
    ]
    return SimpleNamespace(statistic=np.mean(signs), pvalue=stats.kendalltau(x, y).pvalue)


SCIPY = {
    "spearman": stats.spearmanr,
    "pearson": stats.pearsonr,
    "kendall-a": kendall_a,
    "kendall-b": lambda x, y: stats.kendalltau(x, y, variant="b"),
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c"),
}


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("levels", [3, 1000])
def test_the_same_as_scipy(coefficient, levels):
    rng = np.random.default_rng(levels)
    x, y = rng.integers(0, levels, (2, 40))
    found, peer = correlate(x, y, coefficient), SCIPY[coefficient](x, y)
    assert (found.value, found.p) == pytest.approx((peer.statistic, peer.pvalue), abs=1e-14)
    assert (found.n, found.left_out) == (40, 0)


def test_by_hand():
    # Pairs of (1,1) (2,3) (3,2) (4,4): 5 concordant, 1 discordant of 6: tau = 4/6.
    # Ranks differ by 0, 1, 1, 0: rho = 1 - 6 * 2 / (4 * 15) = 0.8, and so is r.
    x, y = [1, 2, 3, 4], [1, 3, 2, 4]
    assert correlate(x, y, "kendall-b").value == pytest.approx(4 / 6)
    # tau-c: 2 * 4 / (16 * 3/4) with m = 4 distinct values
    assert correlate(x, y, "kendall-c").value == pytest.approx(8 / 12)
    assert correlate(x, y, "spearman").value == pytest.approx(0.8)
    assert correlate(x, y, "pearson").value == pytest.approx(0.8)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_p_of_a_few_pairs_by_hand(coefficient):
    # Of the 6 orders of three, the same and the reverse are as strong: 2 / 6.
    assert correlate([1, 2, 3], [4, 5, 6], coefficient).p == pytest.approx(1 / 3)
    # A tie: y in the orders 1 2 2, 2 1 2, 2 2 1, each twice; the first and the last are as strong.
    assert correlate([1, 2, 3], [1, 2, 2], coefficient).p == pytest.approx(2 / 3)
    assert correlate([1, 2], [5, 3], coefficient).p == 1


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("levels", [3, 1000])
def test_p_of_a_few_pairs_is_that_of_all_orders(coefficient, levels):
    x, y = np.random.default_rng(levels).integers(0, levels, (2, 5)).astype(float)
    value = SCIPY[coefficient](x, y).statistic
    every = [SCIPY[coefficient](x, order).statistic for order in permutations(y)]
    as_strong = [abs(other) >= abs(value) - 1e-9 for other in every]
    found = correlate(x, y, coefficient)
    assert (found.value, found.p) == pytest.approx((value, np.mean(as_strong)), rel=1e-14)


@pytest.mark.parametrize("n", [8, 9])
def test_where_scipys_p_is_exact_it_is_the_same(n):
    x, y = np.random.default_rng(n).normal(size=(2, n))
    peer = stats.kendalltau(x, y, method="exact")
    assert correlate(x, y, "kendall-b").p == pytest.approx(peer.pvalue)
    # Spearman's with 9 pairs is scipy's, which comes from Student's t.
    assert (correlate(x, y).p == stats.spearmanr(x, y).pvalue) == (n == 9)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_pairs_with_a_nan_are_left_out_and_counted(coefficient):
    whole = correlate([1, 2, 4, 3], [2, 1, 3, 5], coefficient)
    holes = correlate([1, NAN, 2, 4, 3, 9], [2, 7, 1, 3, 5, NAN], coefficient)
    assert holes.value == whole.value
    assert (holes.n, holes.left_out) == (4, 2)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([], []),
        ([1], [2]),
        ([1, 1, 1], [1, 2, 3]),
        ([1, 2, 3], [0.1 + 0.2, 0.3, 0.3]),  # constant but for rounding
        ([NAN, NAN], [1, 2]),
        ([1, NAN, 2], [NAN, 3, 4]),
    ],
)
def test_undefined_is_nan_without_a_warning(coefficient, x, y):
    found = correlate(x, y, coefficient)
    assert np.isnan(found.value)
    assert np.isnan(found.p)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_two_pairs(coefficient):
    assert correlate([1, 2], [5, 3], coefficient).value == pytest.approx(-1)


def test_columns_of_different_length_are_refused():
    with pytest.raises(ValueError, match="differ in length"):
        correlate([1, 2], [1, 2, 3])


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_settling_moves_nothing_by_more_than_rounding(values):
    given = np.array(values)
    assert np.abs(settled(given) - given).max() <= 1e-11 * np.abs(given).max()


def test_settling_joins_what_rounding_parted():
    assert len(set(settled(np.array([0.1 + 0.2, 0.3, 0.1 * 3])))) == 1
    assert len(set(settled(np.array([1e-9, 1.001e-9])))) == 2


def test_kendall_a_is_eq_21_of_the_thesis():
    # 5 pairs of numbers, 10 pairs of pairs: 8 concordant, 1 discordant (3 and 2), 1 tied.
    x, y = [1.0, 2, 3, 4, 5], [1.0, 3, 2, 4, 4]
    assert pairs_of(x, y) == (8, 1)
    found = correlate(x, y, "kendall-a")
    assert found.value == pytest.approx((8 - 1) / 10)
    assert found.p == correlate(x, y, "kendall-b").p, "the same test"
    assert correlate(x, [1.0, 3, 2, 4, 5], "kendall-a").value == pytest.approx(0.8)


def pairs_of(x, y):
    """Concordant and discordant pairs."""
    signs = [(a - b) * (c - d) for (a, c), (b, d) in combinations(zip(x, y, strict=True), 2)]
    return sum(sign > 0 for sign in signs), sum(sign < 0 for sign in signs)


numbers = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=12)


@given(numbers)
def test_kendall_a_of_all_paths(given_pairs):
    x, y = (np.array(side, dtype=float) for side in zip(*given_pairs, strict=True))
    if len(set(x)) == 1 or len(set(y)) == 1:
        return
    concordant, discordant = pairs_of(x, y)
    expected = (concordant - discordant) / (len(x) * (len(x) - 1) / 2)
    assert correlate(x, y, "kendall-a").value == pytest.approx(expected)
    weights = np.ones((len(x), 1))
    weighted = WeightedPairs(SortedNumbers(x), SortedNumbers(y)).correlate(weights, "kendall-a")
    assert weighted[0] == pytest.approx(expected)
