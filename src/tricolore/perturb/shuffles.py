"""Damage to coherence and fluency: sentences in another order, a text cut off."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tricolore.example import Example
from tricolore.perturb.damage import Change, DamagePlan
from tricolore.perturb.draw import Draw
from tricolore.perturb.perturbation import Perturbation
from tricolore.text.sentences import sentence_spans


@dataclass(frozen=True, kw_only=True)
class SentenceShuffle(Perturbation):
    """The sentences in another order; the text between them stays in place."""

    kind = "sentence-shuffle"
    counted = False

    def plan_changes(self, examples: Sequence[Example], most: int) -> list[DamagePlan]:
        return [_shuffled(example.summary, self._draw(example)) for example in examples]


def _shuffled(text: str, draw: Draw) -> DamagePlan:
    spans = sentence_spans(text)
    said = [text[a:b] for a, b in spans]
    if len(set(said)) < 2:
        return DamagePlan((), "the summary has no two sentences that differ")
    order = draw.order(len(said))
    while [said[at] for at in order] == said:
        order = draw.order(len(said))
    return DamagePlan(
        tuple(
            Change(a, b, said[at], note=f"sentence {at + 1} in the place of {place}")
            for place, ((a, b), at) in enumerate(zip(spans, order, strict=True), 1)
            if said[at] != text[a:b]
        )
    )


@dataclass(frozen=True, kw_only=True)
class Truncation(Perturbation):
    """The summary is cut off within a sentence."""

    kind = "truncation"
    counted = False

    def plan_changes(self, examples: Sequence[Example], most: int) -> list[DamagePlan]:
        return [_cut(example.summary, self._draw(example)) for example in examples]


def _cut(text: str, draw: Draw) -> DamagePlan:
    places = [
        start + word.end()
        for start, end in sentence_spans(text)
        for word in list(re.finditer(r"\S+", text[start:end]))[:-1]
    ]
    if not places:
        return DamagePlan((), "the summary has no sentence of two words that could be cut")
    return DamagePlan((Change(draw.pick(places), len(text), "", note="cut off"),))
