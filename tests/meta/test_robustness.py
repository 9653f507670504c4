"""System-level correlations where references are replaced."""

import numpy as np
import pytest
from scipy import stats

from tests.meta.full_grid import DOCUMENTS, SYSTEMS, made
from tricolore import Example
from tricolore.meta.numeric.document_draws import random_orders
from tricolore.meta.robustness import robustness, with_lead_reference


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
