"""The three levels, by figure 2.1 of the thesis and by hand."""

import math

import numpy as np
import pytest
from scipy import stats

from tricolore.data.grid import Grid
from tricolore.meta.choices import COEFFICIENTS, LEVELS, STATISTICS
from tricolore.meta.levels import agreement, by_document, system_means

NAN = float("nan")


# Figure 2.1: two documents, two systems.
DOCS, SYSTEMS = ["1", "1", "2", "2"], ["1", "2", "1", "2"]
HUMAN, METRIC = [1, 0.75, 0.5, 0.2], [0.2, 0.1, 0.01, 0.005]
FIGURE = Grid.of(DOCS, SYSTEMS)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_figure_2_1_correlations(coefficient):
    assert by_document(METRIC, HUMAN, FIGURE, coefficient) == pytest.approx([1, 1])
    assert agreement(METRIC, HUMAN, FIGURE, "document", coefficient).value == pytest.approx(1)
    assert agreement(METRIC, HUMAN, FIGURE, "system", coefficient).value == pytest.approx(1)
    if coefficient != "pearson":
        assert agreement(METRIC, HUMAN, FIGURE, "summary", coefficient).value == pytest.approx(1)


def test_figure_2_1_errors():
    # |1-.2| + |.75-.1| + |.5-.01| + |.2-.005| = .8 + .65 + .49 + .195 = 2.135; / 4
    assert agreement(METRIC, HUMAN, FIGURE, "summary", "mae").value == pytest.approx(0.53375)
    assert by_document(METRIC, HUMAN, FIGURE, "mae") == pytest.approx([0.725, 0.3425])
    # By system: |.75 - .105| and |.475 - .0525|. The figure's 0.471 averages by document.
    assert agreement(METRIC, HUMAN, FIGURE, "system", "mae").value == pytest.approx(0.53375)


def test_documents_without_a_correlation_are_counted():
    docs = ["a", "a", "b", "b", "c", "d", "d"]
    human = [1, 2, 3, 3, 1, 1, NAN]  # b: all alike; c and d: one summary with both values
    found = agreement(
        [1, 2, 1, 2, 5, 1, 2], human, Grid.of(docs, ["x", "y"] * 3 + ["x"]), "document", "spearman"
    )
    assert (found.value, found.n, found.undefined, found.left_out) == (pytest.approx(1), 1, 3, 1)
    assert math.isnan(found.sem)
    assert math.isnan(found.p)


def test_the_p_value_of_documents_is_that_of_students_test():
    rng = np.random.default_rng(0)
    grid = Grid.of([str(i // 8) for i in range(80)], [str(i % 8) for i in range(80)])
    x, y = rng.normal(size=80), rng.normal(size=80)
    each = by_document(x, y, grid, "kendall-b")
    peer = [stats.kendalltau(x[i : i + 8], y[i : i + 8]).statistic for i in range(0, 80, 8)]
    assert each == pytest.approx(peer)
    found = agreement(x, y, grid, "document", "kendall-b")
    assert found.p == pytest.approx(stats.ttest_1samp(peer, 0).pvalue)
    assert found.sem == pytest.approx(stats.sem(peer))


def test_both_sides_of_a_system_are_means_of_the_same_rows():
    grid = Grid.of(["1", "2", "1", "2"], ["a", "a", "b", "b"])
    for metric, human in [([1, NAN, 3, 5], [10, 1000, 30, 50]), ([1, 7, 3, 5], [10, NAN, 30, 50])]:
        x, y = system_means(metric, human, grid)
        assert x.tolist() == [1, 4]
        assert y.tolist() == [10, 40]


def test_means_that_only_rounding_parts_are_tied():
    # 0.1 + 0.2 is not 0.3 + 0.0 for a computer; the systems a and b are equal.
    grid = Grid.of(["1", "2"] * 3, ["a", "a", "b", "b", "c", "c"])
    x, _ = system_means([0.1, 0.2, 0.3, 0.0, 1, 1], [1] * 6, grid)
    assert x[0] == x[1]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("statistic", STATISTICS)
def test_degenerate_tables_are_defined(level, statistic):
    for docs, systems, human in [
        (["1"], ["a"], [1.0]),  # one summary
        (["1", "1", "1"], ["a", "b", "c"], [1, 1, 1]),  # constant, one document
        (["1", "2", "3"], ["a", "a", "a"], [1, 2, 3]),  # one system
        (["1", "2"], ["a", "b"], [NAN, NAN]),  # no human score at all
    ]:
        values = [float(i) for i in range(len(docs))]
        found = agreement(values, human, Grid.of(docs, systems), level, statistic)
        if statistic != "mae" and (level, systems[-1]) != ("summary", "a"):
            assert math.isnan(found.value), (docs, systems)
    assert agreement([1, 2], [NAN, NAN], Grid.of("12", "ab"), level, statistic).left_out == 2
