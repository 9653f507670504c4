"""Factual errors: another name, another number, a negation.

Names and numbers are found by their capitals and digits (`entities`), and are replaced by others
from the source, so that the topic stays the same.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tricolore.example import Example
from tricolore.perturb.damage import Change, DamagePlan
from tricolore.perturb.draw import Draw
from tricolore.perturb.entities import Entity, names, numbers
from tricolore.perturb.perturbation import Perturbation
from tricolore.text.plural import plural


@dataclass(frozen=True, kw_only=True)
class _SourceSwap(Perturbation):
    """Something in the summary is replaced by something of the same kind from the source."""

    needs_source = True
    what: ClassVar[str]

    def plan_changes(self, examples: Sequence[Example], most: int) -> list[DamagePlan]:
        return [self._plan(example, most) for example in examples]

    def _plan(self, example: Example, most: int) -> DamagePlan:
        draw = self._draw(example)
        here, there = self._found(example)
        if not here:
            return DamagePlan((), f"the summary has no {self.what}")
        changes = []
        for at in draw.order(len(here)):
            old = here[at]
            if others := self._others(old, there):
                new = draw.pick(others)
                note = f"another {old.kind} of the source"
                changes.append(Change(old.start, old.end, new, note=note))
            if len(changes) == most:
                break
        share = f"{plural(len(changes), self.what)} of the summary"
        return DamagePlan(
            tuple(changes), f"only {share} could be exchanged for another of the source"
        )

    @abstractmethod
    def _found(self, example: Example) -> tuple[list[Entity], list[Entity]]:
        """The entities of this kind in the summary and in the source."""

    @abstractmethod
    def _others(self, old: Entity, there: list[Entity]) -> list[str]:
        """Possible replacements, each once, in the order of the source."""


@dataclass(frozen=True, kw_only=True)
class EntitySwap(_SourceSwap):
    """Names, weekdays and months are replaced by others from the source."""

    kind = "entity-swap"
    what = "name"

    def _found(self, example: Example) -> tuple[list[Entity], list[Entity]]:
        texts = (*example.source, example.summary)
        there = [found for text in example.source for found in names(text, texts)]
        return names(example.summary, example.source), there

    def _others(self, old: Entity, there: list[Entity]) -> list[str]:
        words = set(old.text.lower().split())
        found = dict.fromkeys(new.text for new in there if new.kind == old.kind)
        # "Holder" for "Eric Holder" would be no error.
        return [new for new in found if not words & set(new.lower().split())]


@dataclass(frozen=True, kw_only=True)
class NumberSwap(_SourceSwap):
    """Numbers are replaced by others from the source, if possible of the same form."""

    kind = "number-swap"
    what = "number"

    def _found(self, example: Example) -> tuple[list[Entity], list[Entity]]:
        there = [found for text in example.source for found in numbers(text)]
        return numbers(example.summary), there

    def _others(self, old: Entity, there: list[Entity]) -> list[str]:
        different = [new for new in there if new.text.lower() != old.text.lower()]
        alike = [new for new in different if new.form == old.form]
        return list(dict.fromkeys(_cased(new.text, old.text) for new in alike or different))


def _cased(new: str, old: str) -> str:
    return new[:1].upper() + new[1:] if old[:1].isupper() else new.lower()


_ALWAYS = "is are was were will would can could should may might must shall".split()
_DONE = r"\s+(?:\w+ed|\w+en|been|made|said|won|lost|left|come|become|found|held|told|met|had|put)\b"
_CONTRACTED = re.compile(
    r"\b(?P<verb>is|are|was|were|has|have|had|do|does|did|would|could|should|must|wo|ca|sha)"
    r"n['’]t\b"
)
_WITH_NOT = re.compile(rf"\b(?P<verb>{'|'.join(_ALWAYS)}|has|have|had|do|does|did)\s+not\b")
_CANNOT = re.compile(r"\b(?P<verb>can)not\b")
_PLAIN = re.compile(
    rf"\b(?P<verb>(?:{'|'.join(_ALWAYS)})(?!\w)(?!\s+not\b)(?!['’])"
    rf"|(?:has|have|had)(?={_DONE}))(?!\w)"
)
_FULL = {"wo": "will", "ca": "can", "sha": "shall"}


@dataclass(frozen=True, kw_only=True)
class NegationSwap(Perturbation):
    """Adds a "not" after a verb, or removes one that is there."""

    kind = "negation-swap"

    def plan_changes(self, examples: Sequence[Example], most: int) -> list[DamagePlan]:
        return [_negated(example.summary, self._draw(example), most) for example in examples]


def _negated(text: str, draw: Draw, most: int) -> DamagePlan:
    places = _negations(text)
    if not places:
        return DamagePlan((), "the summary has no verb that can be negated")
    changes = tuple(places[at] for at in draw.order(len(places))[:most])
    return DamagePlan(changes, f"only {len(changes)} of the summary's verbs can be negated")


def _negations(text: str) -> list[Change]:
    """Every position where a negation can be added or removed.

    >>> [apply(c) for apply in [lambda c: c.replacement] for c in _negations("He won't; it is.")]
    ['will', 'is not']
    """
    found = []
    for pattern in (_CONTRACTED, _WITH_NOT, _CANNOT):
        for match in pattern.finditer(text):
            verb = _FULL.get(match["verb"], match["verb"])
            found.append(Change(*match.span(), verb, note="no longer negated"))
    for match in _PLAIN.finditer(text):
        found.append(Change(*match.span(), f"{match['verb']} not", note="negated"))
    return sorted(found, key=lambda change: change.start)
