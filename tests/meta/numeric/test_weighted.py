"""Correlations under weights: the same as scipy's of the pairs repeated as often."""

import numpy as np
import pytest
from hypothesis import given, settings

from tests.meta.numeric.weighted_pairs import weighted_pairs
from tricolore.meta.choices import COEFFICIENTS
from tricolore.meta.correlation import correlate
from tricolore.meta.numeric.small_sets import correlate_sets
from tricolore.meta.numeric.weighted import SortedNumbers, WeightedPairs, running_sums


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@settings(max_examples=100, deadline=None)
@given(given=weighted_pairs())
def test_weights_are_repetitions(coefficient, given):
    x, y, w, _ = given
    times = w.astype(int)
    wanted = correlate(np.repeat(x, times), np.repeat(y, times), coefficient).value
    pairs = WeightedPairs(SortedNumbers(x), SortedNumbers(y)).correlate(w[:, None], coefficient)
    small = correlate_sets(x[None], y[None], coefficient, w[None, :, None])
    # Sums of powers lose digits where the drawn values spread little against all that there are.
    lost = 1e-14 * (_spread(x, times) + _spread(y, times)) if coefficient == "pearson" else 0.0
    assert pairs == pytest.approx([wanted], abs=max(1e-10, lost), nan_ok=True)
    assert small[0] == pytest.approx([wanted], abs=max(1e-10, lost), nan_ok=True)


def _spread(values, times):
    """How many times the variance of the drawn values the square of the whole range is."""
    variance = np.var(np.repeat(values, times)) if times.any() else 0.0
    return np.ptp(values) ** 2 / variance if variance else 0.0


def test_running_sums():
    rows = np.random.default_rng(0).normal(size=(23, 3))
    made = running_sums(rows)
    assert made[0].tolist() == [0, 0, 0]
    assert np.allclose(made[1:], np.cumsum(rows, axis=0))
    assert running_sums(rows[:0]).shape == (1, 3)


def test_pearson_survives_a_large_offset():
    x = np.array([1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3])
    y = np.array([1.0, 3, 2, 4])
    assert WeightedPairs(SortedNumbers(x), SortedNumbers(y)).correlate(np.ones((4, 1)), "pearson")[
        0
    ] == pytest.approx(0.8)
