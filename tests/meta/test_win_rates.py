"""Win rates and position bias."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tricolore.meta.win_rates import position_bias, win_rate


def test_counts_by_hand() -> None:
    # Wins in both orders; wins by the mean; a tie; whoever is first wins (a tie); a loss.
    if_first = [1.0, 0.9, 0.5, 1.0, 0.0]
    if_second = [1.0, 0.3, 0.5, 0.0, 0.2]
    found = win_rate("a", "b", list("12345"), if_first, if_second, resamples=500)
    assert (found.wins, found.ties, found.losses, found.documents) == (2, 2, 1, 5)
    assert found.rate == pytest.approx((1.0 + 0.6 + 0.5 + 0.5 + 0.1) / 5)
    assert found.agreement == 3 / 5  # the first, the third and the last
    assert found.low < found.rate < found.high


def test_a_judge_that_follows_the_position() -> None:
    always_first = position_bias(list("123456"), [1] * 6, [0] * 6)
    assert (always_first.rate, always_first.agreement) == (1.0, 0.0)
    assert always_first.is_biased
    fair = position_bias(list("123456"), [1, 0] * 3, [1, 0] * 3)
    assert (fair.rate, fair.agreement, fair.is_biased) == (0.5, 1.0, False)


def test_the_interval_is_that_of_a_mean() -> None:
    rng = np.random.default_rng(3)
    values = rng.integers(0, 2, 400).astype(float)
    ids = [str(n) for n in range(400)]
    found = win_rate("a", "b", ids, values, values, resamples=2000)
    error = 1.96 * values.std() / 20
    assert found.low == pytest.approx(values.mean() - error, abs=0.01)
    assert found.high == pytest.approx(values.mean() + error, abs=0.01)
    # The same 400 values as 40 documents of ten equal ones: far less is known.
    few = np.repeat(values[:40], 10)
    wide = win_rate("a", "b", [str(n // 10) for n in range(400)], few, few, resamples=2000)
    assert wide.high - wide.low > 2 * (found.high - found.low)


def test_few_pairs_or_none() -> None:
    lone = win_rate("a", "b", ["1"], [1], [1])
    assert lone.rate == 1.0
    assert math.isnan(lone.low)
    none = win_rate("a", "b", [], [], [])
    assert none.documents == 0
    assert math.isnan(none.rate)
    assert math.isnan(position_bias([], [], []).agreement)
