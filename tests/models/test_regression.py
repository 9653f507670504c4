"""A linear layer learnt by gradient, against sums by hand and closed forms."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from tricolore.arrays import Floats
from tricolore.models.learning import Descent
from tricolore.models.regression import DivergedError, Linear, fit

DRAW = np.random.default_rng(3)
ROWS, WIDTH = 60, 4
VECTORS: Floats = DRAW.normal(size=(ROWS, WIDTH))
WEIGHT = np.array([[0.2, -0.1, 0.0, 0.3], [0.0, 0.4, -0.2, 0.1]])
BIAS = np.array([0.5, 0.1])
TARGETS: Floats = VECTORS @ WEIGHT.T + BIAS
WHOLE = Descent(batch=ROWS, learning_rate=0.01, epochs=5)  # every step sees all rows


def changed(how: Descent, **settings: object) -> Descent:
    return dataclasses.replace(how, **settings)  # type: ignore[arg-type]


def begun(how: Descent, targets: Floats = TARGETS) -> Linear:
    """Where the learning begins."""
    return fit(VECTORS, targets, (), changed(how, epochs=0))


def by_hand(start: Linear, steps: int, rate: float, *, relu: bool) -> Linear:
    """Adam on the mean squared error, its gradient written out."""
    values = [start.weight.copy(), start.bias.copy()]
    mean = [np.zeros_like(v) for v in values]
    square = [np.zeros_like(v) for v in values]
    for step in range(1, steps + 1):
        scores = VECTORS @ values[0].T + values[1]
        left = np.maximum(scores, 0) - TARGETS if relu else scores - TARGETS
        # d/ds of the mean of (relu(s) - t)² over rows and targets
        slope = 2 * left * (scores > 0 if relu else 1) / TARGETS.size
        for at, gradient in enumerate((slope.T @ VECTORS, slope.sum(axis=0))):
            mean[at] = 0.9 * mean[at] + 0.1 * gradient
            square[at] = 0.999 * square[at] + 0.001 * gradient**2
            first, second = mean[at] / (1 - 0.9**step), square[at] / (1 - 0.999**step)
            values[at] = values[at] - rate * first / (np.sqrt(second) + 1e-7)
    return Linear(*values)


@pytest.mark.parametrize("relu", [False, True])
def test_the_steps_are_those_of_adam_on_the_squared_error(relu: bool) -> None:
    how = changed(WHOLE, relu=relu, start="random")
    found, expected = fit(VECTORS, TARGETS, (), how), by_hand(begun(how), 5, 0.01, relu=relu)
    assert found.weight == pytest.approx(expected.weight, abs=1e-12)
    assert found.bias == pytest.approx(expected.bias, abs=1e-12)


def test_it_begins_with_the_mean() -> None:
    start = begun(WHOLE)
    assert not start.weight.any()
    assert start.bias == pytest.approx(TARGETS.mean(axis=0))


def test_or_as_keras_begins_a_dense_layer_of_one_unit() -> None:
    """Glorot's uniform: within √(6 / (4 + 1)) of zero; the bias at zero."""
    start = begun(changed(WHOLE, start="random"))
    assert 0.5 < np.abs(start.weight).max() <= np.sqrt(6 / 5)
    assert not start.bias.any()


def test_what_the_rows_say_nothing_about_stays_at_nothing() -> None:
    """The last number of every vector is 0 in the rows: its weight must not matter."""
    blind = VECTORS * [1, 1, 1, 0]
    assert not fit(blind, TARGETS, (), WHOLE).weight[:, 3].any()
    assert fit(blind, TARGETS, (), changed(WHOLE, start="random")).weight[:, 3].all()


def test_the_known_weights_are_found() -> None:
    how = Descent(batch=16, learning_rate=0.02, epochs=400, patience=30)
    found = fit(VECTORS, TARGETS, range(10), how)
    assert found.weight == pytest.approx(WEIGHT, abs=1e-4)
    assert found.bias == pytest.approx(BIAS, abs=1e-4)


