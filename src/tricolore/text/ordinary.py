"""Ordinary English words: those that are written in small letters inside a sentence."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

from tricolore.text.inflections import irregular_base
from tricolore.text.stop import stop_words

_ENDINGS = (
    ("ies", "y"),
    ("ied", "y"),
    ("ier", "y"),
    ("iest", "y"),
    ("ily", "y"),
    ("es", ""),
    ("es", "e"),
    ("s", ""),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("er", ""),
    ("er", "e"),
    ("ers", ""),
    ("ers", "e"),
    ("est", ""),
    ("est", "e"),
    ("ly", ""),
    ("ness", ""),
    ("less", ""),
)
_DOUBLED = ("ed", "ing", "er", "ers", "est")
_PREFIXES = ("un", "re", "non", "pre", "over", "anti", "mis")


@cache
def _list() -> frozenset[str]:
    text = files("tricolore.text").joinpath("data/ordinary-words.txt").read_text("utf-8")
    return frozenset(text.split()) | stop_words("nltk")


@lru_cache(maxsize=100_000)
def is_ordinary(word: str) -> bool:
    """Whether a word, or the word that it is a form of, is an ordinary one.

    >>> is_ordinary("Takeovers"), is_ordinary("Ran"), is_ordinary("Marlowe")
    (True, True, False)
    """
    word = word.lower()
    if len(word) > 30 or not word.isalpha():
        return False
    return _has(word) or any(
        word.startswith(prefix) and _has(word.removeprefix(prefix)) for prefix in _PREFIXES
    )


def _has(word: str) -> bool:
    listed = _list()
    if word in listed or irregular_base(word) in listed:
        return True
    american = word.replace("isation", "ization").replace("our", "or")
    spellings = {
        word,
        american,
        *(american.replace(s, z) for s, z in (("ise", "ize"), ("isi", "izi"))),
    }
    for spelt in spellings:
        if spelt in listed:
            return True
        for ending, instead in _ENDINGS:
            if spelt.endswith(ending) and len(spelt) - len(ending) > 2:
                base = spelt.removesuffix(ending)
                if base + instead in listed:
                    return True
                if ending in _DOUBLED and base[-1] == base[-2] and base[:-1] in listed:
                    return True
    return False
