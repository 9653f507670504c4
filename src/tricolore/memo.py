"""Remember what was found in a text, so that several measures and summaries share it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import TypeVar

Found = TypeVar("Found")

LIMIT = 4_000_000
"""Characters of text that one function remembers the findings of, at most."""

_forgetters: list[Callable[[], None]] = []


def remembered(function: Callable[..., Found]) -> Callable[..., Found]:
    """Keep the results of a pure function of one or more texts and settings.

    Bounded by the length of the texts, not by their number: sources may be of any size. Oldest
    out first.
    """
    kept: dict[tuple[Hashable, ...], Found] = {}
    size = 0

    @wraps(function)
    def ask(*arguments: Hashable) -> Found:
        nonlocal size
        try:
            return kept[arguments]
        except KeyError:
            pass
        found = function(*arguments)
        size += _length(arguments)
        kept[arguments] = found
        while size > LIMIT and len(kept) > 1:
            oldest = next(iter(kept))
            del kept[oldest]
            size -= _length(oldest)
        return found

    def clear() -> None:
        nonlocal size
        kept.clear()
        size = 0

    _forgetters.append(clear)
    return ask


def forget() -> None:
    """Forget everything, as a benchmark must before it times a run."""
    for clear in _forgetters:
        clear()


def _length(arguments: tuple[Hashable, ...]) -> int:
    return sum([len(a) for a in arguments if isinstance(a, str)]) + 100
