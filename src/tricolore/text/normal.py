"""Unicode normal form and lower case, with the way back to the text as it was given."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

from tricolore.memo import remembered

UnicodeForm = Literal["none", "nfkd"]


@dataclass(frozen=True)
class Normal:
    """A text in normal form; `origins` has where each character came from, if it moved."""

    text: str
    origins: tuple[int, ...] | None = None

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of the normal form to the span of the given text that it comes from."""
        if self.origins is None:
            return start, end
        places = self.origins[start:end]
        if not places:
            at = self.origins[start - 1] + 1 if start else 0
            return at, at
        return min(places), max(places) + 1


def normal_form(text: str, unicode: UnicodeForm) -> Normal:
    """The text in NFKD normal form, or as it is."""
    return nfkd(text) if unicode == "nfkd" else Normal(text)


@remembered
def nfkd(text: str) -> Normal:
    """The text in NFKD normal form, as `unicodedata` gives it.

    >>> nfkd("a ﬁne day").text
    'a fine day'
    >>> nfkd("a ﬁne day").back(2, 6)
    (2, 5)
    """
    if unicodedata.is_normalized("NFKD", text):
        return Normal(text)
    parts = [
        (part, at)
        for at, letter in enumerate(text)
        for part in unicodedata.normalize("NFKD", letter)
    ]
    _order_marks(parts)
    return Normal("".join(part for part, _ in parts), tuple(at for _, at in parts))


def _order_marks(parts: list[tuple[str, int]]) -> None:
    """Marks on one letter have a fixed order, whatever order they were typed in."""
    start = 0
    for at in range(len(parts) + 1):
        if at == len(parts) or not unicodedata.combining(parts[at][0]):
            if at - start > 1:
                parts[start:at] = sorted(
                    parts[start:at], key=lambda part: unicodedata.combining(part[0])
                )
            start = at + 1


def lower_case(text: str) -> str:
    """Lower case without moving any character: each letter by itself.

    >>> lower_case("İZMİR, Turkey")
    'İzmİr, turkey'
    """
    return "".join(small if len(small := char.lower()) == 1 else char for char in text)
