"""Words that are negated in the sources of a summary but not in the summary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tricolore.memo import remembered
from tricolore.text.content_words import content_words, stems

_CUE = re.compile(
    r"\b(?:not|cannot|never|no|without|neither|nor|nobody|nothing|none)\b"
    r"|n ?['’] ?t\b|(?<!\w)['’]t\b",  # some tokenizers separate n't, or drop its n
    re.IGNORECASE,
)
_BREAK = re.compile(r"[.,;:!?()\n\"“”–—]|\b(?:but|and|or|because|although|while|than)\b")
_IDIOM = re.compile(
    r"not (?:only|just|least|to mention|surprisingly)|no (?:longer|doubt|matter|one)|no\.|no \d"
    r"|nothing but|why not|if not",
    re.IGNORECASE,
)
_LIGHT = frozenset("able expected going get got likely possible take think believe".split())
"""Words that say little by themselves: what follows them is negated too."""
_REACH = 40
"""How many characters a negation reaches."""


@dataclass(frozen=True, slots=True)
class LostNegation:
    """A word of the summary that the sources have only negated, and where they have it first."""

    start: int
    end: int
    document: int
    source_start: int
    source_end: int


@remembered
def negations(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of words that negate: not, n't, no, never, without and so on.

    >>> text = "They can't stay, not only here."
    >>> [text[start:end] for start, end in negations(text)]
    ["n't"]
    """
    return tuple(m.span() for m in _CUE.finditer(text) if not _IDIOM.match(text, m.start()))


def lost_negations(summary: str, sources: Sequence[str]) -> list[LostNegation]:
    """The words that the sources always negate, and the summary does not.

    The other way round, a negation that only the summary has, is left alone: a faithful summary may
    say "without power" where the source has "brought down power lines".

    >>> source = "The team has not published the site, which guides found."
    >>> [found.start for found in lost_negations("It has published the site.", [source])]
    [7]
    """
    indexes = [_polarities(source) for source in sources]
    found = []
    for start, end, forms, negated in _words(summary):
        if negated or any(form in others for _, others in indexes for form in forms):
            continue
        for document, (places, _) in enumerate(indexes):
            place = next((places[form] for form in forms if form in places), None)
            if place:
                found.append(LostNegation(start, end, document, *place))
                break
    return found


@remembered
def _words(text: str) -> tuple[tuple[int, int, frozenset[str], bool], ...]:
    """The content words, their stems, and whether each is negated."""
    words = content_words(text)
    negated: set[int] = set()
    at = 0
    for _, end in negations(text):
        while at < len(words) and words[at][0] < end:
            at += 1
        then = at
        while then < len(words) and _reaches(text, end, words[then][0]):
            if words[then][2] not in _LIGHT:
                negated.add(words[then][0])
                break
            then += 1
    return tuple((a, b, stems(word), a in negated) for a, b, word in words)


def _reaches(text: str, end: int, start: int) -> bool:
    return start - end < _REACH and not _BREAK.search(text, end, start)


@remembered
def _polarities(text: str) -> tuple[dict[str, tuple[int, int]], frozenset[str]]:
    """Where each stem is negated first, and the stems that are somewhere not negated."""
    negated: dict[str, tuple[int, int]] = {}
    others: set[str] = set()
    for start, end, forms, is_negated in _words(text):
        if is_negated:
            for form in forms:
                negated.setdefault(form, (start, end))
        else:
            others |= forms
    return negated, frozenset(others)
