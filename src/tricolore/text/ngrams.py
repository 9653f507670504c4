"""Runs and pairs of words, and how many of them two texts share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

ItemT = TypeVar("ItemT", bound=Hashable)


class Ngrams:
    """The runs of n words of a text, as a generator.

    >>> list(Ngrams(("a", "b", "c"), 2))
    [('a', 'b'), ('b', 'c')]
    """

    __slots__ = ("_columns", "_length")

    def __init__(self, words: Sequence[str], n: int) -> None:
        self._columns = [words[start:] for start in range(n)]
        self._length = max(0, len(words) - n + 1)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return zip(*self._columns, strict=False)

    def __contains__(self, item: object) -> bool:
        return any(item == run for run in self)


def skip_bigrams(words: Sequence[str], gap: int) -> list[tuple[str, str]]:
    """The pairs of words, in order, with at most `gap` words between them.

    >>> skip_bigrams(["a", "b", "c"], 1)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    pairs = skip_places(len(words), gap)
    return [(words[first], words[second]) for first, second in pairs]


def skip_places(length: int, gap: int) -> list[tuple[int, int]]:
    """The positions of the pairs that `skip_bigrams` gives."""
    return [
        (first, second)
        for first in range(length)
        for second in range(first + 1, min(first + gap + 2, length))
    ]


class Bag:
    """Items and their counts, made once to be compared with many lists.

    >>> Bag(["a", "a", "b"]).shared(["a", "c", "a", "a"])
    2
    """

    __slots__ = ("once", "repeated")

    def __init__(self, items: Collection[Hashable]) -> None:
        self.once = frozenset(items)
        self.repeated: dict[Hashable, int] = {}
        if len(self.once) < len(items):
            self.repeated = {item: n for item, n in Counter(items).items() if n > 1}

    def shared(self, items: Iterable[Hashable]) -> int:
        """How many of the items are in the bag, each no more often than the bag has it."""
        shared = len(self.once.intersection(items))
        if self.repeated:
            # Nearly all items occur once; only those that the bag repeats have to be counted.
            again = list(filter(self.repeated.__contains__, items))
            for item, count in _counts(again).items():
                shared += min(self.repeated[item], count) - 1
        return shared


def _counts(items: list[ItemT]) -> Mapping[ItemT, int]:
    """How often each item is there; for a few items, a `Counter` takes longer."""
    return Counter(items) if len(items) > 50 else {item: items.count(item) for item in set(items)}


def matched(items: Iterable[ItemT], others: Iterable[ItemT]) -> list[tuple[int, int]]:
    """Which item goes with which: the first with the first equal one, the second with the second.

    >>> matched("aba", "baa")
    [(0, 1), (1, 0), (2, 2)]
    """
    places: dict[ItemT, list[int]] = {}
    for place, other in enumerate(others):
        places.setdefault(other, []).append(place)
    for found in places.values():
        found.reverse()
    return [(place, places[item].pop()) for place, item in enumerate(items) if places.get(item)]
