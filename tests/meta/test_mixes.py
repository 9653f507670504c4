import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from tricolore.data.score_table import ScoreTable
from tricolore.meta.mixes import mixes, scaled

NAN = math.nan


def table(**values):
    count = len(next(iter(values.values())))
    return ScoreTable.of(["d"] * count, [f"s{n}" for n in range(count)], values)


def test_scales():
    made = ScoreTable.of(
        ["d"] * 3,
        list("abc"),
        {"chrf": [50, 100, NAN], "estime": [5, 0, 1], "rouge-1": [0.5, 1, 0], "other": [7, 7, 7]},
    )
    np.testing.assert_array_equal(scaled(made, "chrf"), [0.5, 1, NAN])
    np.testing.assert_array_equal(scaled(made, "estime"), [0.05, 0, 0.01])
    np.testing.assert_array_equal(scaled(made, "rouge-1"), [0.5, 1, 0])
    np.testing.assert_array_equal(scaled(made, "other"), [7, 7, 7])
    np.testing.assert_array_equal(scaled(made, "chrf", "none"), [50, 100, NAN])
    np.testing.assert_array_equal(scaled(made, "chrf", "spread"), [-1, 1, NAN])
    np.testing.assert_array_equal(scaled(made, "other", "spread"), [0, 0, 0])


def test_a_part_keeps_its_own_scale():
    made = ScoreTable.of(["d"], ["a"], {"estime": [3], "estime.soft": [0.5]})
    assert scaled(made, "estime.soft").tolist() == [0.5]


def test_every_pair_both_ways():
    draw = np.random.default_rng(0)
    x, y, human = draw.random((3, 8))
    found = {mix.name: mix for mix in mixes(table(x=x, y=y), ["x", "y"], human)}

    def rho(values):
        return stats.spearmanr(values, human).statistic

    assert found["x"].agreement.value == pytest.approx(rho(x))
    assert found["x + y"].agreement.value == pytest.approx(rho(x + y))
    best_way = max(rho(x - y), rho(y - x))
    [difference] = [mix for name, mix in found.items() if " - " in name]
    assert difference.agreement.value == pytest.approx(best_way)
    assert difference.gain == pytest.approx(best_way - max(rho(x), rho(y)))
    assert len(found) == 4


def test_the_best_comes_first_and_the_undefined_last():
    human = [1, 2, 3, 4]
    found = mixes(
        table(good=[1, 2, 3, 5], bad=[4, 3, 2, 1], same=[1, 1, 1, 1]),
        ["good", "bad", "same"],
        human,
    )
    values = [mix.agreement.value for mix in found]
    assert values[:3] == [1, 1, 1]
    assert math.isnan(values[-1])
    assert found[-1].name == "same"
    assert all(a >= b for a, b in pairwise(values[:-1]))


def test_names_say_the_sign():
    made = ScoreTable.of(["d"] * 3, list("abc"), {"estime": [3, 2, 1], "rouge-1": [0.1, 0.2, 0.3]})
    found = mixes(made, ["estime", "rouge-1"], [1, 2, 3])
    # fewer alarms are better: alone it is written with a minus, and mixed it is taken away
    assert {mix.name for mix in found if mix.agreement.value == 1} >= {
        "-estime",
        "rouge-1",
        "rouge-1 - estime",
    }


def test_rows_without_one_of_both():
    made = table(x=[1, 2, NAN, 4], y=[1, 2, 3, 4])
    [both] = [m for m in mixes(made, ["x", "y"], [1, 2, 3, 0], level="summary") if " + " in m.name]
    assert (both.agreement.n, both.agreement.left_out) == (3, 1)
