import math

import numpy as np
import pytest
from scipy import stats

from tricolore.meta import annotators
from tricolore.meta.annotators import consensus, significant_ranks, splits, standings
from tricolore.meta.correlation import Correlation

NAN = math.nan


def table(seed, summaries=40, people=5, missing=0.0):
    draw = np.random.default_rng(seed)
    quality = draw.normal(size=(summaries, 1))
    scores = np.round(2 + quality + draw.normal(size=(summaries, people)))
    scores[draw.random(scores.shape) < missing] = NAN
    return scores


def test_consensus_of_some():
    scores = np.array([[1.0, 2.0, 6.0], [NAN, 4.0, NAN], [NAN, NAN, NAN]])
    np.testing.assert_array_equal(consensus(scores), [3, 4, NAN])
    np.testing.assert_array_equal(consensus(scores, [True, False, True]), [3.5, NAN, NAN])
    both = consensus(scores, [[True, True, False], [False, False, True]])
    np.testing.assert_array_equal(both, [[1.5, 6], [4, NAN], [NAN, NAN]])


def test_weights_of_the_blanc_paper():
    # values 0 to 4 with weights 3, 3, 1, 1, 2: (3·0 + 1·2 + 2·4) / (3 + 1 + 2)
    weights = {0: 3.0, 1: 3.0, 2: 1.0, 3: 1.0, 4: 2.0}
    scores = np.array([[0.0, 2.0, 4.0]])
    assert consensus(scores, weights=weights)[0] == pytest.approx(10 / 6)
    with pytest.raises(ValueError, match="the value 4 has no weight"):
        consensus(scores, weights={0: 1, 2: 1})


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_standings_one_by_one(missing):
    scores = table(1, missing=missing)
    scores[:, :2] = np.where(np.isfinite(scores[:, :2]), scores[:, :2], 2.0)  # no empty row
    people = list("abcde")
    measure = np.nanmean(scores, axis=1) + np.random.default_rng(2).normal(size=40)
    found = standings(people, scores, {"m": measure}, "pearson")
    expected = []
    for at in range(5):
        others = np.nanmean(np.delete(scores, at, axis=1), axis=1)
        both = np.isfinite(scores[:, at]) & np.isfinite(others)
        expected.append(stats.pearsonr(scores[both, at], others[both]).statistic)
        assert found[at].agreement.value == pytest.approx(expected[at])
        assert found[at].agreement.n == both.sum()
    assert [one.name for one in found] == [*people, "m"]
    mine = stats.pearsonr(measure, np.nanmean(scores, axis=1)).statistic
    assert found[-1].agreement.value == pytest.approx(mine)
    assert found[-1].above == sum(value <= mine for value in expected) / 5


def test_a_measure_that_is_the_mean_stands_above_all():
    scores = table(3)
    [*_, best, worst, constant] = standings(
        list("abcde"),
        scores,
        {"mean": scores.mean(axis=1), "wrong": -scores.mean(axis=1), "none": [1] * 40},
    )
    assert (best.above, worst.above) == (1, 0)
    assert math.isnan(constant.above)


def test_all_splits():
    scores = table(4, people=4)
    measure = scores[:, 0]
    found = splits(scores, 1, {"m": measure})
    assert found.is_all
    assert found.groups.tolist() == np.eye(4, dtype=bool).tolist()
    # a group of one is an annotator against the others
    alone = standings(list("abcd"), scores, {})
    assert [one.value for one in found.people] == [one.agreement.value for one in alone]
    for at in range(4):
        rest = np.delete(scores, at, axis=1).mean(axis=1)
        mine = stats.spearmanr(measure, rest).statistic
        assert found.measures["m"][at].value == pytest.approx(mine)


def test_three_of_ten_is_120():
    found = splits(table(5, people=10), 3, {})
    assert len(found.people) == 120
    assert (found.groups.sum(axis=1) == 3).all()
    assert len({tuple(row) for row in found.groups.tolist()}) == 120


def test_too_many_splits_are_drawn(monkeypatch):
    monkeypatch.setattr(annotators, "MOST_SPLITS", 50)
    scores = table(6, people=10)
    found, again = splits(scores, 5, {}), splits(scores, 5, {})
    assert not found.is_all
    assert len({tuple(row) for row in found.groups.tolist()}) == 50
    assert found.groups.tolist() == again.groups.tolist()
    assert found.groups.tolist() != splits(scores, 5, {}, seed=1).groups.tolist()
    # everybody is in about half of the groups
    assert (abs(found.groups.mean(axis=0) - 0.5) < 0.25).all()


@pytest.mark.parametrize("size", [0, 4, 9])
def test_splits_that_leave_nobody(size):
    with pytest.raises(ValueError, match="cannot be parted from 4"):
        splits(table(7, people=4), size, {})


def test_somebody_who_is_alone_or_constant():
    scores = np.array([[1.0, NAN], [2.0, NAN], [NAN, 3.0]])
    first, second = standings(["a", "b"], scores, {})
    # nobody else judged what he judged
    assert (first.agreement.n, second.agreement.n) == (0, 0)
    assert math.isnan(first.agreement.value)
    one = standings(["a"], scores[:, :1], {"m": [1, 2, 3]})
    assert math.isnan(one[0].agreement.value)
    assert math.isnan(one[1].above)


def test_ranked_before_what_may_be_chance_is_left_out():
    # Sorted: 0.1, 0.3, 0.5, 0.7; the first two are not significant, so places 3 and 4 are left.
    given = [(0.5, 0.04), (0.1, 0.8), (0.7, 0.01), (NAN, NAN), (0.3, 0.051)]
    found = significant_ranks([Correlation(value, p, 40) for value, p in given])
    assert (found.places, found.values, found.left_out) == ([3, 4], [0.5, 0.7], 3)
