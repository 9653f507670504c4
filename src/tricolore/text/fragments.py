"""Extractive fragments: the word sequences that a summary shares with its source."""

from __future__ import annotations

import sys
from bisect import bisect_right
from itertools import accumulate, chain, repeat
from typing import Literal, NamedTuple

from rapidfuzz.distance import Prefix

from tricolore.memo import remembered
from tricolore.text.words import AnyTokenizer, words

Matching = Literal["exact", "greedy"]
"""How the longest match at a word of the summary is looked for.

exact   the longest that there is
greedy  as the newsroom package: the search continues after the last word of a match, so that a
        longer match which begins inside it is overlooked
"""

_BORDER = "\0"
"""The code after each document, which is no word's, so that no match crosses it."""
_FOREIGN = "\1"
"""The code in a summary for a word that is not in the source, and after its last word."""
_FIRST = 2
"""The first code of a word."""
_PIECE = 64
MOST_WORDS = sys.maxunicode - 1
"""The number of distinct words that can be coded: one per character."""


class TooManyWordsError(ValueError):
    """There are more distinct words than characters to code them."""


class Fragment(NamedTuple):
    """A run of words of the summary that also occurs in a document of the source.

    Positions and length count words, and the position in the source is the first match.
    """

    summary: int
    document: int
    source: int
    length: int


class Matches(NamedTuple):
    """The lengths of summary and source, and the starts and lengths of the fragments."""

    summary: int
    source: int
    at: list[int]
    places: list[int]
    lengths: list[int]


class Coded(NamedTuple):
    """Documents in which each distinct word has become one character.

    A sequence of words is then a string, and Python finds strings in strings at the speed of C.
    """

    codes: dict[str, str]
    text: str
    starts: list[int]

    @property
    def size(self) -> int:
        """How many words there are."""
        return len(self.text) - len(self.starts)


@remembered
def coded(tokenizer: AnyTokenizer, lower: bool, *documents: str) -> Coded:
    """The documents of a source as one string of coded words."""
    cut = [words(document, tokenizer, lower) for document in documents]
    codes = _codes(dict.fromkeys(chain.from_iterable(cut)), _FIRST)
    texts = ["".join(map(codes.__getitem__, document)) + _BORDER for document in cut]
    starts = [0, *accumulate(map(len, texts[:-1]))]
    return Coded(codes, "".join(texts), starts)


def coded_like(source: Coded, other: tuple[str, ...]) -> str:
    """Other words in the code of a source; words that it does not have get new codes."""
    new = dict.fromkeys(word for word in other if word not in source.codes)
    codes = source.codes | _codes(new, _FIRST + len(source.codes)) if new else source.codes
    return "".join(map(codes.__getitem__, other))


def _codes(distinct: dict[str, None], first: int) -> dict[str, str]:
    end = first + len(distinct)
    if end > _FIRST + MOST_WORDS:
        raise TooManyWordsError(f"there are more than {MOST_WORDS:,} different words in the texts")
    return dict(zip(distinct, map(chr, range(first, end)), strict=True))


def fragments(
    tokenizer: AnyTokenizer, lower: bool, matching: Matching, summary: str, *documents: str
) -> list[Fragment]:
    """The fragments F(A, S) of a summary, in its order.

    At each word of the summary, the longest sequence that also occurs in one of the documents is a
    fragment, and the search continues after it. The two ways to look for it differ:

    >>> [f.length for f in fragments("space", True, "exact", "a a b", "a a a b")]
    [3]
    >>> [f.length for f in fragments("space", True, "greedy", "a a b", "a a a b")]
    [2, 1]
    """
    starts = coded(tokenizer, lower, *documents).starts
    shared = matches(tokenizer, lower, matching, summary, *documents)
    found = []
    for at, place, length in zip(shared.at, shared.places, shared.lengths, strict=True):
        document = bisect_right(starts, place) - 1
        found.append(Fragment(at, document, place - starts[document], length))
    return found


@remembered
def matches(
    tokenizer: AnyTokenizer, lower: bool, matching: Matching, summary: str, *documents: str
) -> Matches:
    """The fragments in short, with the lengths of the texts: found once for several measures."""
    source = coded(tokenizer, lower, *documents)
    text, find = source.text, source.text.find
    seen = "".join(map(source.codes.get, words(summary, tokenizer, lower), repeat(_FOREIGN)))
    last = len(seen)
    seen += _FOREIGN
    found = Matches(last, source.size, [], [], [])
    at = 0
    while at < last:
        if seen[at] == _FOREIGN:
            at += 1
            continue
        # Most fragments are longer than a word, and few pairs of words are frequent.
        place = longer = find(seen[at : at + 2])
        end = at + 1
        while longer >= 0:
            place = longer
            end += 1
            end += _same(seen, end, text, place + end - at)
            if seen[end] == _FOREIGN:
                break
            # A longer match begins with this one, so it cannot come earlier.
            longer = find(seen[at : end + 1], place + 1)
        if place < 0:
            place = find(seen[at])
        if matching == "greedy":
            place, end = _overlooking(seen, at, end, text, place)
        found.at.append(at)
        found.places.append(place)
        found.lengths.append(end - at)
        at = end
    return found


def _overlooking(seen: str, at: int, end: int, text: str, place: int) -> tuple[int, int]:
    """The position and the end of the match that the newsroom package finds longest."""
    again = seen.find(seen[at], at + 1, end)
    if again < 0:
        return place, end
    # It goes on behind each match, and only one in which the first word comes again can hide
    # another. The first of these cannot be hidden, and is longer than any in which it does not.
    beginning = seen[at : again + 1]
    best, most = -1, 0
    place = text.find(beginning)
    while place >= 0:
        length = len(beginning)
        length += _same(seen, at + length, text, place + length)
        if length > most:
            best, most = place, length
        place = text.find(beginning, place + length)
    return best, at + most


def _same(seen: str, at: int, text: str, place: int) -> int:
    """How many words are the same from here on; compared by the piece, since texts may be long."""
    length = 0
    while True:
        same: int = Prefix.similarity(
            seen[at + length : at + length + _PIECE], text[place + length : place + length + _PIECE]
        )
        length += same
        if same < _PIECE:
            return length
