"""Packing items into batches, and asking a model batch by batch."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.models.batching import Budget, answers, packed, packed_groups

WORDS = [random.Random(seed).choice("abc") * (seed % 17 + 1) for seed in range(100)]


def test_padded_batches_hold_everything_once_within_the_limit() -> None:
    lengths = [random.Random(1).randint(1, 50) for _ in range(200)]
    batches = list(packed(range(200), lambda i: lengths[i], 120, padded=True))
    assert [i for batch in batches for i in batch] == list(range(200))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= 120
    assert any(len(batch) > 2 for batch in batches)


def test_nothing_is_packed_into_nothing() -> None:
    assert list(packed([], len, 10)) == []


class Shouter:
    """Answers in capitals, at most so many letters at a time."""

    def __init__(self, memory: int = 10**9, error: Exception | None = None) -> None:
        self.memory = memory
        self.error = error or MemoryError()
        self.batches: list[list[str]] = []

    def __call__(self, batch: Sequence[str]) -> list[str]:
        if len(batch) * max(map(len, batch)) > self.memory:
            raise self.error
        self.batches.append(list(batch))
        return [word.upper() for word in batch]


def test_every_different_item_is_asked_once_shortest_first() -> None:
    ask = Shouter()
    found = list(answers(WORDS, len, Budget(40), ask))
    assert dict(found) == {word: word.upper() for word in WORDS}
    assert len(found) == len(set(WORDS)) < len(WORDS)
    sizes = [len(word) for batch in ask.batches for word in batch]
    assert sizes == sorted(sizes)
    assert all(len(b) * len(b[-1]) <= 40 for b in ask.batches if len(b) > 1)


@pytest.mark.usefixtures("quick_collections")
@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")]
)
def test_a_batch_that_does_not_fit_is_halved_and_the_budget_shrinks(error: Exception) -> None:
    ask, budget = Shouter(20, error), Budget(64)
    assert dict(answers(WORDS, len, budget, ask)) == {word: word.upper() for word in WORDS}
    # 64 letters fail, and so do halves of more than 20; the budget is half of what failed last.
    assert 10 <= budget.limit <= 20
    again = Shouter()
    list(answers(WORDS, len, budget, again))
    assert max(len(b) * len(b[-1]) for b in again.batches if len(b) > 1) <= budget.limit


def test_one_item_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(MemoryError):
        list(answers(["abc"], len, Budget(10), Shouter(2)))


def test_another_error_is_not_taken_for_a_lack_of_memory() -> None:
    with pytest.raises(RuntimeError, match="shapes"):
        list(answers(WORDS, len, Budget(64), Shouter(20, RuntimeError("shapes do not fit"))))


def test_threads_that_fail_alike_shrink_the_budget_once() -> None:
    budget = Budget(64)
    budget.shrink(32)
    budget.shrink(32)
    assert budget.limit == 32
    budget.shrink(0)
    assert budget.limit == 1


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9))), st.integers(1, 30))
def test_groups_hold_every_item_once_and_as_much_as_fits(
    items: list[tuple[str, int]], limit: int
) -> None:
    packs = list(packed_groups([key for key, _ in items], lambda n: items[n][1], limit, ord_size))
    found = [(items[n][0] == key, n) for pack in packs for key, numbers in pack for n in numbers]
    assert sorted(found) == [(True, n) for n in range(len(items))]
    for pack in packs:
        assert len({key for key, _ in pack}) == len(pack)
        sizes = [ord_size(key) + sum(items[n][1] for n in numbers) for key, numbers in pack]
        assert sum(sizes) <= limit or len(pack) == 1
        for _, numbers in pack:
            assert sum(items[n][1] for n in numbers) <= limit or len(numbers) == 1
    # A key comes again only where its items are too many.
    for key in "abc":
        total = sum(size for own, size in items if own == key)
        times = sum(own == key for pack in packs for own, _ in pack)
        assert times <= 1 or total > limit


def ord_size(key: str) -> int:
    """1 for a, 2 for b, 3 for c."""
    return ord(key) - 96
