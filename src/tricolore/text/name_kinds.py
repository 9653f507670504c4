"""Whether a name is that of a person or of a place, from how a text uses it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from tricolore.memo import remembered
from tricolore.text import name_words as lists
from tricolore.text.folding import folded
from tricolore.text.names import Name, names
from tricolore.text.nations import nation
from tricolore.text.ordinary import is_ordinary

NameKind = Literal["person", "place", "other"]

_SAYS = "said|says|told|tells|added|adds|insisted|admitted|believes|believed|thinks|explained|wrote"
_AFTER_A_PERSON = re.compile(rf"(?:\s(?:who|whose|{_SAYS})\b|,\s\d\d?\b|,\swho\b|,?\s\(\d\d?\))")
_BEFORE_A_PERSON = re.compile(rf"\b(?:{_SAYS}|by)\s$")
_BEFORE_A_PLACE = re.compile(
    r"\b(?:in|at|near|from|outside|across|around|against|reached|visited)\s(?:the\s)?$"
)
_ARTICLE = re.compile(r"\b[Tt]he\s$")
_WORD_BEFORE = re.compile(r"(\w+)\.?\s$")
_ROLE = re.compile(
    r"[a-z]*(?:er|or|ist|man|woman|ian|ant|eer|ess|tain|boss|star|nurse|chief|son|wife|husband|"
    r"mother|father|brother|sister|aide|victim|cousin|friend|widow|judge|mayor|minister|coach)"
)
_NO_ROLES = frozenset(
    "after under over for or nor than per ever never other another whether rather former however "
    "together number greater upper lower inner outer later earlier september october".split()
)
_KINDS_OF_THINGS = lists.BODIES | lists.PLACE_KINDS
_NEAR = 24  # characters before and after a name that are looked at


@dataclass(frozen=True, slots=True)
class TypedName:
    """A name, its words folded by `folded`, its kind, and whether "the" stands before it."""

    name: Name
    keys: tuple[str, ...]
    kind: NameKind
    has_article: bool


@remembered
def typed_names(text: str) -> tuple[TypedName, ...]:
    """The names of a text, each with its kind.

    A name is a person's if it begins with a common given name, follows a title or a role, speaks,
    or is followed by an age. It is a place's
    (or a team's) if the text has it after "in", "at", "from" or "against". If neither is the case,
    names of two to four words are taken for people if the text shortens them to their last word.

    >>> text = "Dr Ann Lee met Bo Kern in Rome. Kern left Lee."
    >>> [(typed.keys, typed.kind) for typed in typed_names(text)][:3]
    [(('ann', 'lee'), 'person'), (('bo', 'kern'), 'person'), (('rome',), 'place')]
    """
    found = [(name, tuple(filter(None, map(folded, name.words)))) for name in names(text)]
    alone = {keys[0] for _, keys in found if len(keys) == 1}
    people = {keys for name, keys in found if _is_person(text, name, keys)}
    places = {keys for name, keys in found if _follows(text, name, _BEFORE_A_PLACE)} - people
    people |= {
        keys
        for name, keys in found
        if keys not in places and _may_be_person(keys, alone) and not _follows(text, name, _ARTICLE)
    }
    surnames = {keys[-1] for keys in people}

    def kind(keys: tuple[str, ...]) -> NameKind:
        if keys in people or (len(keys) == 1 and keys[0] in surnames):
            return "person"
        return "place" if keys in places else "other"

    return tuple(
        TypedName(
            name,
            keys,
            "other" if nation(name.words) not in (None, " ".join(name.words)) else kind(keys),
            _follows(text, name, _ARTICLE),
        )
        for name, keys in found
        if keys
    )


@cache
def given_names() -> frozenset[str]:
    """Common given names, in lower case."""
    text = files("tricolore.text").joinpath("data/given-names.txt").read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split()) | lists.GIVEN_NAMES


def _follows(text: str, name: Name, pattern: re.Pattern[str]) -> bool:
    return pattern.search(text, max(0, name.start - _NEAR), name.start) is not None


def _is_person(text: str, name: Name, keys: Sequence[str]) -> bool:
    """Whether the words around a name show that it is a person."""
    if not keys or keys[-1] in _KINDS_OF_THINGS:
        return False
    if len(keys) > 1 and keys[0] in given_names():
        return True
    before = _WORD_BEFORE.search(text, max(0, name.start - _NEAR), name.start)
    if before and before[1].lower() in lists.TITLES:
        return True
    if len(keys) == 1 or is_ordinary(keys[0]):
        return False
    return (
        (before is not None and before[1] not in _NO_ROLES and bool(_ROLE.fullmatch(before[1])))
        or _AFTER_A_PERSON.match(text, name.end, name.end + _NEAR) is not None
        or _follows(text, name, _BEFORE_A_PERSON)
    )


def _may_be_person(keys: Sequence[str], alone: set[str]) -> bool:
    """Sofie Brandt is called Brandt, but Kestrel Optics is called Kestrel."""
    if not 2 <= len(keys) <= 4 or keys[-1] in _KINDS_OF_THINGS or keys[-1] not in alone:
        return False
    first = keys[0]
    return len(first) == 1 or not (
        first in alone or first in _KINDS_OF_THINGS or is_ordinary(first)
    )
