"""The sentences that GRUEN reads, each with its place in the summary."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tricolore.text.sentences import sentence_spans

Cleaning = Literal["released", "none"]
"""What is done to a summary before it is cut into sentences.

released  line breaks become full stops, every full stop is followed by a space, and two numbers
          with a full stop between them (a decimal fraction) become UNK
none      nothing
"""
_REPLACED = (
    ("\n\n", ". "),
    ("\n", ". "),
    ("..", "."),
    (".", ". "),
    (". . ", ". "),
    (".  . ", ". "),
)
_FRACTION = re.compile(r"\d+\. \d+")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True)
class GruenSentence:
    """A sentence as GRUEN reads it, and the characters of the summary that it comes from."""

    text: str
    start: int
    end: int
    places: tuple[int, ...]
    """The place in the summary of each character of `text`."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the summary that a part of the sentence comes from."""
        return self.places[start], self.places[end - 1] + 1


def gruen_sentences(summary: str, cleaning: Cleaning) -> list[GruenSentence]:
    """The sentences of a summary that have two words or more.

    >>> [s.text for s in gruen_sentences("It rose 2.5 percent.Then it fell. Why?", "released")]
    ['It rose UNK percent.', 'Then it fell.']
    """
    text = _Tracked(summary, tuple(range(len(summary))))
    if cleaning == "released":
        text = _cleaned(text)
    return [
        GruenSentence(
            text.letters[start:end],
            text.places[start],
            text.places[end - 1] + 1,
            text.places[start:end],
        )
        for start, end in sentence_spans(text.letters)
        if len(text.letters[start:end].translate(_NO_PUNCTUATION).split()) > 1
    ]


@dataclass(frozen=True)
class _Tracked:
    """A text and, for every character, where in the original it comes from."""

    letters: str
    places: tuple[int, ...]

    def replaced(self, old: str, new: str) -> _Tracked:
        """This text with all occurrences replaced, as `str.replace` does."""
        return self._joined(_occurrences(self.letters, old), len(old), new)

    def _joined(self, found: Iterator[int], length: int, new: str) -> _Tracked:
        letters: list[str] = []
        places: list[int] = []
        end = 0
        for start in found:
            letters += [self.letters[end:start], new]
            places += self.places[end:start]
            places += [self.places[start]] * len(new)
            end = start + length
        return _Tracked("".join([*letters, self.letters[end:]]), (*places, *self.places[end:]))

    def stripped(self) -> _Tracked:
        """This text without white space at its ends."""
        start = len(self.letters) - len(self.letters.lstrip())
        end = max(start, len(self.letters.rstrip()))
        return _Tracked(self.letters[start:end], self.places[start:end])


def _occurrences(text: str, sought: str) -> Iterator[int]:
    at = text.find(sought)
    while at >= 0:
        yield at
        at = text.find(sought, at + len(sought))


def _cleaned(text: _Tracked) -> _Tracked:
    """The steps of `preprocess_candidates` in the authors' code, in their order."""
    text = text.stripped()
    for old, new in _REPLACED:
        text = text.replaced(old, new)
    while "  " in text.letters:
        text = text.replaced("  ", " ")
    while found := _FRACTION.search(text.letters):
        text = text.replaced(found.group(), "UNK")
    return text.stripped()
