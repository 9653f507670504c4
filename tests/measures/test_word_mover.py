"""The earth mover's distance: by hand, against an assignment, and the axioms of a distance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from tricolore.measures.word_mover import euclidean, transport


def test_by_hand() -> None:
    # One unit at 0; a quarter of a unit each at 1, 2, 3 and 4: (1 + 2 + 3 + 4) / 4.
    cost, flow = transport(np.ones(1), np.ones(4), np.array([[1.0, 2.0, 3.0, 4.0]]))
    assert cost == pytest.approx(2.5)
    assert flow == pytest.approx(np.full((1, 4), 0.25))


sizes = st.integers(1, 6)
seeds = st.integers(0, 10**6)


@settings(deadline=None, max_examples=40)
@given(sizes, seeds)
def test_equal_weights_are_an_assignment(size: int, seed: int) -> None:
    costs = np.random.default_rng(seed).random((size, size))
    rows, columns = linear_sum_assignment(costs)
    cost, flow = transport(np.full(size, 3.0), np.full(size, 0.2), costs)
    assert cost == pytest.approx(costs[rows, columns].sum() / size)
    assert (flow * costs).sum() == pytest.approx(cost)


@settings(deadline=None, max_examples=40)
@given(sizes, sizes, sizes, seeds)
def test_it_is_a_distance(a: int, b: int, c: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    points = [draw.normal(size=(n, 3)) for n in (a, b, c)]
    weights = [draw.random(n) + 0.1 for n in (a, b, c)]

    def between(i: int, j: int) -> float:
        return transport(weights[i], weights[j], euclidean(points[i], points[j]))[0]

    assert between(0, 0) == pytest.approx(0, abs=1e-6)
    assert between(0, 1) == pytest.approx(between(1, 0))
    assert between(0, 2) <= between(0, 1) + between(1, 2) + 1e-9
    _, flow = transport(weights[0], weights[1], euclidean(points[0], points[1]))
    assert flow.sum(axis=1) == pytest.approx(weights[0] / weights[0].sum())
    assert flow.sum(axis=0) == pytest.approx(weights[1] / weights[1].sum())


def test_euclidean() -> None:
    found = euclidean(np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([[0.0, 0.0]]))
    assert found == pytest.approx(np.array([[0.0], [5.0]]))
