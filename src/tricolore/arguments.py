"""The arguments of the functions that users call: their types and ranges, checked in one place."""

from __future__ import annotations

import collections.abc
import reprlib
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tricolore.errors import ArgumentError
from tricolore.settings import LARGEST

MOST_RESAMPLES = 100_000
"""More resamples or permutations take memory, and change nothing that a table shows."""

RANGES: dict[str, tuple[int, int]] = {
    "alpha": (0, 1),
    "batch_size": (1, LARGEST),
    "copies": (1, 1_000_000),
    "damaged": (0, LARGEST),
    "folds": (2, LARGEST),
    "group": (0, LARGEST),
    "jobs": (1, LARGEST),
    "keep": (0, LARGEST),
    "keep_references": (0, LARGEST),
    "limit": (0, sys.maxsize),
    "max_cost": (0, LARGEST),
    "max_failures": (0, LARGEST),
    "max_seconds": (1, LARGEST),
    "most_examples": (0, LARGEST),
    "part_rows": (1, LARGEST),
    "permutations": (0, MOST_RESAMPLES),
    "resamples": (0, MOST_RESAMPLES),
    "restarts": (1, 1000),
    "seed": (0, LARGEST),
    "sentences": (1, LARGEST),
    "top": (0, LARGEST),
}
"""The smallest and the largest value of numbers, which are the same wherever the name occurs."""


def check_arguments(function: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Raise an error for the first argument that has not the type or the range that it must have.

    Args:
        function: The function that was called; its annotations say what is expected.
        given: Its arguments by name: `locals()` at its beginning.

    >>> def read(path: str, *, jobs: int = 1) -> None:
    ...     check_arguments(read, locals())
    >>> read("a", jobs=0)
    Traceback (most recent call last):
    ...
    tricolore.errors.ArgumentError: jobs must be a whole number from 1 to 2147483647, not 0
    """
    for name, hint in _hints(function).items():
        if name not in given:  # "return"
            continue
        limits = RANGES.get(name)
        if not _fits(given[name], hint, limits):
            words = f"{name} must be {_words(hint, limits)}, not {_shown(given[name])}"
            raise ArgumentError(words, argument=name)


def _shown(value: object) -> str:
    try:
        return reprlib.repr(value)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "a number of thousands of digits"


@cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(function)


def _fits(value: Any, hint: Any, limits: tuple[int, int] | None = None) -> bool:
    """Whether a value is of a type, as far as that shows without using it up."""
    origin = get_origin(hint) or hint
    if origin in _UNIONS:
        return any(_fits(value, kind, limits) for kind in get_args(hint))
    if origin is Literal:
        return isinstance(value, str) and value in get_args(hint)
    if origin in (int, float):
        is_number = isinstance(value, Integral if origin is int else Real)
        in_range = limits is None or (is_number and limits[0] <= value <= limits[1])
        return is_number and in_range and not isinstance(value, bool)
    if origin in _ITERABLES:
        if isinstance(value, list | tuple):
            items = get_args(hint)
            is_complete = not _is_pair(hint) or len(value) == len(items)
            return is_complete and all(_fits(item, items[0]) for item in value)
        return isinstance(value, collections.abc.Iterable) and not isinstance(value, str)
    if origin is collections.abc.Callable:
        return callable(value)
    is_open = origin is Any or getattr(origin, "_is_protocol", False)
    return is_open or isinstance(value, origin)


_UNIONS = (Union, types.UnionType)
_ITERABLES = (collections.abc.Sequence, collections.abc.Iterable, list, tuple)
"""Taken for one another: a list or an array is as good as a tuple."""

_NAMES: dict[Any, str] = {
    bool: "True or False",
    str: "text",
    Path: "a path",
    type(None): "None",
    collections.abc.Callable: "a function",
    collections.abc.Mapping: "a dict",
    **dict.fromkeys(_ITERABLES, "a list"),
}


def _one_of(names: Sequence[str]) -> str:
    return f"one of {', '.join(names)}"


def _is_pair(hint: Any) -> bool:
    return get_origin(hint) is tuple and Ellipsis not in get_args(hint)


def _words(hint: Any, limits: tuple[int, int] | None = None) -> str:
    origin = get_origin(hint) or hint
    if origin in _UNIONS:
        kinds = get_args(hint)
        names = [name for kind in kinds if get_origin(kind) is Literal for name in get_args(kind)]
        others = [_words(kind, limits) for kind in kinds if get_origin(kind) is not Literal]
        return " or ".join(dict.fromkeys([*([_one_of(names)] if names else []), *others]))
    if origin is Literal:
        return _one_of(get_args(hint))
    if _is_pair(hint):
        return "a pair of numbers"
    if origin in (int, float):
        words = "a whole number" if origin is int else "a number"
        return f"{words} from {limits[0]} to {limits[1]}" if limits else words
    return _NAMES.get(origin) or f"a {origin.__name__}"
