"""A bounded cache of results in memory, which measures and summaries share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import wraps
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakSet

KeyT = TypeVar("KeyT", bound=Hashable)
ValueT = TypeVar("ValueT")

LIMIT = 4_000_000
"""The most characters of text for which one function keeps results."""

_memos: WeakSet[Memo] = WeakSet()  # type: ignore[type-arg]


class Memo(Generic[KeyT, ValueT]):
    """Results by key; the oldest are dropped first when their total size exceeds the limit.

    Safe to use from several threads. Two threads that ask for the same key at once may both compute
    it.

    >>> squares = Memo(limit=2, size_of=lambda key, found: 1)
    >>> [squares.get(n, lambda: n * n) for n in (1, 2, 3)], list(squares.kept)
    ([1, 4, 9], [2, 3])
    """

    def __init__(self, limit: int, size_of: Callable[[KeyT, ValueT], int]) -> None:
        self.limit = limit
        self.kept: dict[KeyT, ValueT] = {}
        self._size_of = size_of
        self._size = 0
        self._lock = Lock()
        _memos.add(self)

    def get(self, key: KeyT, compute: Callable[[], ValueT]) -> ValueT:
        """The cached result for the key, or a newly computed one."""
        try:
            return self.kept[key]
        except KeyError:
            pass
        found = compute()
        self._keep({key: found})
        return found

    def get_many(
        self, keys: Iterable[KeyT], compute: Callable[[list[KeyT]], Iterable[ValueT]]
    ) -> dict[KeyT, ValueT]:
        """The cached result for each key; all missing ones are computed in one call.

        >>> squares = Memo(limit=9, size_of=lambda key, found: 1)
        >>> squares.get_many([3, 2, 3], lambda missing: [n * n for n in missing])
        {3: 9, 2: 4}
        """
        found: dict[KeyT, ValueT] = {}
        missing = []
        for key in dict.fromkeys(keys):
            try:
                found[key] = self.kept[key]
            except KeyError:
                missing.append(key)
        if missing:
            new = dict(zip(missing, compute(missing), strict=True))
            self._keep(new)
            found |= new
        return found

    def _keep(self, results: Mapping[KeyT, ValueT]) -> None:
        with self._lock:
            for key, found in results.items():
                if key not in self.kept:
                    self.kept[key] = found
                    self._size += self._size_of(key, found)
                while self._size > self.limit and len(self.kept) > 1:
                    oldest = next(iter(self.kept))
                    self._size -= self._size_of(oldest, self.kept.pop(oldest))

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self.kept.clear()
            self._size = 0


def remembered(function: Callable[..., ValueT]) -> Callable[..., ValueT]:
    """Keep the results of a pure function of one or more texts and settings.

    Bounded by the length of the texts, not by their number: sources may be of any size.
    """
    memo: Memo[tuple[Hashable, ...], ValueT] = Memo(LIMIT, _length)
    kept = memo.kept

    @wraps(function)
    def ask(*arguments: Hashable) -> ValueT:
        # Called for every word of every text: the usual case needs no further call.
        try:
            return kept[arguments]
        except KeyError:
            return memo.get(arguments, lambda: function(*arguments))

    return ask


def forget() -> None:
    """Forget everything; a benchmark calls this before it times a run."""
    for memo in list(_memos):
        memo.clear()


def _length(arguments: tuple[Hashable, ...], _: object) -> int:
    return sum([len(a) for a in arguments if isinstance(a, str)]) + 100
