"""Mean absolute errors and the standard error of a mean."""

import math

import pytest
from scipy import stats

from tricolore.meta.error import mean_absolute_error, mean_and_sem

NAN = float("nan")


# Figure 2.1: two documents, two systems.
DOCS, SYSTEMS = ["1", "1", "2", "2"], ["1", "2", "1", "2"]
HUMAN, METRIC = [1, 0.75, 0.5, 0.2], [0.2, 0.1, 0.01, 0.005]


def test_micro_and_macro_error():
    found = mean_absolute_error(METRIC, HUMAN, DOCS)
    assert found.micro == pytest.approx(0.53375)
    assert found.macro.value == pytest.approx((0.725 + 0.3425) / 2)
    # The sample's deviation of two values is |a - b| / sqrt 2; the error that by sqrt 2 again.
    assert found.macro.sem == pytest.approx((0.725 - 0.3425) / 2)
    uneven = mean_absolute_error([1, 2, NAN, 4, NAN], [0, 0, 0, 0, 5], ["a", "a", "a", "b", "c"])
    assert uneven.micro == pytest.approx(7 / 3)
    assert (uneven.macro.value, uneven.macro.n) == (pytest.approx((1.5 + 4) / 2), 2)
    assert (uneven.macro.undefined, uneven.left_out) == (1, 2)


def test_sem_is_scipys_and_undefined_for_one():
    values = [0.2, 0.5, 0.9, NAN]
    found = mean_and_sem(values)
    assert found.sem == pytest.approx(stats.sem(values[:3]))
    assert (found.n, found.undefined) == (3, 1)
    assert math.isnan(mean_and_sem([0.3]).sem)
    assert math.isnan(mean_and_sem([]).value)
