from __future__ import annotations

import itertools
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tricolore.text.lcs import (
    lcs_length,
    lcs_places,
    union_lcs,
    weighted_lcs,
    weighted_lcs_places,
)

text = st.lists(st.sampled_from("abcd"), max_size=12)


dense = st.lists(st.sampled_from("ab"), min_size=20, max_size=60) | st.lists(
    st.sampled_from(["the", *"abcdefgh"]), max_size=60
)
sentences = st.lists(st.lists(st.sampled_from("abc"), max_size=4), max_size=8)


def table(one: list[str], other: list[str], power: float) -> dict[tuple[int, int], float]:
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
    return cost


def plain_length(one: list[str], other: list[str], power: float) -> float:
    return table(one, other, power)[len(one), len(other)]


def plain_places(one: list[str], other: list[str], power: float) -> list[tuple[int, int]]:
    cost = table(one, other, power)
    i, j = len(one), len(other)
    found = []
    while i and j:
        if one[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            found.append((i, j))
        elif cost[i - 1, j] >= cost[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return found[::-1]


def plain_union(
    summary: list[list[str]], reference: list[list[str]]
) -> list[tuple[set[int], dict[int, tuple[int, int]]]]:
    """§3.2, every sentence of the reference with every sentence of the summary."""
    left = Counter(itertools.chain.from_iterable(summary))
    found = []
    for sentence in reference:
        union: dict[int, tuple[int, int]] = {}
        for at, other in enumerate(summary):
            for place, where in lcs_places(sentence, other):
                union.setdefault(place, (at, where))
        counted = {}
        for place in sorted(union):
            if left[sentence[place]]:
                left[sentence[place]] -= 1
                counted[place] = union[place]
        found.append((set(union), counted))
    return found


@given(one=text, other=text)
def test_length_and_places(one: list[str], other: list[str]) -> None:
    places = lcs_places(one, other)
    assert len(places) == lcs_length(one, other) == plain_length(one, other, 1.0)
    assert all(one[i] == other[j] for i, j in places)
    assert places == sorted(places)
    assert len(dict(places)) == len({j for _, j in places}) == len(places)


@given(one=text | dense, other=text | dense, power=st.sampled_from([1.0, 1.2, 2.0]))
def test_weighted(one: list[str], other: list[str], power: float) -> None:
    """The same to the last bit, whether few or many words match."""
    assert weighted_lcs(one, other, power) == plain_length(one, other, power)
    places = weighted_lcs_places(one, other, power)
    assert places == plain_places(one, other, power)
    assert all(one[i] == other[j] for i, j in places)
    assert all(i < k and j < m for (i, j), (k, m) in itertools.pairwise(places))


@given(summary=sentences, reference=sentences)
def test_union(summary: list[list[str]], reference: list[list[str]]) -> None:
    assert union_lcs(summary, reference, lcs_places) == plain_union(summary, reference)
