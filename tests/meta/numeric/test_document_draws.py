"""Scaling and robustness: curves over draws of documents."""

import numpy as np
import pytest
from scipy import stats

from tricolore import Example
from tricolore.data.grid import Grid
from tricolore.meta.numeric.document_draws import random_orders, system_means
from tricolore.meta.robustness import robustness, with_lead_reference
from tricolore.meta.scaling import default_sizes, scaling

SYSTEMS, DOCUMENTS = 6, 15


def made(seed, systems=SYSTEMS, documents=DOCUMENTS, shuffled=True):
    """Rows of a full grid in any order; their matrices are the answer to hand computations."""
    draw = np.random.default_rng(seed)
    rows = [(s, d) for s in range(systems) for d in range(documents)]
    if shuffled:
        draw.shuffle(rows)
    grid = Grid.of([f"d{d}" for _, d in rows], [f"s{s}" for s, _ in rows])
    quality = draw.normal(size=systems)
    human = np.array([quality[s] for s, _ in rows]) + draw.normal(size=len(rows))
    values = np.array([quality[s] for s, _ in rows]) + draw.normal(size=len(rows)) * 2
    return grid, values, human, draw


def test_orders_are_nested_and_follow_the_seed():
    place = random_orders(50, 7, 3)
    assert (np.sort(place, axis=1) == np.arange(7)).all()
    assert (place == random_orders(50, 7, 3)).all()
    assert (place != random_orders(50, 7, 4)).any()


@pytest.mark.parametrize("coefficient", ["spearman", "pearson", "kendall-b"])
@pytest.mark.parametrize("people", ["all", "same"])
def test_scaling_draw_by_draw(coefficient, people):
    grid, values, human, draw = made(1)
    values[draw.random(len(values)) < 0.1] = np.nan
    found = scaling(
        values, human, grid, sizes=[5, 15], people=people, draws=20, seed=8, coefficient=coefficient
    )
    function = {
        "spearman": stats.spearmanr,
        "pearson": stats.pearsonr,
        "kendall-b": stats.kendalltau,
    }[coefficient]
    place = random_orders(20, DOCUMENTS, 8)
    for at, size in enumerate([5, 15]):
        expected = []
        for one in place:
            mine, theirs = [], []
            for system in range(SYSTEMS):
                in_draw = np.array([one[d] < size for d in grid.doc])
                is_mine = (grid.system == system) & np.isfinite(values)
                mine.append(values[is_mine & in_draw].mean())
                judged = is_mine & in_draw if people == "same" else grid.system == system
                theirs.append(human[judged].mean())
            expected.append(function(mine, theirs).statistic)
        assert found.mean[at] == pytest.approx(np.mean(expected))
        low, high = np.quantile(expected, [0.025, 0.975])
        assert (found.low[at], found.high[at]) == (pytest.approx(low), pytest.approx(high))
        assert found.undefined[at] == 0


def test_all_documents_leave_nothing_to_chance():
    grid, values, human, _ = made(2)
    found = scaling(values, human, grid, draws=10)
    assert found.x[-1] == DOCUMENTS
    assert found.low[-1] == found.high[-1] == pytest.approx(found.mean[-1])
    assert found.low[0] < found.high[0]


def test_sizes_that_cannot_be():
    grid, values, human, _ = made(3)
    for size in (0, 16):
        with pytest.raises(ValueError, match=f"15 documents, so {size}"):
            scaling(values, human, grid, sizes=[size])
    assert default_sizes(1) == [1]
    assert default_sizes(0) == []


def test_one_system_and_one_document():
    one = Grid.of(["d1", "d2"], ["s", "s"])
    found = scaling([1, 2], [1, 2], one, draws=5)
    assert found.undefined == [5, 5]
    assert np.isnan(found.mean).all()
    single = Grid.of(["d", "d", "d"], ["a", "b", "c"])
    found = scaling([1, 2, 3], [1, 2, 3], single, draws=5)
    assert (found.x, found.mean) == ([1], [1])


def test_rounding_makes_no_order():
    # 0.1 + 0.2 + 0.3 in another order is another number; both systems have the mean 0.2
    grid = Grid.of(["d1", "d2", "d3"] * 3, ["a"] * 3 + ["b"] * 3 + ["c"] * 3)
    values = [0.1, 0.2, 0.3, 0.3, 0.2, 0.1, 9, 9, 9]
    found = system_means(grid.matrix(values), np.ones((1, 3), bool))
    assert found.tolist() == [[0.2, 0.2, 9.0]]
    everything = scaling(values, [1, 1, 1, 2, 2, 2, 3, 3, 3], grid, sizes=[3], draws=3)
    # ranks 1.5, 1.5, 3 against 1, 2, 3: ρ = 1.5 / √(1.5 · 2)
    assert everything.mean[0] == pytest.approx(1.5 / np.sqrt(3))


def test_robustness_draw_by_draw():
    grid, clean, human, draw = made(4)
    spoiled = clean + draw.normal(size=len(clean)) * 3
    spoiled[3] = np.nan  # this summary is left out everywhere
    shares = [0, 0.4, 1]
    found = robustness(clean, spoiled, human, grid, shares=shares, draws=20, seed=5)
    place = random_orders(20, DOCUMENTS, 5)
    known = np.isfinite(spoiled)
    theirs = [human[(grid.system == s) & known].mean() for s in range(SYSTEMS)]
    for at, share in enumerate(shares):
        expected = []
        for one in place:
            mixed = np.where(one[grid.doc] < share * DOCUMENTS, spoiled, clean)
            mine = [mixed[(grid.system == s) & known].mean() for s in range(SYSTEMS)]
            expected.append(stats.spearmanr(mine, theirs).statistic)
        assert found.mean[at] == pytest.approx(np.mean(expected))
    assert found.low[0] == found.high[0]
    assert found.low[2] == found.high[2]
    assert found.low[1] < found.high[1]


def test_shares_are_those_that_were_taken():
    # Of 3 documents 10 % are none, 20 to 40 % one, 50 % (rounded to even) and 60 to 80 % two.
    grid, values, human, _ = made(7, documents=3)
    found = robustness(values, values, human, grid, draws=4)
    assert found.x == [0, 0.333, 0.667, 1]
    assert robustness(values, values, human, grid, shares=[0.1, 0.5], draws=4).x == [0, 0.667]


def test_a_measure_without_references_does_not_mind():
    grid, values, human, _ = made(5)
    found = robustness(values, values, human, grid, draws=20)
    assert len(set(found.mean)) == 1
    assert found.low == found.high


def test_robustness_of_nothing():
    grid, values, human, _ = made(6)
    found = robustness(values, values * np.nan, human, grid, shares=[0, 1], draws=4)
    assert found.undefined == [4, 4]
    with pytest.raises(ValueError, match=r"between 0 and 1, not at 1\.5"):
        robustness(values, values, human, grid, shares=[1.5])


def test_lead_references():
    example = Example(
        source=("One came. Two went.", "Three stayed. Four."),
        summary="x",
        references=("a", "b"),
        system="s",
        human={"q": 1},
    )
    changed = with_lead_reference(example)
    assert changed.references == ("One came. Two went. Three stayed.",)
    assert (changed.summary, changed.system, changed.human) == ("x", "s", {"q": 1})
    assert changed.doc_id == example.doc_id
    assert with_lead_reference(Example(source=" ", summary="x", references="a")).references == ()
