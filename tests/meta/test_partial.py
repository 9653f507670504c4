"""Partial correlations against pingouin's, against formulas, and where there is none."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tricolore.data.grid import Grid
from tricolore.meta.choices import LEVELS, PARTIAL_COEFFICIENTS
from tricolore.meta.partial import partial_agreement, partial_by_document, partial_correlation

X = [3.1, 0.4, 2.2, 5.0, 4.4, 1.7, 2.9, 0.8, 3.8, 2.0]
Y = [2.0, 1.0, 3.0, 5.0, 4.0, 1.0, 2.0, 2.0, 3.0, 4.0]
NOVELTY = [0.2, 0.9, 0.4, 0.1, 0.3, 0.8, 0.5, 0.7, 0.2, 0.6]
LENGTH = [61, 40, 52, 75, 66, 38, 70, 45, 45, 58]
BOTH = {"novelty": NOVELTY, "length": LENGTH}
NAN = math.nan


@pytest.mark.parametrize(
    ("coefficient", "controls", "r", "p"),
    [
        # pingouin 0.7.0: partial_corr(data, x="x", y="y", covar=[…], method=…)
        ("pearson", ["novelty"], 0.3630391643648065, 0.3369103599672125),
        ("pearson", ["novelty", "length"], 0.22966678328371115, 0.584277905670146),
        ("spearman", ["novelty"], 0.30042207744573635, 0.43216631920315907),
        ("spearman", ["novelty", "length"], 0.1709105189042642, 0.6857285481169951),
    ],
)
def test_equal_to_pingouin(coefficient, controls, r, p):
    found = partial_correlation(X, Y, {name: BOTH[name] for name in controls}, coefficient)
    assert (found.value, found.p, found.n) == (pytest.approx(r), pytest.approx(p), 10)
    assert found.reason == ""


@given(st.integers(0, 10_000), st.sampled_from(PARTIAL_COEFFICIENTS))
def test_one_control_by_the_formula_of_three_correlations(seed, coefficient):
    # r(xy.z) = (r(xy) − r(xz) r(yz)) / √((1 − r(xz)²) (1 − r(yz)²)), of ranks for Spearman
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, 12))
    z = rng.integers(0, 5, 12) + 0.5 * x
    correlate = stats.spearmanr if coefficient == "spearman" else stats.pearsonr
    xy, xz, yz = (correlate(a, b).statistic for a, b in ((x, y), (x, z), (y, z)))
    wanted = (xy - xz * yz) / math.sqrt((1 - xz**2) * (1 - yz**2))
    assert partial_correlation(x, y, {"z": z}, coefficient).value == pytest.approx(wanted)


@given(st.integers(0, 10_000), st.sampled_from(PARTIAL_COEFFICIENTS))
def test_the_order_of_the_controls_does_not_matter(seed, coefficient):
    rng = np.random.default_rng(seed)
    x, y, a, b = rng.normal(size=(4, 9))
    one = partial_correlation(x, y, {"a": a, "b": b}, coefficient)
    other = partial_correlation(x, y, {"b": b, "a": -3 * a}, coefficient)
    assert one.value == pytest.approx(other.value)


def test_rows_that_lack_a_number_are_left_out_and_counted():
    found = partial_correlation(
        [*X, 1.0, NAN, 2.0],
        [*Y, NAN, 1.0, 2.0],
        {"novelty": [*NOVELTY, 0.1, 0.1, 0.1], "length": [*LENGTH, 3, 3, NAN]},
    )
    assert (found.n, found.left_out) == (10, 3)
    assert found.value == pytest.approx(0.1709105189042642)


@pytest.mark.parametrize(
    ("x", "y", "controls", "reason"),
    [
        (X[:4], Y[:4], {n: c[:4] for n, c in BOTH.items()}, "4 different points, and 5 are needed"),
        (X[:3], Y[:3], {"length": LENGTH[:3]}, "and 4 are needed with 1 control"),
        ([], [], {"length": []}, "0 different points"),
        # Four different points, each three times: r would be 1 or −1 whatever they are.
        (X[:4] * 3, Y[:4] * 3, {n: c[:4] * 3 for n, c in BOTH.items()}, "4 different points"),
        (X, Y, {"length": [7] * 10}, "the control length is constant"),
        (X, Y, BOTH | {"words": LENGTH}, "the control words follows from novelty and length"),
        (X, Y, {"novelty": NOVELTY, "copied": [1 - n for n in NOVELTY]}, "copied follows from"),
        (NOVELTY, Y, BOTH, "the values follow from the controls"),
        (X, LENGTH, BOTH, "the human scores follow from the controls"),
        ([2] * 10, Y, BOTH, "all values are the same"),
        (X, [2] * 10, BOTH, "all human scores are the same"),
    ],
)
@pytest.mark.parametrize("coefficient", PARTIAL_COEFFICIENTS)
def test_no_number_but_a_reason(x, y, controls, reason, coefficient):
    found = partial_correlation(x, y, controls, coefficient)
    assert math.isnan(found.value)
    assert math.isnan(found.p)
    assert reason in found.reason


def test_a_sum_of_controls_is_collinear_only_as_it_is():
    total = [a + b for a, b in zip(NOVELTY, LENGTH, strict=True)]
    assert "collinear" in partial_correlation(X, Y, BOTH | {"t": total}, "pearson").reason
    # A monotone transformation has the same ranks, but is no linear function.
    cubes = [length**3 for length in LENGTH]
    assert "collinear" in partial_correlation(X, Y, BOTH | {"c": cubes}, "spearman").reason
    assert not partial_correlation(X, Y, BOTH | {"c": cubes}, "pearson").reason


def test_a_perfect_partial_correlation():
    control = np.arange(8.0)
    noise = np.array([1, -1, 1, -1, -1, 1, 1, -1.0])
    found = partial_correlation(control + noise, 2 * noise - control, {"c": control}, "pearson")
    assert (found.value, found.p) == (pytest.approx(1.0), pytest.approx(0.0, abs=1e-30))


def grid_of(documents, systems):
    cells = [(d, s) for d in range(documents) for s in range(systems)]
    return Grid.of([f"d{d}" for d, _ in cells], [f"s{s}" for _, s in cells])


@pytest.mark.parametrize("coefficient", PARTIAL_COEFFICIENTS)
def test_levels_are_the_definition_of_pooled_rows_of_documents_and_of_means(coefficient):
    rng = np.random.default_rng(1)
    grid = grid_of(7, 6)
    x, y, a, b = rng.integers(0, 9, (4, 42)).astype(float)
    rows = {"x": x, "y": y, "a": a, "b": b}
    rows["a"][3] = NAN
    known = np.isfinite(a)

    def of(columns):
        x, y, a, b = columns
        return partial_correlation(x, y, {"a": a, "b": b}, coefficient)

    controls = {"a": a, "b": b}
    pooled = partial_agreement(x, y, controls, grid, "summary", coefficient)
    assert pooled.value == of(rows.values()).value
    assert (pooled.n, pooled.left_out) == (41, 1)

    each = [of([c[known & (grid.doc == d)] for c in rows.values()]).value for d in range(7)]
    documents = partial_agreement(x, y, controls, grid, "document", coefficient)
    assert documents.value == pytest.approx(np.nanmean(each))
    assert documents.n == np.isfinite(each).sum()
    assert documents.p == pytest.approx(
        stats.ttest_1samp(np.array(each)[np.isfinite(each)], 0).pvalue
    )
    complete = np.stack([c[known] for c in rows.values()])
    assert partial_by_document(complete, grid.keep(known), coefficient) == pytest.approx(
        each, nan_ok=True
    )

    means = [[c[known & (grid.system == s)].mean() for s in range(6)] for c in rows.values()]
    systems = partial_agreement(x, y, controls, grid, "system", coefficient)
    assert systems.value == pytest.approx(of(means).value)
    assert (systems.n, systems.left_out) == (6, 1)


def test_few_systems_have_reasons_at_every_level():
    grid = grid_of(2, 3)
    x, y, a = np.random.default_rng(0).normal(size=(3, 6))
    found = {level: partial_agreement(x, y, {"a": a}, grid, level, "spearman") for level in LEVELS}
    assert found["summary"].reason == ""
    assert found["system"].reason == "3 different points, and 4 are needed with 1 control"
    assert found["document"].reason == f"in every document, mostly: {found['system'].reason}"
    assert found["document"].undefined == 2
    none = partial_agreement([NAN] * 6, y, {"a": a}, grid, "document", "spearman")
    assert none.reason == "no summary has them all"
    assert none.left_out == 6
