"""Countries and other places with their adjectives and people: Denmark, Danish, Danes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from tricolore.text.folding import folded

_SHORT = 4


@cache
def _table() -> dict[str, str]:
    text = files("tricolore.text").joinpath("data/nations.txt").read_text("utf-8")
    rows = [line.split(", ") for line in text.splitlines() if not line.startswith("#")]
    return {_key(form.split()): row[0] for row in reversed(rows) for form in row}


def _key(words: Sequence[str]) -> str:
    """Short forms such as US, IS and Mass. keep their case, which sets them apart from words."""
    if len(words) == 1:
        plain = words[0].replace(".", "").replace(" ", "")
        if len(plain) <= _SHORT and not (plain.istitle() and len(plain) == _SHORT):
            return plain
    return " ".join(folded(word) for word in words)


@cache
def nation_starts() -> dict[str, int]:
    """The first words, folded, of all names in the table, and the most words that may follow."""
    found: dict[str, int] = {}
    for key in _table():
        first, *rest = key.split(" ")
        found[folded(first)] = max(found.get(folded(first), 0), len(rest))
    return found


def nation(words: Sequence[str]) -> str | None:
    """The place that words, as they are written, name or belong to.

    >>> nation(["Danes"]), nation(["U.S."]), nation(["us"]), nation(["New", "Yorkers"])
    ('Denmark', 'United States', None, 'New York')
    """
    return _table().get(_key(words))
