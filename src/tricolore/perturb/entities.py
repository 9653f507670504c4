"""Names, dates and numbers in a text, by rule of thumb: capitals (`text.names`) and digits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tricolore.text import names as finder

EntityKind = Literal["name", "date", "number"]

_DATES = frozenset(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May "
    "June July August September October November December".split()
)
_DIGITS = re.compile(r"(?<![\w.,-])\d+(?:[.,:]\d+)*(?!\w)")
_NUMBER_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred "
    "dozen".split()
)
_COUNTED = re.compile(rf"(?<![\w-])(?:{'|'.join(_NUMBER_WORDS)})(?![\w-])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entity:
    """A name, a date or a number and its position."""

    start: int
    end: int
    text: str
    kind: EntityKind

    @property
    def form(self) -> str:
        """What a number looks like: a year, digits with or without a fraction, a word."""
        if not self.text[:1].isdigit():
            return "word"
        if re.fullmatch(r"(?:1[5-9]|20)\d\d", self.text):
            return "year"
        return "fraction" if re.search(r"\.\d", self.text) else "digits"


def names(text: str, others: Iterable[str] = ()) -> list[Entity]:
    """The names, weekdays and months of a text; `others` show which words are names elsewhere.

    >>> [e.text for e in names("Police say Eric Holder met the Bank of England on Friday.")]
    ['Eric Holder', 'Bank of England', 'Friday']
    """
    others = tuple(others)
    found = finder.names(text, others)
    inside = frozenset[str]().union(*(finder.capitalised(known) for known in (text, *others)))
    dates = [
        token
        for token in finder.tokens(text)
        if token.text in _DATES and not (token.head and token.lower not in inside)
    ]
    taken = {at for name in found for at in range(name.start, name.end)}
    entities = [Entity(n.start, n.end, text[n.start : n.end], "name") for n in found]
    entities += [Entity(d.start, d.end, d.text, "date") for d in dates if d.start not in taken]
    return sorted(entities, key=lambda entity: entity.start)


def numbers(text: str) -> list[Entity]:
    """The numbers of a text, in digits and in words.

    >>> [e.text for e in numbers("Some 1,200 people and nine dogs, up 3.5% since 1984.")]
    ['1,200', 'nine', '3.5', '1984']
    """
    found = [m.span() for pattern in (_DIGITS, _COUNTED) for m in pattern.finditer(text)]
    return [Entity(a, b, text[a:b], "number") for a, b in sorted(found)]
