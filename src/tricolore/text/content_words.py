"""The content words of a summary, and which of them its sources support.

A word is supported by the same word, by one with the same stem or base form, and, where WordNet is
installed, by a word that it is derived from or that is derived from it (announce, announcement), by
a synonym, or by something that it is a wider term for (ship, where the source has a ferry). What
none of these finds is not therefore wrong: it is what a closer look should be taken at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tricolore.memo import remembered
from tricolore.text.folding import folded
from tricolore.text.inflections import irregular_base
from tricolore.text.stem import porter
from tricolore.text.stop import stop_words
from tricolore.text.synonyms import (
    derived,
    frequent_senses,
    lemmas,
    main_senses,
    similar_senses,
    wider_senses,
)
from tricolore.text.wordnet import SenseKey

_WordPlace = tuple[int, int]
"""Start and end in the source."""
WordSupport = Literal["word", "stem", "derived", "synonym", "wider"]
"""How a source supports a word.

word     the same word
stem     the same stem or base form
derived  a word of the same family
synonym  a word that shares a sense
wider    a word that this one is a wider term for
"""

_Found = tuple[WordSupport, int, _WordPlace]
"""How a word is supported, by which document, and where."""

_WORD = re.compile(r"[^\W\d_]+(?:[’'](?!(?:s|m|d|ll|re|ve|t)\b)[^\W\d_]+)*")
_FUNCTION_WORDS = frozenset(
    "also although among amongst amid another around away back could despite either else even ever "
    "every however if indeed instead just least less like many may maybe might much must neither "
    "nor now often one ones ought over per perhaps quite rather really shall should since still "
    "such than though thus till too toward towards unless until unto upon us via was well whereas "
    "whether while whose why with within without would yet".split()
)
"""Words without content that the stop list lacks."""


@dataclass(frozen=True, slots=True)
class ContentWord:
    """A content word of a summary; `support` is None if no source has anything like it."""

    start: int
    end: int
    text: str
    support: WordSupport | None = None
    document: int | None = None
    source_start: int | None = None
    source_end: int | None = None


def check_words(
    summary: str, sources: Sequence[str], skip: Iterable[tuple[int, int]] = ()
) -> list[ContentWord]:
    """Each content word of the summary and what supports it.

    `skip` are spans that are checked otherwise, such as names and numbers.

    >>> found = check_words("A vote closed the zoo.", ["They voted to close the harbour."])
    >>> [(word.text, word.support) for word in found]
    [('vote', 'stem'), ('closed', 'stem'), ('zoo', None)]
    """
    skipped = _covered(skip, len(summary))
    indexes = [_source_words(source) for source in sources]
    found = []
    known: dict[str, _Found | None] = {}
    for start, end, word in content_words(summary):
        if skipped and any(skipped[start:end]):
            continue
        if word not in known:
            known[word] = _supported(word, indexes)
        if support := known[word]:
            how, document, place = support
            found.append(ContentWord(start, end, summary[start:end], how, document, *place))
        else:
            found.append(ContentWord(start, end, summary[start:end]))
    return found


@remembered
def content_words(text: str) -> tuple[tuple[int, int, str], ...]:
    """The spans and folded forms of the words of a text that are no function words.

    >>> content_words("They can't vote.")
    ((11, 15, 'vote'),)
    """
    found = ((m.start(), m.end(), folded(m[0])) for m in _WORD.finditer(text))
    return tuple(item for item in found if _has_content(item[2]))


def _has_content(word: str) -> bool:
    return len(word) > 1 and word not in stop_words("nltk") and word not in _FUNCTION_WORDS


def _covered(spans: Iterable[tuple[int, int]], length: int) -> bytearray:
    covered = bytearray()
    for start, end in spans:
        covered = covered or bytearray(length)
        covered[start:end] = b"\1" * (end - start)
    return covered


def _supported(word: str, indexes: Sequence[_SourceWords]) -> _Found | None:
    """The strongest support that any source has."""
    for how, look_up in _LOOKUPS:
        for document, index in enumerate(indexes):
            if place := look_up(index, word):
                return how, document, place
    return None


@lru_cache(maxsize=100_000)
def stems(word: str) -> frozenset[str]:
    """The stem of a word and the stems of its base forms.

    >>> sorted(stems("children"))
    ['child', 'children']
    """
    bases = {word, irregular_base(word), *lemmas(word)}
    return frozenset(porter(base) for base in bases)


class _SourceWords:
    """The content words of a source by what supports others."""

    def __init__(self, text: str) -> None:
        self._words: dict[str, _WordPlace] = {}
        self._small: dict[str, _WordPlace] = {}  # names have no synonyms
        for start, end, word in content_words(text):
            self._words.setdefault(word, (start, end))
            if text[start].islower():
                self._small.setdefault(word, (start, end))
        self._stems: dict[str, _WordPlace] = {}
        self._forms: dict[str, _WordPlace] = {}
        for word, place in self._words.items():
            for stem in stems(word):
                self._stems.setdefault(stem, place)
            for form in {word, *lemmas(word)}:
                self._forms.setdefault(form, place)
        self._senses: dict[SenseKey, _WordPlace] | None = None
        self._wider: dict[SenseKey, _WordPlace] | None = None

    def word(self, word: str) -> _WordPlace | None:
        """Where the same word is."""
        return self._words.get(word)

    def stem(self, word: str) -> _WordPlace | None:
        """Where a word with the same stem is."""
        return next((self._stems[stem] for stem in stems(word) if stem in self._stems), None)

    def derived(self, word: str) -> _WordPlace | None:
        """Where a word of the same family is."""
        places = (self._forms[other] for other in derived(word) if other in self._forms)
        return min(places, default=None)

    def synonym(self, word: str) -> _WordPlace | None:
        """Where a word that shares a frequent sense is."""
        if self._senses is None:
            self._senses = _first(self._small, frequent_senses)
        return min(
            (self._senses[s] for s in similar_senses(word) if s in self._senses), default=None
        )

    def wider(self, word: str) -> _WordPlace | None:
        """Where a word is that this one is a wider term for."""
        if self._wider is None:
            self._wider = _first(self._small, wider_senses)
        return min((self._wider[s] for s in main_senses(word) if s in self._wider), default=None)


def _first(
    words: Mapping[str, _WordPlace], senses_of: Callable[[str], Iterable[SenseKey]]
) -> dict[SenseKey, _WordPlace]:
    """Where each sense of the words is first."""
    found: dict[SenseKey, _WordPlace] = {}
    for word, place in words.items():
        for sense in senses_of(word):
            found.setdefault(sense, place)
    return found


_LOOKUPS: tuple[tuple[WordSupport, Callable[[_SourceWords, str], _WordPlace | None]], ...] = (
    ("word", _SourceWords.word),
    ("stem", _SourceWords.stem),
    ("derived", _SourceWords.derived),
    ("synonym", _SourceWords.synonym),
    ("wider", _SourceWords.wider),
)


@remembered
def _source_words(text: str) -> _SourceWords:
    return _SourceWords(text)
