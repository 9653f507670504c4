import numpy as np
import pytest
from scipy import stats

from tricolore.data.score_table import ScoreTable
from tricolore.meta.complementarity import complementarity


def table(seed=0, systems=5, documents=12, missing=0.0):
    draw = np.random.default_rng(seed)
    rows = [(s, d) for d in range(documents) for s in range(systems)]
    values = {name: draw.integers(0, 6, len(rows)).astype(float) for name in ("a", "b", "estime")}
    values["b"] += values["a"]
    for column in values.values():
        column[draw.random(len(column)) < missing] = np.nan
    return ScoreTable.of([f"d{d}" for _, d in rows], [f"s{s}" for s, _ in rows], values)


def test_two_systems_in_two_orders():
    # In d1 both measures say s1 < s2; in d2 they disagree; in d3 a is constant: no ranking.
    made = ScoreTable.of(
        ["d1", "d1", "d2", "d2", "d3", "d3"],
        ["s1", "s2"] * 3,
        {"a": [1, 2, 1, 2, 5, 5], "b": [3, 4, 4, 3, 1, 2]},
    )
    found = complementarity(made, ["a", "b"])
    np.testing.assert_allclose(found, [[0, 0.5], [0.5, 0]])


@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_document_by_document(missing):
    made = table(missing=missing)
    each = []
    for document in range(12):
        here = made.grid.doc == document
        a, b = made.values["a"][here], made.values["b"][here]
        both = np.isfinite(a) & np.isfinite(b)
        if np.ptp(a[both]) and np.ptp(b[both]):
            each.append(stats.kendalltau(a[both], b[both]).statistic)
    assert complementarity(made, ["a", "b"])[0, 1] == pytest.approx((1 - np.mean(each)) / 2)


@pytest.mark.parametrize("ranked", ["system", "means", "summary"])
def test_the_other_rankings(ranked):
    made = table(seed=3)
    a, b = made.values["a"], made.values["b"]
    group = {"system": made.grid.system, "means": made.grid.doc, "summary": np.arange(len(a))}
    names = np.unique(group[ranked])
    x, y = ([v[group[ranked] == name].mean() for name in names] for v in (a, b))
    expected = (1 - stats.spearmanr(x, y).statistic) / 2
    found = complementarity(made, ["a", "b"], ranked, "spearman")
    assert found[0, 1] == pytest.approx(expected)


def test_lower_is_better_is_turned_round():
    made = table(seed=4)
    turned = ScoreTable.of(
        [made.grid.documents[d] for d in made.grid.doc],
        [made.grid.systems[s] for s in made.grid.system],
        {"estime": -made.values["a"], "a": made.values["a"]},
    )
    # fewer alarms are better, so a measure and its negative called ESTIME rank alike
    np.testing.assert_allclose(complementarity(turned, ["a", "estime"]), np.zeros((2, 2)))


def test_nothing_to_rank():
    made = ScoreTable.of(["d", "d"], ["s", "t"], {"a": [1, 1], "b": [1, 2], "c": [np.nan] * 2})
    for ranked in ("document", "system", "summary", "means"):
        found = complementarity(made, ["a", "b", "c"], ranked)
        assert np.isnan(found[0]).all()
        assert np.isnan(found[2]).all()
