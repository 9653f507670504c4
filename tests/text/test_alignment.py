from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.text import alignment
from tricolore.text.alignment import Choices, count_chunks, extend

text = st.text("abc", min_size=1, max_size=6)


def choices(one: str, other: str) -> dict[int, tuple[int, ...]]:
    found = {i: tuple(j for j, b in enumerate(other) if a == b) for i, a in enumerate(one)}
    return {i: places for i, places in found.items() if places}


def cost(pairs: list[tuple[int, int]]) -> tuple[int, int, int]:
    crossings = sum((i - k) * (j - m) < 0 for (i, j), (k, m) in combinations(pairs, 2))
    return -len(pairs), crossings, count_chunks(pairs)


def cheapest(
    left: list[tuple[int, tuple[int, ...]]], pairs: list[tuple[int, int]]
) -> tuple[int, int, int]:
    """The least cost of all ways to pair, tried one by one."""
    if not left:
        return cost(pairs)
    (place, others), *rest = left
    taken = {j for _, j in pairs}
    ways = [[*pairs, (place, j)] for j in others if j not in taken]
    return min(cheapest(rest, way) for way in [pairs, *ways])


@pytest.mark.parametrize("alike", [True, False])
@given(one=text, other=text)
def test_nothing_is_cheaper(alike: bool, one: str, other: str) -> None:
    may = choices(one, other)
    found = list(extend({}, Choices(may, alike)).items())
    assert all(one[i] == other[j] for i, j in found)
    assert len({j for _, j in found}) == len(found)
    assert cost(found) == cheapest(list(may.items()), [])


def test_earlier_pairs_stay_and_are_not_crossed() -> None:
    # Word 1 could go to 0 or 3; with 0 → 2 it would cross the first.
    assert extend({0: 2}, Choices({1: (0, 3)}, alike=False)) == {0: 2, 1: 3}


def test_a_narrow_beam_still_pairs_all(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = "abcabcabc", "ccbbaacba"
    monkeypatch.setattr(alignment, "BEAM", 1)
    assert len(extend({}, Choices(choices(one, other), alike=True))) == 9


def test_large_groups_are_paired_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "LARGE", 3)
    found = extend({}, Choices(choices("aaab", "baa"), alike=True))
    assert found == {0: 1, 1: 2, 3: 0}


def test_many_possible_pairs_are_paired_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "MOST", 5)
    every = (0, 1, 2)
    assert extend({}, Choices({0: every, 1: every, 3: (0, 2), 4: every}, alike=False)) == {
        0: 0,
        1: 1,
        3: 2,
    }


@given(
    fixed=st.dictionaries(st.integers(0, 9), st.integers(0, 9)),
    place=st.integers(0, 9),
    other=st.integers(0, 9),
)
def test_prices_are_crossings_and_neighbours(fixed: dict[int, int], place: int, other: int) -> None:
    """Crossings counted by bits are those counted pair by pair."""
    once = {j: i for i, j in fixed.items() if i != place and j != other}
    fixed = {i: j for j, i in once.items()}
    crossed = sum((i < place) != (j < other) for i, j in fixed.items())
    beside = (fixed.get(place - 1) == other - 1) + (fixed.get(place + 1) == other + 1)
    [[price]] = alignment._prices(fixed, {place: (other,)}).values()
    assert price == crossed * alignment._CROSSING + beside * alignment._NEIGHBOUR
