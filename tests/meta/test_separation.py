import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.meta.separation import auc, pair_share

some = st.lists(st.integers(0, 5).map(float), min_size=1, max_size=12)


@given(some, some)
def test_auc_counts_pairs(clean, damaged):
    wins = sum(1.0 if x > y else 0.5 if x == y else 0.0 for x, y in product(clean, damaged))
    assert auc(clean, damaged).value == pytest.approx(wins / (len(clean) * len(damaged)))


@given(some, some)
def test_auc_the_other_way_round(clean, damaged):
    assert auc(clean, damaged).value + auc(damaged, clean).value == pytest.approx(1)


def test_auc_of_nothing():
    found = auc([math.nan, 1], [math.nan])
    assert math.isnan(found.value)
    assert (found.clean, found.damaged, found.left_out) == (1, 0, 2)


def test_auc_of_equal_values():
    assert auc([1, 1, 1], [1, 1]).value == 0.5


def test_auc_p_value():
    # Of the C(6, 3) = 20 ways to place three clean among six, one is as extreme on each side.
    assert auc([4, 5, 6], [1, 2, 3]).p == pytest.approx(2 / 20)


def test_pairs():
    # wins at 1 and 3, a tie at 2, a loss at 4; the fifth pair has no value
    found = pair_share([3, 2, 5, 1, math.nan], [1, 2, 4, 3, 0])
    assert (found.better, found.tied, found.n, found.left_out) == (2.5 / 4, 0.25, 4, 1)
    # the sign test of 2 wins in 3: P(2 or 3) = 1/2 on each side
    assert found.p == 1.0
    assert found.low < 2 / 3 < found.high


def test_pairs_sign_test():
    # 10 wins of 10: twice 1 / 2^10
    found = pair_share(range(1, 11), [0] * 10)
    assert found.p == pytest.approx(2 / 1024)
    assert found.better == 1
    # Clopper and Pearson's lower end for 10 of 10 is 0.025^(1/10)
    assert (found.low, found.high) == (pytest.approx(0.025**0.1), 1)


def test_pairs_that_are_none():
    assert math.isnan(pair_share([math.nan], [1]).better)
    only_ties = pair_share([1, 1], [1, 1])
    assert (only_ties.better, only_ties.tied, only_ties.p) == (0.5, 1, 1)
    assert math.isnan(only_ties.low)
    with pytest.raises(ValueError, match="no pairs"):
        pair_share([1, 2], [1])
