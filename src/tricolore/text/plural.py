"""Numbers of things in messages."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "row"), plural(0, "row"), plural(2, "row")
    ('1 row', '0 rows', '2 rows')
    """
    return f"{count} {noun}" + ("" if count == 1 else "s")
