"""Kendall's coefficients under weights of groups."""

import numpy as np
import pytest
from hypothesis import given, settings

from tests.meta.numeric.weighted_pairs import weighted_pairs
from tricolore.meta.numeric.kendall_form import KendallForm
from tricolore.meta.numeric.weighted import SortedNumbers, WeightedPairs


@pytest.mark.parametrize("coefficient", ["kendall-a", "kendall-b", "kendall-c"])
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
