"""Levels, bootstrap, permutation and Williams' test against Deutsch's nlpstats."""

import itertools

import numpy as np
import pytest
from nlpstats.correlations import correlations as peer
from nlpstats.correlations import permutation as peer_permutation
from nlpstats.correlations import williams as peer_williams
from scipy import stats

from tricolore.data.grid import Grid
from tricolore.meta.bootstrap import bootstrap, draw_resamples
from tricolore.meta.choices import LEVELS, OVERS, USUAL_COEFFICIENTS
from tricolore.meta.levels import agreement
from tricolore.meta.measure_tests import compare_measure_pairs
from tricolore.meta.permutation import differences, draw_swaps

LEVEL = {"summary": "global", "document": "input", "system": "system"}
COEFFICIENT = {
    "spearman": "spearman",
    "pearson": "pearson",
    "kendall-b": "kendall",
    "kendall-c": lambda x, z: stats.kendalltau(x, z, variant="c").statistic,
}
EVERY = list(itertools.product(LEVELS, USUAL_COEFFICIENTS))


def table(seed, *, ties=False, missing=0.0):
    """Two measures and people, systems × documents, NaN in the same cells, and the grid."""
    rng = np.random.default_rng(seed)
    shape = (5, 6)
    made = rng.normal(size=(3, *shape))
    if ties:
        made = rng.integers(0, 4, (3, *shape)).astype(float)
    made[:, rng.random(shape) < missing] = np.nan
    systems, documents = np.indices(shape)
    grid = Grid.of(list(map(str, documents.ravel())), list(map(str, systems.ravel())))
    return made[0], made[1], made[2], grid


def theirs(x, z, level, coefficient):
    return peer.correlate(x, z, LEVEL[level], COEFFICIENT[coefficient])


@pytest.mark.filterwarnings("ignore::scipy.stats.ConstantInputWarning")
@pytest.mark.parametrize(("level", "coefficient"), EVERY)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_levels(level, coefficient, missing):
    for seed in range(5):
        # Means of ties that only rounding parts are tied for us and not for the peer.
        x, _, z, grid = table(seed, ties=level != "system", missing=missing)
        ours = agreement(x.ravel(), z.ravel(), grid, level, coefficient).value
        assert ours == pytest.approx(theirs(x, z, level, coefficient), abs=1e-12)


@pytest.mark.filterwarnings("ignore::scipy.stats.ConstantInputWarning")
@pytest.mark.parametrize(("level", "coefficient"), EVERY)
def test_documents_that_are_constant(level, coefficient):
    x, _, z, grid = table(0)
    x[:, 2], z[:, 4] = 1.0, 2.0
    ours = agreement(x.ravel(), z.ravel(), grid, level, coefficient)
    assert ours.value == pytest.approx(theirs(x, z, level, coefficient), abs=1e-12)
    assert ours.undefined == (2 if level == "document" else 0)


@pytest.mark.filterwarnings("ignore::scipy.stats.ConstantInputWarning")
@pytest.mark.parametrize(("level", "coefficient"), EVERY)
@pytest.mark.parametrize("over", OVERS)
def test_resamples(level, coefficient, over):
    x, _, z, grid = table(7)
    draws = draw_resamples(grid, over, resamples=4, seed=1)
    ours = bootstrap([x.ravel()], z.ravel(), grid, level, coefficient, draws)[0]
    for at, found in enumerate(ours):
        systems, documents = (
            np.arange(size)
            if drawn is None
            else np.repeat(np.arange(size), drawn[:, at].astype(int))
            for size, drawn in ((5, draws.systems), (6, draws.documents))
        )
        cells = np.ix_(systems, documents)
        assert found == pytest.approx(theirs(x[cells], z[cells], level, coefficient), abs=1e-10)


@pytest.mark.filterwarnings("ignore::scipy.stats.ConstantInputWarning")
@pytest.mark.parametrize(("level", "coefficient"), EVERY)
@pytest.mark.parametrize("over", OVERS)
def test_permutations(level, coefficient, over):
    for missing in (0.0, 0.15):
        x, y, z, grid = table(8, missing=missing)
        swaps = draw_swaps(grid, over, permutations=4, seed=2)
        ours = differences(x.ravel(), y.ravel(), z.ravel(), grid, level, coefficient, swaps)
        for at, found in enumerate(ours):
            a, b = peer_permutation._standardize(x), peer_permutation._standardize(y)
            if swaps.systems is not None:
                there = swaps.systems[:, at] > 0
                a[there], b[there] = b[there], a[there].copy()
            if swaps.documents is not None:
                there = swaps.documents[:, at] > 0
                a[:, there], b[:, there] = b[:, there], a[:, there].copy()
            wanted = theirs(a, z, level, coefficient) - theirs(b, z, level, coefficient)
            assert found == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize(("level", "coefficient"), EVERY)
def test_williams(level, coefficient):
    rng = np.random.default_rng(3)
    x, y, z, grid = table(9)
    # The peer drops signs, we do not: all three must correlate positively.
    x, y = z + rng.normal(size=z.shape) / 3, z + rng.normal(size=z.shape) / 2
    columns = {"x": x.ravel(), "y": y.ravel()}
    [ours] = compare_measure_pairs(columns, z.ravel(), grid, level, coefficient, test="williams")
    wanted = peer_williams.williams_test(x, y, z, LEVEL[level], COEFFICIENT[coefficient])
    assert ours.p == pytest.approx(wanted.pvalue, abs=1e-10)
