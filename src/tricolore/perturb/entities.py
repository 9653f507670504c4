"""Names, dates and numbers in a text, by rule of thumb: capitals and digits, no model.

A capital at the head of a sentence says nothing, so such a word counts as a name only if it is also
written with a capital inside a sentence. The rules were made for English news text; they make
mistakes, but need no download.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tricolore.memo import remembered
from tricolore.text.sentences import sentence_spans
from tricolore.text.stop import stop_words

EntityKind = Literal["name", "date", "number"]

_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|\w+(?:[-.&’'](?!s\b)\w+)*")
_OPENING = "\"'“‘«([ \t\n-–—•*"
_JOINTS = frozenset({"of", "de", "la", "van", "von", "bin", "al", "du"})
_DATES = frozenset(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May "
    "June July August September October November December".split()
)
_DIGITS = re.compile(r"(?<![\w.,-])\d+(?:[.,:]\d+)*(?!\w)")
_NUMBER_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred "
    "dozen".split()
)
_COUNTED = re.compile(rf"(?<![\w-])(?:{'|'.join(_NUMBER_WORDS)})(?![\w-])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entity:
    """A name, a date or a number and its position."""

    start: int
    end: int
    text: str
    kind: EntityKind

    @property
    def form(self) -> str:
        """What a number looks like: a year, digits with or without a fraction, a word."""
        if not self.text[:1].isdigit():
            return "word"
        if re.fullmatch(r"(?:1[5-9]|20)\d\d", self.text):
            return "year"
        return "fraction" if re.search(r"\.\d", self.text) else "digits"


def names(text: str, known: Iterable[str] = ()) -> list[Entity]:
    """The names and dates of a text; `known` are words that are names elsewhere.

    >>> [e.text for e in names("Police say Eric Holder met the Bank of England on Friday.")]
    ['Eric Holder', 'Bank of England', 'Friday']
    """
    known = {*known, *capitalised(text)}
    heads = _heads(text)
    words = [m for m in _WORD.finditer(text) if _is_name(m, heads, known)]
    runs: list[list[re.Match[str]]] = []
    for word in words:
        if runs and _joined(text, runs[-1][-1], word):
            runs[-1].append(word)
        else:
            runs.append([word])
    found = [(run[0].start(), run[-1].end()) for run in runs]
    return [Entity(a, b, text[a:b], "date" if text[a:b] in _DATES else "name") for a, b in found]


def numbers(text: str) -> list[Entity]:
    """The numbers of a text, in digits and in words.

    >>> [e.text for e in numbers("Some 1,200 people and nine dogs, up 3.5% since 1984.")]
    ['1,200', 'nine', '3.5', '1984']
    """
    found = [m.span() for pattern in (_DIGITS, _COUNTED) for m in pattern.finditer(text)]
    return [Entity(a, b, text[a:b], "number") for a, b in sorted(found)]


@remembered
def capitalised(text: str) -> frozenset[str]:
    """The words that have a capital inside a sentence, where it means something.

    >>> sorted(capitalised("Police in Rome said so. Rome slept."))
    ['Rome']
    """
    heads = _heads(text)
    found = (m for m in _WORD.finditer(text) if m[0][:1].isupper() and m.start() not in heads)
    return frozenset(m[0] for m in found if m[0].lower() not in stop_words("nltk"))


def _heads(text: str) -> set[int]:
    """The positions of the first words of sentences."""
    found = set()
    for start, end in sentence_spans(text):
        while start < end and text[start] in _OPENING:
            start += 1
        found.add(start)
    return found


def _is_name(word: re.Match[str], heads: set[int], known: set[str]) -> bool:
    said = word[0]
    if not said[:1].isupper() or len(said) < 2 or said.lower() in stop_words("nltk"):
        return False
    return word.start() not in heads or said in known


def _joined(text: str, before: re.Match[str], after: re.Match[str]) -> bool:
    """Whether two capitalised words are parts of one name."""
    if before[0] in _DATES or after[0] in _DATES:
        return False
    between = text[before.end() : after.start()]
    return between == " " or (between[:1] == between[-1:] == " " and between.strip() in _JOINTS)
