"""Synonyms from WordNet, if NLTK finds its data."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any


@cache
def _wordnet() -> Any:
    from nltk.corpus import wordnet

    try:
        wordnet.ensure_loaded()
    except LookupError:
        return None
    return wordnet


def wordnet_version() -> str:
    """The version of the WordNet that NLTK finds; "none" where it finds none."""
    wordnet = _wordnet()
    return str(wordnet.get_version()) if wordnet else "none"


@lru_cache(maxsize=100_000)
def senses(word: str) -> frozenset[str]:
    """The names of the synsets of a word or its base form."""
    wordnet = _wordnet()
    return frozenset(sense.name() for sense in wordnet.synsets(word)) if wordnet else frozenset()


@lru_cache(maxsize=100_000)
def synonyms(word: str) -> frozenset[str]:
    """The single words, as WordNet writes them, that share a synset with a word."""
    wordnet = _wordnet()
    if not wordnet:
        return frozenset()
    names = (lemma.name() for sense in wordnet.synsets(word) for lemma in sense.lemmas())
    return frozenset(name for name in names if "_" not in name)
