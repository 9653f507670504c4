"""Kendall's coefficients under weights of groups."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricolore.meta.numeric.kendall_form import KendallForm
from tricolore.meta.numeric.weighted import SortedNumbers, WeightedPairs

numbers = st.sampled_from([0.0, 1 / 3, 2 / 3, 1.0, 1.5, -2.0, 1e-3, 7.0])


@st.composite
def weighted_pairs(draw):
    n = draw(st.integers(1, 14))
    column = st.lists(numbers, min_size=n, max_size=n)
    weights = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    groups = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    return [np.array(draw(c), dtype=float) for c in (column, column, weights)] + [np.array(groups)]


@pytest.mark.parametrize("coefficient", ["kendall-b", "kendall-c"])
@settings(max_examples=100, deadline=None)
@given(given=weighted_pairs())
def test_weights_of_groups(coefficient, given):
    x, y, w, group = given
    pairs = WeightedPairs(SortedNumbers(x), SortedNumbers(y))
    of_group = np.array([w[0], 1.0, 2.0])
    form = KendallForm(pairs, group, 3).correlate(of_group[:, None], coefficient)
    assert form == pytest.approx(
        pairs.correlate(of_group[group][:, None], coefficient), abs=1e-10, nan_ok=True
    )
