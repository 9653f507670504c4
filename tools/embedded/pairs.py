"""Pairs of texts to learn entailment from, made of plain stories.

The premise is a passage of one to five sentences. The hypothesis is one or two of its sentences,
reworded by rules that keep what it says, and for half of the pairs damaged afterwards by the
perturbations of `tricolore.perturb`; or it is a sentence from elsewhere. Rewording comes first, so
that an unusual wording does not give a damaged sentence away.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tricolore.example import Example
from tricolore.perturb.damage import Damaged
from tricolore.perturb.perturbation import Perturbation
from tricolore.perturb.subtle_errors import SubtleErrors
from tricolore.perturb.swaps import EntitySwap, NegationSwap, NumberSwap
from tricolore.text.synonyms import senses, synonyms

FAITHFUL = ("copy", "reworded", "fused")
DAMAGES = ("entity-swap", "number-swap", "negation-swap", "subtle-errors", "word-swap")
UNRELATED = ("same-story", "other-story")
_LONGEST = 60
"""The most words of a hypothesis."""


@dataclass(frozen=True)
class Pair:
    """A premise, a hypothesis, and what is wrong with the hypothesis."""

    premise: str
    hypothesis: str
    kind: str
    faults: tuple[tuple[int, int], ...] = ()
    """Spans of characters of the hypothesis that the premise does not support."""

    @property
    def is_entailed(self) -> bool:
        """Whether the premise entails the hypothesis."""
        return not self.faults

    def lowercase(self) -> Pair:
        """The pair in small letters; as it is if that would move a character."""
        small = self.hypothesis.lower()
        if len(small) != len(self.hypothesis):
            return self
        return replace(self, premise=self.premise.lower(), hypothesis=small)


# Rewordings: each takes a sentence and gives another that it entails, or the same one.

_INSERTED = re.compile(r",? \((?:[^()]{3,80})\)|, (?:which|who|whose|where)\b[^,;.]{4,90},")
_APPOSITION = re.compile(r"(?<=\w), (?:an?|the) [^,;.]{4,60},(?= [a-z])")
_OPENING = re.compile(r"(?!If|Unless|Without|Before|Until)([A-Z][^,;:.]{3,50}), (?=\w)")
_ATTRIBUTION = re.compile(r"(?P<what>[A-Z].{20,}),[\"”]? (?P<who>[A-Z][\w.]+(?: [A-Z]\w+)*) said\.")
_TAIL = re.compile(r", (?:which|who|where|while|as|after|according|with|including)\b[^;]*[.]$")
_FILLER = re.compile(r" (?:also|however|already|still|very|really|meanwhile|reportedly)(?= )")
_WORD = re.compile(r"\b[a-z]{4,}\b")


def without_insertions(sentence: str, _: random.Random) -> str:
    """The sentence without brackets, relative clauses and appositions.

    >>> without_insertions("Ann Lee, a doctor, met Bo (her son) there.", random.Random(0))
    'Ann Lee met Bo there.'
    """
    return _APPOSITION.sub("", _INSERTED.sub("", sentence))


def without_opening(sentence: str, _: random.Random) -> str:
    """The sentence without a short phrase before its first comma.

    >>> without_opening("On Monday, the ship sank off the coast.", random.Random(0))
    'The ship sank off the coast.'
    """
    found = _OPENING.match(sentence)
    rest = sentence[found.end() :] if found else ""
    return rest[0].upper() + rest[1:] if len(rest.split()) >= 5 else sentence


def without_tail(sentence: str, _: random.Random) -> str:
    """The sentence without its last subordinate clause."""
    rest = _TAIL.sub(".", sentence)
    return rest if len(rest.split()) >= 5 else sentence


def without_fillers(sentence: str, _: random.Random) -> str:
    """The sentence without adverbs that say little."""
    return _FILLER.sub("", sentence)


def speaker_first(sentence: str, _: random.Random) -> str:
    """ "X, A said." becomes "A said X."

    >>> speaker_first("The old bridge is not safe any more, Lee said.", random.Random(0))
    'Lee said the old bridge is not safe any more.'
    """
    found = _ATTRIBUTION.fullmatch(sentence)
    if not found:
        return sentence
    what = found["what"].strip('"“”')
    return f"{found['who']} said {what[0].lower()}{what[1:]}."


def with_synonyms(sentence: str, rng: random.Random) -> str:
    """One or two words with few senses become synonyms, if WordNet is installed."""
    words = [found for found in _WORD.finditer(sentence) if 1 <= len(senses(found[0])) <= 2]
    for found in sorted(rng.sample(words, min(2, len(words))), key=lambda f: -f.start()):
        others = sorted(w for w in synonyms(found[0]) if w.islower() and w[:4] != found[0][:4])
        if others:
            sentence = sentence[: found.start()] + rng.choice(others) + sentence[found.end() :]
    return sentence


REWORDINGS: tuple[Callable[[str, random.Random], str], ...] = (
    without_insertions,
    without_opening,
    without_tail,
    without_fillers,
    speaker_first,
    with_synonyms,
)


def reworded(sentence: str, rng: random.Random) -> str:
    """The sentence after some rewordings in random order."""
    for reword in rng.sample(REWORDINGS, rng.randint(1, len(REWORDINGS))):
        sentence = reword(sentence, rng)
    return sentence


def fused(first: str, second: str) -> str:
    """Two sentences as one.

    >>> fused("The ship sank.", "The crew was saved.")
    'The ship sank and the crew was saved.'
    """
    small = second[0].lower() + second[1:] if second.split()[0] in _SMALL else second
    return f"{first.rstrip('.')} and {small}"


_SMALL = frozenset("The A An He She It They His Her Their This That These In On At But".split())


class PairMaker:
    """Makes pairs from stories: always the same for the same seed."""

    def __init__(self, stories: Sequence[Sequence[str]], seed: int) -> None:
        self._stories = [story for story in stories if len(story) >= 4]
        self._rng = random.Random(seed)
        self._seed = seed
        self._damages: dict[str, Perturbation] = {
            "entity-swap": EntitySwap(seed=seed),
            "number-swap": NumberSwap(seed=seed),
            "negation-swap": NegationSwap(seed=seed),
            "subtle-errors": SubtleErrors(
                seed=seed, inflections=False, pos="noun+verb+adjective+number"
            ),
        }

    def pairs(self, count: int) -> Iterator[Pair]:
        """So many pairs, half of them entailed, about half in small letters."""
        made = 0
        while made < count:
            wanted = self._rng.choice(FAITHFUL if made % 2 else DAMAGES + UNRELATED)
            pair = self._pair(wanted)
            if pair is not None and 4 <= len(pair.hypothesis.split()) <= _LONGEST:
                made += 1
                yield pair.lowercase() if self._rng.random() < 0.5 else pair

    def _pair(self, kind: str) -> Pair | None:
        rng = self._rng
        story = rng.choice(self._stories)
        length = min(len(story), rng.choice((1, 1, 2, 3, 3, 5)))
        start = rng.randrange(len(story) - length + 1)
        passage = story[start : start + length]
        premise = " ".join(passage)
        if kind in UNRELATED:
            return self._unrelated(story, start, length, premise, kind)
        at = rng.randrange(length)
        sentence = passage[at]
        if kind == "copy":
            return Pair(premise, sentence, kind)
        if rng.random() < 0.7:
            sentence = reworded(sentence, rng)
        if kind == "fused" or (kind in DAMAGES and rng.random() < 0.2):
            if at + 1 < length:
                sentence = fused(sentence, reworded(passage[at + 1], rng))
            elif kind == "fused":
                return None
        if kind in FAITHFUL:
            return Pair(premise, sentence, kind)
        return self._damaged(story, premise, sentence, kind)

    def _unrelated(
        self, story: Sequence[str], start: int, length: int, premise: str, kind: str
    ) -> Pair | None:
        """A sentence of the story that is not in the passage, or one of another story."""
        others = story[: max(0, start - 1)] + story[start + length + 1 :]
        if kind == "other-story":
            others = self._rng.choice(self._stories)
        if not others:
            return None
        sentence = reworded(self._rng.choice(others), self._rng)
        return Pair(premise, sentence, kind, ((0, len(sentence)),))

    def _damaged(self, story: Sequence[str], premise: str, sentence: str, kind: str) -> Pair | None:
        if kind == "word-swap":
            return self._with_other_word(story, premise, sentence)
        example = Example(source=" ".join(story), summary=sentence)
        [found] = self._damages[kind].damage([example], 1)
        if not isinstance(found, Damaged):
            return None
        faults = tuple((edit.start, edit.end) for edit in found.edits)
        return Pair(premise, found.example.summary, kind, faults)

    def _with_other_word(self, story: Sequence[str], premise: str, sentence: str) -> Pair | None:
        """A word is replaced by another one of the story that is no synonym of it."""
        words = list(_WORD.finditer(sentence))
        if not words:
            return None
        old = self._rng.choice(words)
        others = sorted(set(_WORD.findall(" ".join(story))) - synonyms(old[0]) - {old[0]})
        others = [word for word in others if word[:4] != old[0][:4]]
        if not others:
            return None
        new = self._rng.choice(others)
        made = sentence[: old.start()] + new + sentence[old.end() :]
        return Pair(premise, made, "word-swap", ((old.start(), old.start() + len(new)),))