def test_with_noise_it_comes_to_the_closed_form() -> None:
    noisy = TARGETS + DRAW.normal(scale=0.2, size=TARGETS.shape)
    found = fit(VECTORS, noisy, (), changed(WHOLE, epochs=1000))
    exact = np.linalg.lstsq(np.c_[VECTORS, np.ones(ROWS)], noisy, rcond=None)[0].T
    assert np.c_[found.weight, found.bias] == pytest.approx(exact, abs=1e-4)


def misled(rows: range) -> Floats:
    """The rows to stop by want the opposite: after a while, learning makes them worse."""
    wrong = TARGETS.copy()
    wrong[list(rows)] = 0.9 - TARGETS[list(rows)]
    return wrong


def test_early_stopping_goes_back_to_the_best_epoch() -> None:
    how = changed(WHOLE, epochs=300, patience=7, start="random")
    found = fit(VECTORS, misled(range(9)), range(9), how)
    best = int(np.argmin(found.errors))
    assert 0 < best < 250
    assert len(found.errors) == best + 1 + 7
    # What the same learning has come to after just so many epochs.
    short = changed(how, epochs=best + 1, best=False)
    expected = fit(VECTORS, misled(range(9)), range(9), short)
    assert np.array_equal(found.weight, expected.weight)
    assert np.array_equal(found.bias, expected.bias)


def test_or_stays_where_it_stopped() -> None:
    how = changed(WHOLE, epochs=300, patience=7, start="random")
    last = fit(VECTORS, misled(range(9)), range(9), changed(how, best=False))
    assert not np.array_equal(last.weight, fit(VECTORS, misled(range(9)), range(9), how).weight)
    left = VECTORS[:9] @ last.weight.T + last.bias - misled(range(9))[:9]
    assert last.errors[-1] == pytest.approx((left**2).mean())


def test_nothing_is_learnt_from_what_is_held_out() -> None:
    how = changed(WHOLE, best=False, patience=100, dropout=0.2)
    one, other = (fit(VECTORS, targets, range(9), how) for targets in (TARGETS, misled(range(9))))
    assert np.array_equal(one.weight, other.weight)
    assert one.errors != other.errors


def test_dropout_is_for_learning_only() -> None:
    how = changed(WHOLE, dropout=0.5, best=False, epochs=3)
    found = fit(VECTORS, TARGETS, range(9), how)
    assert not np.array_equal(found.weight, fit(VECTORS, TARGETS, range(9), WHOLE).weight)
    left = VECTORS[:9] @ found.weight.T + found.bias - TARGETS[:9]
    assert found.errors[-1] == pytest.approx((left**2).mean())


def test_the_seed_decides_and_nothing_else() -> None:
    how = changed(WHOLE, batch=7, dropout=0.1)
    one = fit(VECTORS, TARGETS, range(9), how)
    torch.manual_seed(11)
    before = torch.get_rng_state()
    threads = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        again = fit(VECTORS, TARGETS, range(9), how)
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(threads)
    assert np.array_equal(one.weight, again.weight)
    assert torch.equal(torch.get_rng_state(), before)
    other = fit(VECTORS, TARGETS, range(9), changed(how, seed=2))
    assert not np.array_equal(one.weight, other.weight)


def test_a_constant_target_is_that_constant() -> None:
    """It begins there; Adam blows up what rounding leaves, then comes back."""
    found = fit(VECTORS, np.full((ROWS, 1), 0.7), (), changed(WHOLE, epochs=400))
    assert VECTORS @ found.weight.T + found.bias == pytest.approx(0.7, abs=1e-2)


@pytest.mark.parametrize("held_out", [(), range(9)])
def test_too_large_steps_are_said(held_out: range) -> None:
    with pytest.raises(DivergedError, match="learning_rate=1e\\+300 is too much"):
        fit(VECTORS, TARGETS, held_out, changed(WHOLE, learning_rate=1e300))
