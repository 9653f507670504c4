"""System-level correlations by the number of documents."""

import numpy as np
import pytest
from scipy import stats

from tests.meta.full_grid import DOCUMENTS, SYSTEMS, made
from tricolore.data.grid import Grid
from tricolore.meta.numeric.document_draws import random_orders
from tricolore.meta.scaling import default_sizes, scaling


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
