"""The names and words of one source, arranged so that names can be looked up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TypeVar

from tricolore.memo import remembered
from tricolore.text import name_words as lists
from tricolore.text.folding import folded
from tricolore.text.names import LONGEST_WORD, CasedWord, Name, is_lowercase, names, tokens
from tricolore.text.nations import nation, nation_starts

Place = tuple[int, int]
"""Start and end in the source."""

ItemT = TypeVar("ItemT")

_MOST_PLACES = 100
"""How many occurrences of one word are looked at."""
_ALIKE = 0.7
"""How alike two spellings are, from 0 to 1, that one may stand for the other."""
_BREAKS = frozenset(',;:!?\n()[]|/"“”')


@remembered
def source_names(text: str) -> SourceNames:
    """The index of a source."""
    return SourceNames(text)


class SourceNames:
    """Looks up the words of a name, folded by `folded`, in one source."""

    def __init__(self, text: str) -> None:
        words = tokens(text)
        self._words = [word for word in words if word.text not in _SKIPPED]
        self._keys = [folded(word.text) for word in self._words]
        self._glued = _glued(text, self._words)
        self._places: dict[str, list[int]] = {}
        for at, key in enumerate(self._keys):
            _add(self._places, key, at)
        self._small = frozenset(folded(word.text) for word in words if word.text.islower())
        self._names = names(text)
        self._name_keys = [_keys(name) for name in self._names]
        self._by_word: dict[str, list[int]] = {}
        self._by_letter: dict[str, list[str]] = {}
        self._whole: dict[tuple[str, ...], int] = {}
        self._pairs: dict[tuple[str, str], int] = {}
        self._first: set[str] = set()
        self._last: set[str] = set()
        self.initials: dict[str, Place] = {}
        for number, keys in enumerate(self._name_keys):
            self._keep_name(number, keys)
        self.acronyms: dict[str, Place] = {}
        for word, key in zip(self._words, self._keys, strict=True):
            if len(key) > 1 and word.text.replace(".", "").isupper():
                self.acronyms.setdefault(key, (word.start, word.end))
        self._countries = dict(_countries(words, is_lowercase(text)))

    def _keep_name(self, number: int, keys: tuple[str, ...]) -> None:
        name = self._names[number]
        if keys in self._whole:
            return
        self._whole[keys] = number
        for key in dict.fromkeys(keys):
            if key not in self._by_word:
                _add(self._by_letter, key[:1], key)
            _add(self._by_word, key, number)
        if len(keys) > 1:
            place = name.start, name.end
            self.initials.setdefault("".join(key[0] for key in keys), place)
            self._first.add(keys[0])
            self._last.add(keys[-1])
            for pair in pairwise(keys):
                self._pairs.setdefault(pair, number)

    def is_small(self, key: str) -> bool:
        """Whether the source has a word in small letters."""
        return any(form in self._small for form in forms(key))

    def has_pair(self, one: str, other: str) -> bool:
        """Whether two words follow each other in a name."""
        return (one, other) in self._pairs

    def is_mixture(self, one: str, other: str) -> bool:
        """Whether two words begin and end different names, as a first name and a surname do."""
        return one in self._first and other in self._last and not self.has_pair(one, other)

    def name_word(self, key: str) -> Place | None:
        """Where a word is part of a name."""
        found = self._by_word.get(key)
        return self._place_of_name(found[0]) if found else None

    def word(self, key: str) -> Place | None:
        """Where a word is; a given name such as Bill is not the word that looks the same."""
        if place := self.name_word(key):
            return place
        found = self._places.get(key)
        if not found:
            return None
        capitals = [at for at in found if self._words[at].capital]
        if not capitals and key in lists.GIVEN_NAMES and self._names:
            return None
        at = (capitals or found)[0]
        return self._words[at].start, self._words[at].end

    def words_in_order(self, keys: Sequence[str]) -> Place | None:
        """Where words follow each other in a sentence, whatever their case."""
        if len(keys) == 1:
            return next(filter(None, map(self.word, forms(keys[0]))), None) or self._split(keys[0])
        anchor = min(range(len(keys)), key=lambda at: self._count(keys[at]))
        for form in forms(keys[anchor]):
            for at in self._places.get(form, ()):
                first = at - anchor
                if first >= 0 and self._has(first, keys):
                    return self._words[first].start, self._words[first + len(keys) - 1].end
        joined = self._places.get("".join(keys))  # Wal-Mart and Walmart
        return (self._words[joined[0]].start, self._words[joined[0]].end) if joined else None

    def part_of_name(self, keys: Sequence[str]) -> Place | None:
        """Where a name has these words in this order, perhaps with others between."""
        full = [key for key in keys if len(key) > 1]
        if not full:
            return None
        rarest = min(full, key=lambda key: len(self._by_word.get(key, ())) or _MOST_PLACES)
        for form in forms(rarest):
            for number in self._by_word.get(form, ()):
                if _is_part(keys, self._name_keys[number]):
                    return self._place_of_name(number)
        return None

    def whole_name(self, keys: Sequence[str]) -> Place | None:
        """Where these words are a name by themselves, which is no part of a longer one."""
        number = self._whole.get(tuple(keys))
        if number is None:
            return None
        if len(keys) == 1 and any(len(self._name_keys[n]) > 1 for n in self._by_word[keys[0]]):
            return None
        return self._place_of_name(number)

    def country(self, words: Sequence[str]) -> Place | None:
        """Where the source names the country that words name or belong to."""
        found = nation(words)
        return self._countries.get(found) if found else None

    def nearest(self, words: Sequence[str], spelling: bool) -> tuple[float, Place] | None:
        """The name that shares most words, or else has a word spelt alike, and how near it is."""
        keys = [folded(word) for word in words]
        shared: dict[int, int] = {}
        for key in keys:
            for number in self._by_word.get(key, ()):
                shared[number] = shared.get(number, 0) + 1
        if shared:
            best = max(shared, key=lambda n: (shared[n] / len(self._name_keys[n]), -n))
            return 1 + shared[best] / max(len(keys), 1), self._place_of_name(best)
        if not spelling:
            return None
        found: tuple[float, int] | None = None
        for key in keys:
            if len(key) > 2 and (alike := self._alike(key)) and (not found or alike > found):
                found = alike
        return (found[0], self._place_of_name(found[1])) if found else None

    def _alike(self, key: str) -> tuple[float, int] | None:
        """The name with the word that is spelt most alike, among those with the same initial."""
        matcher = SequenceMatcher(autojunk=False)
        matcher.set_seq2(key)
        best, found = _ALIKE, None
        for word in self._by_letter.get(key[:1], ()):
            matcher.set_seq1(word)
            if matcher.real_quick_ratio() <= best or matcher.quick_ratio() <= best:
                continue
            if (ratio := matcher.ratio()) > best:
                best, found = ratio, self._by_word[word][0]
        return (best, found) if found is not None else None

    def _place_of_name(self, number: int) -> Place:
        return self._names[number].start, self._names[number].end

    def _count(self, key: str) -> int:
        return sum(len(self._places.get(form, ())) for form in forms(key))

    def _has(self, first: int, keys: Sequence[str]) -> bool:
        last = first + len(keys) - 1
        return (
            last < len(self._keys)
            and all(self._glued[first:last])
            and all(map(same, keys, self._keys[first : last + 1]))
        )

    def _split(self, key: str) -> Place | None:
        """The two words of the source that a summary writes as one."""
        if len(key) > LONGEST_WORD:
            return None
        for cut in range(3, len(key) - 2):
            number = self._pairs.get((key[:cut], key[cut:]))
            if number is not None:
                return self._place_of_name(number)
        return None


_SKIPPED = lists.PARTICLES | {"of", "the"}


def _keys(name: Name) -> tuple[str, ...]:
    return tuple(key for word in name.words if (key := folded(word)))


def _add(places: dict[str, list[ItemT]], key: str, at: ItemT) -> None:
    found = places.setdefault(key, [])
    if len(found) < _MOST_PLACES:
        found.append(at)


def _glued(text: str, words: Sequence[CasedWord]) -> list[bool]:
    """Whether nothing but spaces, hyphens and particles is between each word and the next."""
    found = []
    for before, after in pairwise(words):
        between = text[before.end : min(after.start, before.end + 20)]
        stop = "." in between and len(before.text) > 1 and before.lower not in lists.ABBREVIATED
        found.append(not stop and not _BREAKS.intersection(between))
    return [*found, False]


def _countries(words: Sequence[CasedWord], lowercase: bool) -> Iterator[tuple[str, Place]]:
    """Places in the table and where they are named, from the end to the beginning."""
    starts = nation_starts()
    for at in range(len(words) - 1, -1, -1):
        more = starts.get(folded(words[at].text))
        if more is None or not (words[at].capital or lowercase):
            continue
        for last in range(min(at + more, len(words) - 1), at - 1, -1):
            if found := nation([word.text for word in words[at : last + 1]]):
                yield found, (words[at].start, words[last].end)
                break


def forms(key: str) -> tuple[str, ...]:
    """A word, and its singular or plural."""
    if len(key) < 4:
        return (key,)
    if key.endswith("ies"):
        return key, key[:-3] + "y"
    if key.endswith("s"):
        return key, key[:-1]
    return key, key + "s"


def same(one: str, other: str) -> bool:
    """Whether two folded words are one, apart from a plural."""
    return one == other or (len(one) > 3 and other in forms(one)) or one in forms(other)


def _is_part(keys: Iterable[str], of: Sequence[str]) -> bool:
    """Whether words are in a name in this order; an initial stands for a word, and reversed."""
    rest = iter(of)
    return all(any(_fits(key, word) for word in rest) for key in keys)


def _fits(key: str, word: str) -> bool:
    if len(key) == 1 or len(word) == 1:
        return key[0] == word[0]
    return same(key, word)
