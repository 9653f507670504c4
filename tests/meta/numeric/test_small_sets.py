"""Correlations of many small sets at once."""

import numpy as np
import pytest

from tricolore.meta.choices import COEFFICIENTS
from tricolore.meta.correlation import correlate
from tricolore.meta.numeric.small_sets import correlate_sets


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_large_sets_go_the_other_way_and_agree(coefficient):
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 40, (2, 2, 400)).astype(float)
    x[0, 3] = np.nan
    found = correlate_sets(x, y, coefficient)[:, 0]
    assert found == pytest.approx(
        [correlate(a, b, coefficient).value for a, b in zip(x, y, strict=True)]
    )
