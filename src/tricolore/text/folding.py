"""Spelling without case, accents and marks inside words, to compare names."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
_MARKS = re.compile(r"[. '’‘`´\-‐‑–]")
_UMLAUT = re.compile(r"(?<=[^aeiouy])([aou])e(?=[bcdfghjklmnpqrstvwxz]{1,3}[a-z])")


@lru_cache(maxsize=100_000)
def folded(word: str) -> str:
    """A word without case, accents, full stops, apostrophes and hyphens.

    >>> folded("Müller"), folded("Mueller"), folded("O’Brien"), folded("U.S.")
    ('muller', 'muller', 'obrien', 'us')
    """
    plain = _MARKS.sub("", word.casefold().translate(_LETTERS))
    if not plain.isascii():
        letters = unicodedata.normalize("NFKD", plain)
        plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    # Mueller is how Müller is written where there is no ü.
    return _UMLAUT.sub(r"\1", plain) if len(plain) > 4 else plain
