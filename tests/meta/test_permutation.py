"""The paired permutation test of two measures."""

import itertools
import math

import numpy as np
import pytest

from tricolore.data.grid import Grid
from tricolore.meta.choices import LEVELS, OVERS, STATISTICS
from tricolore.meta.levels import agreement
from tricolore.meta.permutation import (
    Swaps,
    default_permutations,
    differences,
    draw_swaps,
    p_value,
    permutation_test,
)

NAN = float("nan")


def table(seed, documents=5, systems=4):
    rng = np.random.default_rng(seed)
    cells = list(itertools.product(range(documents), range(systems)))
    grid = Grid.of([str(d) for d, _ in cells], [str(s) for _, s in cells])
    return rng.normal(size=(3, len(grid))), grid


def test_the_observed_difference_counts_as_one():
    # |0.5| >= 0.2 and |0.2| >= 0.2, 0.1 is not: (1 + 2) / (1 + 3)
    assert p_value(np.array([0.1, -0.5, 0.2]), 0.2) == 0.75
    assert p_value(np.array([0.0] * 999), 0.2) == 1 / 1000
    # rounding does not make the observed one smaller than itself
    assert p_value(np.array([0.3]), 0.1 + 0.2) == 1.0


def test_all_swappings_of_two_documents_by_hand():
    # x agrees with people in both documents (rho 1, 1), y in the first only (1, -1).
    human = [1, 2, 1, 2]
    x, y = [1, 2, 1, 2], [1, 2, 2, 1]
    grid = Grid.of(["1", "1", "2", "2"], ["a", "b", "a", "b"])
    every = np.array(list(itertools.product([0.0, 1.0], repeat=2))).T
    found = differences(x, y, human, grid, "document", "spearman", Swaps(every, None, 4))
    # The difference is 1 while document 2 is not swapped, and -1 when it is.
    assert found.tolist() == [1, -1, 1, -1]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("over", OVERS)
def test_nothing_swapped_is_the_difference_and_all_swapped_its_reverse(level, statistic, over):
    (x, y, z), grid = table(0)
    sign = -1 if statistic == "mae" else 1
    observed = sign * (
        agreement(x, z, grid, level, statistic).value
        - agreement(y, z, grid, level, statistic).value
    )
    none = np.array([[0.0, 1.0]])
    documents = np.repeat(none, 5, axis=0) if over != "systems" else None
    systems = np.repeat(none, 4, axis=0) if over == "systems" else None
    if over == "both":
        systems = np.zeros((4, 2))
    if statistic == "mae":
        found = differences(x, y, z, grid, level, statistic, Swaps(documents, systems, 2))
    else:
        # Correlations of measures on the same scale, as the test brings them there itself.
        found = differences(3 * x + 2, y, z, grid, level, statistic, Swaps(documents, systems, 2))
    assert found == pytest.approx([observed, -observed], abs=1e-9)


def test_errors_after_swapping_by_hand():
    # Errors of x: 1 and 0, of y: 3 and 5. Summary level, y less x: (8 - 1) / 2.
    grid = Grid.of(["1", "2"], ["a", "a"])
    every = np.array(list(itertools.product([0.0, 1.0], repeat=2))).T
    found = differences([1, 0], [3, 5], [0, 0], grid, "summary", "mae", Swaps(every, None, 4))
    assert found == pytest.approx([3.5, -1.5, 1.5, -3.5])


def test_equal_measures_are_not_different_and_unequal_ones_are():
    (x, _, z), grid = table(1, documents=30)
    swaps = draw_swaps(grid, "both", permutations=199, seed=0)
    same = permutation_test(x, 2 * x + 1, z, grid, "summary", "spearman", swaps)
    assert (same.difference, same.p) == (0.0, 1.0)
    good = permutation_test(z + 0.1 * x, x, z, grid, "summary", "spearman", swaps)
    assert good.difference > 0.5
    assert good.p == 1 / 200


def test_p_values_of_measures_that_are_alike_are_spread_evenly():
    # Under the null about half are below 0.5: 60 tests, binomial deviation 3.9.
    below = 0
    for seed in range(60):
        (x, y, z), grid = table(seed, documents=8)
        swaps = draw_swaps(grid, "documents", permutations=99, seed=seed)
        below += permutation_test(x, y, z, grid, "summary", "pearson", swaps).p < 0.5
    assert 18 <= below <= 42


@pytest.mark.parametrize("level", LEVELS)
def test_undefined(level):
    (x, y, z), grid = table(2)
    swaps = draw_swaps(grid, "both", permutations=20, seed=0)
    constant = permutation_test(np.ones_like(x), y, z, grid, level, "spearman", swaps)
    assert math.isnan(constant.p)
    assert math.isnan(permutation_test(x * NAN, y, z, grid, level, "spearman", swaps).p)
    x[3] = NAN
    found = permutation_test(x, y, z, grid, level, "spearman", swaps)
    assert 0 < found.p <= 1


@pytest.mark.parametrize("over", OVERS)
@pytest.mark.parametrize("statistic", ["kendall-b", "kendall-c"])
def test_many_rows_take_the_short_way_and_agree(over, statistic):
    (x, y, z), grid = table(3, documents=12, systems=12)
    swaps = draw_swaps(grid, over, permutations=6, seed=2)
    documents = np.zeros((12, 6)) if swaps.documents is None else swaps.documents
    systems = np.zeros((12, 6)) if swaps.systems is None else swaps.systems
    long = Swaps(documents, systems, 6)
    args = x, y, z, grid, "summary", statistic
    assert differences(*args, swaps) == pytest.approx(differences(*args, long), abs=1e-10)


def test_the_seed_decides():
    _, grid = table(0)
    one, same, other = (draw_swaps(grid, "both", permutations=9, seed=s) for s in (1, 1, 2))
    assert (one.documents == same.documents).all()
    assert not (one.documents == other.documents).all()


def test_enough_permutations_for_the_correction():
    assert 190 / (1 + default_permutations(190)) < 0.05
