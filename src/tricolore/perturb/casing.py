"""The case of a word: lower case, capitalized, or upper case."""

from __future__ import annotations

from typing import Literal

Casing = Literal["small", "capital first", "capitals", "mixed", "none"]


def casing(word: str) -> Casing:
    """The case of a word; `none` if it has no letter with a case.

    >>> casing("tax"), casing("Rome"), casing("FBI"), casing("iPhone"), casing("1984")
    ('small', 'capital first', 'capitals', 'mixed', 'none')
    """
    if word.lower() == word.upper():
        return "none"
    if word.islower():
        return "small"
    if word.isupper() and sum(letter.isalpha() for letter in word) > 1:
        return "capitals"
    return "capital first" if word[:1].isupper() else "mixed"


def fits(new: str, old: str) -> bool:
    """Whether a word has the case of another; a word without case fits everywhere.

    >>> fits("London", "city"), fits("London", "Paris"), fits("the", "1984")
    (False, True, True)
    """
    return "none" in (casing(old), casing(new)) or casing(new) == casing(old)


def recased(new: str, old: str) -> str:
    """A word in the case of another.

    >>> recased("london", "Paris"), recased("He", "FBI"), recased("Bob", "man")
    ('London', 'HE', 'bob')
    """
    match casing(old):
        case "small":
            return new.lower()
        case "capitals":
            return new.upper()
        case "capital first":
            return new[:1].upper() + new[1:]
        case _:
            return new
