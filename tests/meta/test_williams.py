"""Williams' test of two correlations that share one side."""

import math

import pytest
from scipy import stats

from tricolore.meta.williams import williams_test

NAN = float("nan")


def test_williams_as_in_the_manual_of_psych():
    # R's psych: r.test(103, .4, .5, .1) prints t = -0.89 and p = 0.37
    found = williams_test(0.4, 0.5, 0.1, 103)
    assert found.t == pytest.approx(-0.89, abs=0.005)
    assert found.p == pytest.approx(0.37, abs=0.006)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(found.t), 100))


def test_williams_undefined():
    for given in [(0.4, 0.5, 0.1, 3), (NAN, 0.5, 0.1, 50), (0.5, 0.5, 1.0, 50)]:
        assert math.isnan(williams_test(*given).p)
