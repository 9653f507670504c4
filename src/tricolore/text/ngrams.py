"""Runs and pairs of words, and how many of them two texts share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def ngrams(words: Sequence[str], n: int) -> list[Hashable]:
    """The runs of n words, in order: words themselves for n = 1, tuples otherwise.

    >>> ngrams(["a", "b", "c"], 2)
    [('a', 'b'), ('b', 'c')]
    """
    if n == 1:
        return list(words)
    return list(zip(*(words[start:] for start in range(n)), strict=False))


def skip_bigrams(words: Sequence[str], gap: int) -> list[tuple[str, str]]:
    """The pairs of words, in order, with at most `gap` words between them.

    >>> skip_bigrams(["a", "b", "c"], 1)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    pairs = skip_places(len(words), gap)
    return [(words[first], words[second]) for first, second in pairs]


def skip_places(length: int, gap: int) -> list[tuple[int, int]]:
    """The places of the pairs that `skip_bigrams` gives."""
    return [
        (first, second)
        for first in range(length)
        for second in range(first + 1, min(first + gap + 2, length))
    ]


class Bag:
    """Items with how often they are there, made once to be compared with many lists.

    >>> Bag(["a", "a", "b"]).shared(["a", "c", "a", "a"])
    2
    """

    __slots__ = ("once", "repeated")

    def __init__(self, items: Sequence[Hashable]) -> None:
        self.once = frozenset(items)
        self.repeated: tuple[tuple[Hashable, int], ...] = ()
        if len(self.once) < len(items):
            counts = Counter(items)
            self.repeated = tuple(pair for pair in counts.items() if pair[1] > 1)

    def shared(self, items: Sequence[Hashable]) -> int:
        """How many of the items are in the bag, each no more often than the bag has it."""
        both = self.once.intersection(items)
        # Nearly all are there once; only what the bag repeats has to be counted in the list.
        return len(both) + sum(
            [min(times, items.count(item)) - 1 for item, times in self.repeated if item in both]
        )


def matched(items: Iterable[Item], others: Iterable[Item]) -> list[tuple[int, int]]:
    """Which item goes with which: the first with the first equal one, the second with the second.

    >>> matched("aba", "baa")
    [(0, 1), (1, 0), (2, 2)]
    """
    places: dict[Item, list[int]] = {}
    for place, other in enumerate(others):
        places.setdefault(other, []).append(place)
    for found in places.values():
        found.reverse()
    return [(place, places[item].pop()) for place, item in enumerate(items) if places.get(item)]
