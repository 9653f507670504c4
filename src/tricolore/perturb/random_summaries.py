"""Summaries of random words and of random sentences of the source (BLANC paper §3, figure 5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tricolore.example import Example
from tricolore.perturb.damage import Change, DamagePlan
from tricolore.perturb.draw import Draw
from tricolore.perturb.perturbation import Perturbation
from tricolore.text.sentences import sentences

BETWEEN = "\n\n"
"""An empty line always ends a sentence, so that BLANC's guard recognizes a copied one."""


def words_of(source: Sequence[str]) -> list[str]:
    """The words of a source as they are written there, without punctuation."""
    return [word for text in source for word in re.findall(r"\w+", text)]


def random_words(words: Sequence[str], length: int, draw: Draw) -> str:
    """ "Filling with the words the same length": this many characters, or one or two fewer.

    Each word of the source is used once before any is used again.
    """
    chosen: list[str] = []
    left = length
    fitting = True
    while fitting and left > 0:
        fitting = False
        for at in draw.order(len(words)):
            room = len(words[at]) + bool(chosen)
            if room <= left:
                chosen.append(words[at])
                left -= room
                fitting = True
            if left < 2:
                break
    return " ".join(chosen) or min(words, key=len)


@dataclass(frozen=True, kw_only=True)
class RandomWords(Perturbation):
    """Random words of the source, with as many characters as the summary."""

    kind = "random-words"
    counted = False
    needs_source = True

    def plan_changes(self, examples: Sequence[Example], most: int) -> list[DamagePlan]:
        return [self._plan(example) for example in examples]

    def _plan(self, example: Example) -> DamagePlan:
        words = words_of(example.source)
        if not words:
            return DamagePlan((), "the source has no words")
        text = random_words(words, len(example.summary), self._draw(example))
        return DamagePlan((Change(0, len(example.summary), text, note="random words"),))


@dataclass(frozen=True, kw_only=True)
class RandomSentences(Perturbation):
    """Random sentences of the source, together about as long as the summary.

    They are copies: score them with `blanc-help:guard=replace` (§2.4 and §3).
    """

    kind = "random-sentences"
    counted = False
    needs_source = True

    def plan_changes(self, examples: Sequence[Example], most: int) -> list[DamagePlan]:
        return [self._plan(example) for example in examples]

    def _plan(self, example: Example) -> DamagePlan:
        found = list(dict.fromkeys(s for text in example.source for s in sentences(text)))
        own = set(sentences(example.summary))
        others = [sentence for sentence in found if sentence not in own]
        if not others:
            return DamagePlan((), "the source has no sentence that is not in the summary")
        text = _nearest(others, len(example.summary), self._draw(example))
        return DamagePlan((Change(0, len(example.summary), text, note="random sentences"),))


def _nearest(sentences: Sequence[str], length: int, draw: Draw) -> str:
    """Take sentences in random order; keep each that brings the length closer to the target."""
    chosen: list[str] = []
    off = length
    for at in draw.order(len(sentences)):
        nearer = off - len(sentences[at])
        if not chosen or abs(nearer) < abs(off):
            chosen.append(sentences[at])
            off = nearer
    return BETWEEN.join(chosen)
