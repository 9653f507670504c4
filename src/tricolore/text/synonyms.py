"""Words of the same or of a wider meaning, from WordNet if it is installed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from tricolore.text.wordnet import PARTS, PartOfSpeech, SenseKey, WordNet, installed_wordnet

_FREQUENT = 4
"""How many of the most frequent senses of a word count where a text may mean any of them."""
_MAIN = 2
"""The same, where the relation is looser."""
_DERIVED = ("+", "\\")
_WIDER = ("@", "@i")
_ALIKE = ("&",)
_WITH_KINDS: tuple[PartOfSpeech, ...] = ("n", "v")


def wordnet_version() -> str:
    """The version of the WordNet that is installed; "none" if there is none."""
    wordnet = installed_wordnet()
    return wordnet.version if wordnet else "none"


@lru_cache(maxsize=100_000)
def senses(word: str) -> frozenset[SenseKey]:
    """The synsets of a word or its base forms."""
    wordnet = installed_wordnet()
    return frozenset(_senses(wordnet, word)) if wordnet else frozenset()


@lru_cache(maxsize=100_000)
def synonyms(word: str) -> frozenset[str]:
    """The single words, as WordNet writes them, that share a synset with a word."""
    wordnet = installed_wordnet()
    if not wordnet:
        return frozenset()
    found = (other for key in _senses(wordnet, word) for other in wordnet.synset(key).words)
    return frozenset(other for other in found if "_" not in other)


@lru_cache(maxsize=100_000)
def lemmas(word: str) -> frozenset[str]:
    """The base forms that a word may have, as noun, verb, adjective or adverb."""
    wordnet = installed_wordnet()
    if not wordnet:
        return frozenset()
    return frozenset(form for part in PARTS for form in wordnet.base_forms(word, part))


@lru_cache(maxsize=100_000)
def derived(word: str) -> frozenset[str]:
    """The words that are derived from a word or that it is derived from: announce, announcement."""
    wordnet = installed_wordnet()
    if not wordnet:
        return frozenset()
    forms = lemmas(word)
    found = set()
    for key in _senses(wordnet, word):
        synset = wordnet.synset(key)
        for symbol, other, source, target in synset.pointers:
            if symbol in _DERIVED and source and synset.words[source - 1].lower() in forms:
                found.add(wordnet.synset(other).words[target - 1].lower())
    return frozenset(found)


@lru_cache(maxsize=100_000)
def frequent_senses(word: str) -> frozenset[SenseKey]:
    """The most frequent synsets of a word, as each part of speech."""
    wordnet = installed_wordnet()
    if not wordnet:
        return frozenset()
    return frozenset(key for part in PARTS for key in wordnet.senses(word, part)[:_FREQUENT])


@lru_cache(maxsize=100_000)
def similar_senses(word: str) -> frozenset[SenseKey]:
    """The most frequent synsets of a word, and those of adjectives that are like it."""
    wordnet = installed_wordnet()
    found = frequent_senses(word)
    return found | _related(wordnet, found, _ALIKE) if wordnet else found


@lru_cache(maxsize=100_000)
def main_senses(word: str) -> frozenset[SenseKey]:
    """The very most frequent synsets of a word as a noun and as a verb."""
    wordnet = installed_wordnet()
    if not wordnet:
        return frozenset()
    return frozenset(key for part in _WITH_KINDS for key in wordnet.senses(word, part)[:_MAIN])


@lru_cache(maxsize=100_000)
def wider_senses(word: str) -> frozenset[SenseKey]:
    """What a word is a kind of: one step for verbs, two for nouns (ferry, boat, vessel)."""
    wordnet = installed_wordnet()
    if not wordnet:
        return frozenset()
    first = _related(wordnet, main_senses(word), _WIDER)
    nouns = (key for key in first if key.part == "n")
    return frozenset(first | _related(wordnet, nouns, _WIDER))


def _senses(wordnet: WordNet, word: str) -> list[SenseKey]:
    return [key for part in PARTS for key in wordnet.senses(word, part)]


def _related(wordnet: WordNet, keys: Iterable[SenseKey], symbols: Sequence[str]) -> set[SenseKey]:
    pointers = (pointer for key in keys for pointer in wordnet.synset(key).pointers)
    return {pointer.synset for pointer in pointers if pointer.symbol in symbols}
