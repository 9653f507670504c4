"""Numbers of things in messages."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "row"), plural(0, "row"), plural(2, "summary"), plural(2, "key")
    ('1 row', '0 rows', '2 summaries', '2 keys')
    """
    if count == 1:
        return f"{count} {noun}"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{count} {noun[:-1]}ies"
    return f"{count} {noun}s"
