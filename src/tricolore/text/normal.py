"""Unicode's compatibility decomposition, with the way back to the text as it was given."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Normal:
    """A text after normalisation, and for each of its characters where that came from."""

    text: str
    starts: tuple[int, ...] | None
    ends: tuple[int, ...] | None
    """None where nothing has changed."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the normal text stands in the text that was given."""
        if self.starts is None or self.ends is None or start >= end:
            return start, end
        return self.starts[start], self.ends[end - 1]


def as_given(text: str) -> Normal:
    """The text itself, where a normal one is asked for."""
    return Normal(text, None, None)


def nfkd(text: str) -> Normal:
    """A text in Unicode's normal form NFKD: ligatures, accents and wide letters taken apart.

    >>> found = nfkd("a ﬁne café")
    >>> found.text[2:6], found.span(2, 6)
    ('fine', (2, 5))
    """
    if unicodedata.is_normalized("NFKD", text):
        return as_given(text)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        piece = unicodedata.normalize("NFKD", text[start:end])
        pieces.append(piece)
        starts += [start] * len(piece)
        ends += [end] * len(piece)
    return Normal("".join(pieces), tuple(starts), tuple(ends))


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """A letter with its marks: marks may change places among themselves, nothing else does."""
    start = 0
    for at, letter in enumerate(text):
        if at > start and not unicodedata.combining(unicodedata.normalize("NFKD", letter)[0]):
            yield start, at
            start = at
    if text:
        yield start, len(text)
