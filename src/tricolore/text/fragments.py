"""Extractive fragments: the word sequences that a summary shares with its source."""

from __future__ import annotations

import sys
from bisect import bisect_right
from itertools import accumulate, chain, repeat
from typing import Literal, NamedTuple

from tricolore.text.memo import remembered
from tricolore.text.words import Tokenizer, words

Matching = Literal["exact", "greedy"]
"""How the longest match at a word of the summary is looked for.

exact   the longest that there is
greedy  as the newsroom package: behind a match in the source the search goes on after its last
        word, so that a longer match which begins inside it is overlooked
"""

_BORDER = "\0"
"""Stands behind each document and for no word, so that no match crosses it."""
_FOREIGN = "\1"
"""Stands in a summary for a word that the source does not have, and behind its last word."""
_FIRST = 2
"""The first code of a word."""
MOST_WORDS = sys.maxunicode - 1
"""How many different words there can be: one a character."""


class TooManyWordsError(ValueError):
    """More different words than there are characters to stand for them."""


class Fragment(NamedTuple):
    """A run of words of the summary that stands in a document of the source too.

    Places and length count words, and the place in the source is the first that fits.
    """

    summary: int
    document: int
    source: int
    length: int


class Coded(NamedTuple):
    """Documents in which each distinct word has become one character.

    A sequence of words is then a string, and Python finds strings in strings at the speed of C.
    """

    codes: dict[str, str]
    text: str
    starts: list[int]


@remembered
def coded(tokenizer: Tokenizer, lower: bool, *documents: str) -> Coded:
    """The documents of a source as one string of coded words."""
    cut = [words(document, tokenizer, lower) for document in documents]
    codes = _codes(dict.fromkeys(chain.from_iterable(cut)), _FIRST)
    texts = ["".join(map(codes.__getitem__, document)) + _BORDER for document in cut]
    starts = [0, *accumulate(map(len, texts[:-1]))]
    return Coded(codes, "".join(texts), starts)


def coded_like(source: Coded, other: tuple[str, ...]) -> str:
    """Other words in the code of a source; words that it does not have get codes of their own."""
    new = dict.fromkeys(word for word in other if word not in source.codes)
    codes = source.codes | _codes(new, _FIRST + len(source.codes)) if new else source.codes
    return "".join(map(codes.__getitem__, other))


def _codes(distinct: dict[str, None], first: int) -> dict[str, str]:
    end = first + len(distinct)
    if end > _FIRST + MOST_WORDS:
        raise TooManyWordsError(f"there are more than {MOST_WORDS:,} different words in the texts")
    return dict(zip(distinct, map(chr, range(first, end)), strict=True))


@remembered
def fragments(
    tokenizer: Tokenizer, lower: bool, matching: Matching, summary: str, *documents: str
) -> tuple[Fragment, ...]:
    """The fragments F(A, S) of a summary, in its order.

    At each word of the summary the longest sequence that stands in one of the documents too is a
    fragment, and the search goes on behind it. The two ways to look for it differ:

    >>> [f.length for f in fragments("space", True, "exact", "a a b", "a a a b")]
    [3]
    >>> [f.length for f in fragments("space", True, "greedy", "a a b", "a a a b")]
    [2, 1]
    """
    source = coded(tokenizer, lower, *documents)
    cut = words(summary, tokenizer, lower)
    seen = "".join(map(source.codes.get, cut, repeat(_FOREIGN))) + _FOREIGN
    longest = _longest if matching == "exact" else _longest_greedy
    found = []
    at = 0
    while at < len(cut):
        if seen[at] == _FOREIGN:
            at += 1
            continue
        place, length = longest(seen, at, source.text)
        document = bisect_right(source.starts, place) - 1
        found.append(Fragment(at, document, place - source.starts[document], length))
        at += length
    return tuple(found)


def _longest(summary: str, at: int, text: str) -> tuple[int, int]:
    """Where the longest match at a word of the summary first stands, and how long it is."""
    end = at
    longer = text.find(summary[at])
    while longer >= 0:
        place = longer
        end += 1
        while summary[end] == text[place + end - at]:
            end += 1
        if summary[end] == _FOREIGN:
            break
        # A longer match has this one as its beginning, so it cannot stand before it.
        longer = text.find(summary[at : end + 1], place + 1)
    return place, end - at


def _longest_greedy(summary: str, at: int, text: str) -> tuple[int, int]:
    """As `_longest`, but going on behind each match, as the newsroom package does."""
    best, most = _longest(summary, at, text)
    again = summary.find(summary[at], at + 1, at + most)
    if again < 0:
        return best, most
    # Only a match in which the first word comes again can hide another, so that the shorter ones
    # need not be looked at: the first of these long ones cannot be hidden and is longer.
    beginning = summary[at : again + 1]
    most = 0
    place = text.find(beginning)
    while place >= 0:
        length = len(beginning)
        while summary[at + length] == text[place + length]:
            length += 1
        if length > most:
            best, most = place, length
        place = text.find(beginning, place + length)
    return best, most
