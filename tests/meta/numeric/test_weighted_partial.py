"""The fast partial correlations against the definition, with rows repeated by their weights."""

import numpy as np
import pytest

from tricolore.meta.choices import PARTIAL_COEFFICIENTS
from tricolore.meta.numeric.weighted_partial import (
    CentredColumn,
    ControlledScores,
    correlate_set_rows,
)
from tricolore.meta.partial import partial_correlation


def repeated(columns, weights, coefficient):
    x, y, *controls = (np.repeat(column, weights.astype(int)) for column in columns)
    return partial_correlation(x, y, dict(enumerate(controls)), coefficient).value


@pytest.mark.parametrize("coefficient", PARTIAL_COEFFICIENTS)
@pytest.mark.parametrize("controls", [1, 2, 3])
def test_a_weight_is_a_repetition(coefficient, controls):
    rng = np.random.default_rng(controls)
    rows = 7
    columns = rng.integers(0, 6, (2 + controls, rows)) + rng.integers(0, 2, rows) / 4
    weights = rng.integers(0, 3, (rows, 40)).astype(float)
    x, y, *held = (CentredColumn(column, coefficient) for column in columns)
    found = ControlledScores(y, held, weights).correlate(x)
    wanted = [repeated(columns, weight, coefficient) for weight in weights.T]
    assert found == pytest.approx(np.array(wanted), abs=1e-9, nan_ok=True)
    assert 0 < np.isfinite(found).sum() < 40


@pytest.mark.parametrize("coefficient", PARTIAL_COEFFICIENTS)
@pytest.mark.parametrize("rows", [8, 301])  # from 301 rows on, ranks come from sorting
def test_many_sets_at_once(coefficient, rows):
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 50, (4, 5, rows)).astype(float)
    columns[2, 1] = 3.0  # a control that is constant in the second set
    x, y, *held = columns
    found = correlate_set_rows(x, y, held, coefficient)
    wanted = [repeated(columns[:, at], np.ones(rows), coefficient) for at in range(5)]
    assert found == pytest.approx(np.array(wanted), abs=1e-9, nan_ok=True)
    assert np.isnan(found[1])
    assert np.isfinite(found[[0, 2, 3, 4]]).all()


def test_large_numbers_lose_nothing():
    rng = np.random.default_rng(0)
    x, y, a = rng.normal(size=(3, 1, 30))
    moved = correlate_set_rows(1e6 + x, 1e6 + y, [1e6 + a], "pearson")
    assert moved == pytest.approx(correlate_set_rows(x, y, [a], "pearson"), abs=1e-8)


def test_equal_rows_are_one_point():
    rng = np.random.default_rng(0)
    x, y, a = rng.normal(size=(3, 1, 5))
    assert np.isfinite(correlate_set_rows(x, y, [a], "pearson"))
    for column in (x, y, a):
        column[:, 3:] = column[:, :1]  # three points are left, and four are needed
    assert np.isnan(correlate_set_rows(x, y, [a], "pearson"))
    x[:, 4] += 1  # equal in the human score and the control only
    assert np.isfinite(correlate_set_rows(x, y, [a], "pearson"))
