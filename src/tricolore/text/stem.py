"""Porter's stemmer, as the rouge-score package uses it."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.stem.porter import PorterStemmer


@cache
def _porter() -> PorterStemmer:
    from nltk.stem.porter import PorterStemmer  # importing NLTK takes most of a second

    return PorterStemmer()


@lru_cache(maxsize=200_000)
def porter(word: str) -> str:
    """The stem of a word of any length.

    >>> porter("was")
    'wa'
    """
    stemmed: str = _porter().stem(word)
    return stemmed


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The stem of a word; words of three letters or fewer stay as they are.

    >>> stem("summaries")
    'summari'
    """
    return porter(word) if len(word) > 3 else word
