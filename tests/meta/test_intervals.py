import numpy as np
import pytest

from tricolore.meta.intervals import interval, poisson_weights, too_few_note


def test_weights_are_poisson_with_mean_one():
    drawn = poisson_weights([f"doc{i}" for i in range(500)], resamples=1000, seed=0)
    assert drawn.shape == (500, 1000)
    # P(0) = P(1) = 1/e, P(2) = 1/2e; half a million draws: three standard errors are 0.002
    for count, probability in [(0, np.exp(-1)), (1, np.exp(-1)), (2, np.exp(-1) / 2)]:
        assert (drawn == count).mean() == pytest.approx(probability, abs=0.002)
    assert drawn.mean() == pytest.approx(1, abs=0.005)
    assert drawn.var() == pytest.approx(1, abs=0.01)


def test_a_documents_weights_depend_on_it_and_the_seed_alone():
    alone = poisson_weights(["b"], resamples=50, seed=3)
    among = poisson_weights(["a", "b", "c"], resamples=50, seed=3)
    assert (alone[0] == among[1]).all()
    assert (alone != poisson_weights(["b"], resamples=50, seed=4)).any()


def test_interval_is_the_percentiles_of_what_has_a_value():
    values = np.array([np.nan, *np.arange(101.0)])
    assert interval(values) == pytest.approx((2.5, 97.5))
    assert np.isnan(interval(np.array([np.nan]))).all()


def test_no_interval_of_one_thing_and_a_word_of_few():
    values = np.arange(101.0)
    assert np.isnan(interval(values, of=1)).all()
    assert interval(values, of=2) == interval(values)
    said = "only {} documents: the interval says little"
    assert [too_few_note(n) for n in (1, 2, 4, 5)] == ["", said.format(2), said.format(4), ""]
