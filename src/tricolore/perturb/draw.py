"""Random choices that depend only on a seed and the texts, not on order or batches."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from random import Random
from typing import TypeVar

from tricolore.example import Example

ItemT = TypeVar("ItemT")


class Draw:
    """Random choices for one summary.

    Only `Random.random` is used: the one method whose sequence Python promises to keep.
    """

    def __init__(self, example: Example, *key: object) -> None:
        digest = blake2b(digest_size=16)
        for word in (*map(str, key), example.summary, *example.source):
            digest.update(word.encode("utf-8", "surrogatepass") + b"\0")
        self._random = Random(digest.digest()).random

    def below(self, count: int) -> int:
        """A whole number from 0 to `count` - 1."""
        return int(self._random() * count)

    def pick(self, items: Sequence[ItemT]) -> ItemT:
        """One of several."""
        return items[self.below(len(items))]

    def order(self, count: int) -> list[int]:
        """The numbers from 0 to `count` - 1 in random order, all orders equally likely."""
        found = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found
