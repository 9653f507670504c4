"""Some sentences of a summary replaced by random words of the source (BLANC §3, figure 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tricolore.example import Example
from tricolore.perturb.damage import Change, DamagePlan
from tricolore.perturb.perturbation import Perturbation
from tricolore.perturb.random_summaries import random_words, words_of
from tricolore.text.plural import plural
from tricolore.text.sentences import sentence_spans


@dataclass(frozen=True, kw_only=True)
class SpoiledSentences(Perturbation):
    """This many sentences become random words of the source, each as long as before."""

    kind = "spoiled-sentences"
    needs_source = True

    def plan_changes(self, examples: Sequence[Example], most: int) -> list[DamagePlan]:
        return [self._plan(example, most) for example in examples]

    def _plan(self, example: Example, most: int) -> DamagePlan:
        words = words_of(example.source)
        if not words:
            return DamagePlan((), "the source has no words")
        draw = self._draw(example)
        spans = sentence_spans(example.summary)
        changes = []
        for at in draw.order(len(spans))[:most]:
            start, end = spans[at]
            text = random_words(words, end - start, draw)
            changes.append(Change(start, end, text, note=f"sentence {at + 1} spoiled"))
        count = plural(len(spans), "sentence")
        return DamagePlan(tuple(changes), f"the summary has only {count}")
