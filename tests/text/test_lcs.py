from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.text.lcs import lcs_length, lcs_places, weighted_lcs, weighted_lcs_places

text = st.lists(st.sampled_from("abcd"), max_size=12)


def table(one: list[str], other: list[str], power: float) -> float:
    """The dynamic programme of Lin (2004), §4, cell by cell; with power 1 that of §3."""
    cost = {(i, j): 0.0 for i in range(len(one) + 1) for j in range(len(other) + 1)}
    run = dict.fromkeys(cost, 0)
    for i, a in enumerate(one, start=1):
        for j, b in enumerate(other, start=1):
            if a == b:
                k = run[i - 1, j - 1]
                cost[i, j] = cost[i - 1, j - 1] + (k + 1) ** power - k**power
                run[i, j] = k + 1
            else:
                cost[i, j] = max(cost[i - 1, j], cost[i, j - 1])
    return cost[len(one), len(other)]


@given(one=text, other=text)
def test_length_and_places(one: list[str], other: list[str]) -> None:
    places = lcs_places(one, other)
    assert len(places) == lcs_length(one, other) == table(one, other, 1.0)
    assert all(one[i] == other[j] for i, j in places)
    assert places == sorted(places)
    assert len(dict(places)) == len({j for _, j in places}) == len(places)


@given(one=text, other=text, power=st.sampled_from([1.0, 1.2, 2.0]))
def test_weighted(one: list[str], other: list[str], power: float) -> None:
    assert weighted_lcs(one, other, power) == pytest.approx(table(one, other, power))
    places = weighted_lcs_places(one, other, power)
    assert all(one[i] == other[j] for i, j in places)
    assert all(i < k and j < m for (i, j), (k, m) in itertools.pairwise(places))
