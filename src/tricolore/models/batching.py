"""Which items go through a model together."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from threading import Lock
from typing import TypeVar

ItemT = TypeVar("ItemT")
Key = TypeVar("Key", bound=Hashable)
AskedT = TypeVar("AskedT", bound=Hashable)
AnswerT = TypeVar("AnswerT")


class Budget:
    """How much may go through a model at once; it shrinks when memory runs out."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._lock = Lock()

    def shrink(self, limit: int) -> None:
        """Allow at most this much from now on."""
        with self._lock:
            self.limit = max(1, min(self.limit, limit))


def packed(
    items: Iterable[ItemT], size: Callable[[ItemT], int], limit: int, *, padded: bool = False
) -> Iterator[list[ItemT]]:
    """Items in their order, in lists that are as long as a limit allows.

    An item that is larger than the limit gets its own list.

    Arguments:
        size: The size of an item.
        limit: The largest sum of the sizes in a list.
        padded: Count every item of a list as large as the largest, as a net does that pads
            sequences to the same length.

    >>> list(packed([5, 2, 3, 9, 1], size=int, limit=7))
    [[5, 2], [3], [9], [1]]
    >>> list(packed([2, 2, 3, 9], size=int, limit=7, padded=True))
    [[2, 2], [3], [9]]
    """
    batch: list[ItemT] = []
    total = largest = 0
    for item in items:
        own = size(item)
        cost = (len(batch) + 1) * max(largest, own) if padded else total + own
        if batch and cost > limit:
            yield batch
            batch, total, largest = [], 0, 0
        batch.append(item)
        total, largest = total + own, max(largest, own)
    if batch:
        yield batch


def packed_groups(
    keys: Iterable[Key], size: Callable[[int], int], limit: int, key_size: Callable[[Key], int]
) -> Iterator[list[tuple[Key, list[int]]]]:
    """Which items to handle together, so that those with the same key share its cost.

    Lists of keys, each with the numbers of items that have it. A key with items beyond the limit
    comes several times.

    Arguments:
        keys: The key of each item.
        size: The size of an item, by its number.
        limit: The largest sum of the sizes of the items and keys in a list.
        key_size: The size of a key, which counts once for all its items.

    >>> list(packed_groups("abacb", size=lambda number: 1, limit=5, key_size=lambda key: 1))
    [[('a', [0, 2])], [('b', [1, 4]), ('c', [3])]]
    """
    by_key: dict[Key, list[int]] = {}
    for number, key in enumerate(keys):
        by_key.setdefault(key, []).append(number)
    groups = (
        (key, some) for key, numbers in by_key.items() for some in packed(numbers, size, limit)
    )
    return packed(groups, lambda group: key_size(group[0]) + sum(map(size, group[1])), limit)


def answers(
    items: Iterable[AskedT],
    size: Callable[[AskedT], int],
    budget: Budget,
    ask: Callable[[Sequence[AskedT]], Sequence[AnswerT]],
) -> Iterator[tuple[AskedT, AnswerT]]:
    """Every different item with its answer, shortest first.

    Items of similar size are asked together. A batch that does not fit into memory is asked in
    halves, and the budget shrinks.

    Arguments:
        size: The size of an item, such as its number of tokens.
        budget: The largest product of the number of items in a batch and the largest size.
        ask: Answers a batch, in its order.
    """
    different = sorted(dict.fromkeys(items), key=size)
    for batch in packed(different, size, budget.limit, padded=True):
        yield from _halved(batch, size, budget, ask)


def _halved(
    batch: list[AskedT],
    size: Callable[[AskedT], int],
    budget: Budget,
    ask: Callable[[Sequence[AskedT]], Sequence[AnswerT]],
) -> Iterator[tuple[AskedT, AnswerT]]:
    try:
        found = ask(batch)
    except (MemoryError, RuntimeError) as problem:
        if len(batch) == 1 or not _out_of_memory(problem):
            raise
    else:
        yield from zip(batch, found, strict=True)
        return
    _free_memory()
    budget.shrink(len(batch) * max(map(size, batch)) // 2)
    half = len(batch) // 2
    yield from _halved(batch[:half], size, budget, ask)
    yield from _halved(batch[half:], size, budget, ask)


def _out_of_memory(problem: Exception) -> bool:
    words = str(problem).lower()
    return isinstance(problem, MemoryError) or "out of memory" in words or "allocate" in words


def _free_memory() -> None:
    """Release the memory of a failed batch, on a GPU as well."""
    gc.collect()
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()
