"""All pairs of measures, by either test."""

import itertools

import numpy as np
import pytest

from tricolore.data.grid import Grid
from tricolore.meta.holm import holm
from tricolore.meta.measure_tests import compare_measure_pairs


def table(seed, documents=5, systems=4):
    rng = np.random.default_rng(seed)
    cells = list(itertools.product(range(documents), range(systems)))
    grid = Grid.of([str(d) for d, _ in cells], [str(s) for _, s in cells])
    return rng.normal(size=(3, len(grid))), grid


def test_all_pairs_with_correction():
    (x, y, z), grid = table(4, documents=20)
    columns = {"good": z + 0.3 * x, "bad": y, "worse": -z}
    for test in ("permutation", "williams"):
        found = compare_measure_pairs(
            columns, z, grid, "summary", "spearman", test=test, permutations=299
        )
        assert [(c.first, c.second) for c in found] == [
            ("good", "bad"),
            ("good", "worse"),
            ("bad", "worse"),
        ]
        assert all(c.difference > 0 for c in found)
        assert [c.corrected for c in found] == pytest.approx(holm([c.p for c in found]).tolist())
        assert found[1].corrected < 0.05
    [only] = compare_measure_pairs(columns, z, grid, "system", "pearson", pairs=[("bad", "good")])
    assert only.difference < 0
    assert only.corrected == only.p


def test_williams_compares_no_errors():
    (x, y, z), grid = table(0)
    with pytest.raises(ValueError, match="not errors"):
        compare_measure_pairs({"a": x, "b": y}, z, grid, "summary", "mae", test="williams")
