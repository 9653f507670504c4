"""The range of a measure for each kind of summary."""

import numpy as np
import pytest

from tricolore.meta.ranges import ranges

NAN = float("nan")


def test_ranges():
    first, second, third = ranges([0, 1, 2, 3, 4, NAN], [0, 0, 0, 0, 0, 1], ("x", "y", "z"))
    assert first.quantiles == pytest.approx((0, 0.2, 1, 2, 3, 3.8, 4))
    assert (first.mean, first.n, first.left_out) == (2, 5, 0)
    assert (second.n, second.left_out, third.n) == (0, 1, 0)
    assert np.isnan(second.quantiles).all()
