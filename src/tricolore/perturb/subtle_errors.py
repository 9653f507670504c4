"""Subtle errors: words are replaced by a language model's guesses (ESTIME paper §4).

"We randomly select a whole-word token in the summary, mask and predict it by an LM model. We then
select the top predicted candidate that is not equal to the real token, and substitute it."
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from tricolore.errors import PerturbError
from tricolore.example import Example
from tricolore.models.loading import EMBEDDED
from tricolore.models.masked_lm import Candidates, MaskedLM
from tricolore.models.model import shared
from tricolore.models.queries import Query
from tricolore.models.tokens import Tokens
from tricolore.perturb.casing import fits, recased
from tricolore.perturb.damage import Change, DamagePlan
from tricolore.perturb.entities import names, numbers
from tricolore.perturb.perturbation import Perturbation
from tricolore.settings import ModelName, setting
from tricolore.text.inflections import is_inflection
from tricolore.text.pos import TAGS, TaggerNotFoundError, tags
from tricolore.text.treebank import treebank_words

Only = Literal["any", "entities", "numbers", "entities+numbers"]

PARTS_OF_SPEECH = {
    "noun": "NN NNS NNP NNPS",
    "name": "NNP NNPS",
    "verb": "VB VBD VBG VBN VBP VBZ MD",
    "adjective": "JJ JJR JJS",
    "adverb": "RB RBR RBS WRB",
    "number": "CD",
    "preposition": "IN TO",
    "pronoun": "PRP PRP$ WP WP$",
    "determiner": "DT PDT WDT",
}
"""Plain words for Penn tags."""

_AFTER_MARK = re.compile(r"\w[’']$")
_BEFORE_T = re.compile(r"[’']t\b")
"""Halves of words such as "wasn’t", which a curly apostrophe splits."""
_GUESSES = 40
"""The number of guesses that are looked at."""
_DIGITS = 2
"""The number of digits of a written probability."""
_NOISE = 5e-5
"""The most that batches may move a probability, as a share of it; measured: 2e-5."""


@dataclass(frozen=True)
class _Word:
    """A whole word of a summary: its token, its position, and its part of speech."""

    token: int
    start: int
    end: int
    text: str
    pos: str


@dataclass
class _PendingSummary:
    """A summary in progress."""

    tokens: Tokens
    order: list[_Word]
    """The words in random order."""
    wanted: int
    next: int = 0
    found: dict[int, Change] = field(default_factory=dict)
    """The changes by index in that order."""

    @property
    def done(self) -> bool:
        return len(self.found) >= self.wanted or self.next >= len(self.order)


@dataclass(frozen=True)
class _MaskedWords:
    """Words of a summary that are masked at once."""

    task: _PendingSummary
    places: tuple[int, ...]
    query: Query


@dataclass(frozen=True, kw_only=True)
class SubtleErrors(Perturbation):
    """Words become the model's best guess that is not the word itself."""

    kind = "subtle-errors"

    model: ModelName = setting(EMBEDDED, "The masked language model that guesses words.")
    pos: str = setting(
        "",
        "Only these parts of speech are replaced, joined by +: noun, name, verb, adjective, "
        "adverb, number, preposition, pronoun, determiner, or Penn tags such as `NN+VBD`.",
    )
    only: Only = setting(
        "any", "Whether only names or numbers are replaced, found by capitals and digits."
    )
    inflections: bool = setting(
        True,
        "Whether another form of the same word will do: of the same stem, or irregular as go and "
        "went.",
    )
    together: int = setting(
        3,
        "How many words of a summary are masked at once; 1 masks each alone, as the paper says, "
        "which is slower.",
    )
    distance: int = setting(
        3, "The smallest distance, in tokens, of words that are masked at once (ours)."
    )

    def __post_init__(self) -> None:
        self._tags  # noqa: B018 (so that a wrong part of speech is known at once)
        if self.together < 1 or self.distance < 1:
            raise PerturbError("together and distance are at least 1")

    @cached_property
    def _tags(self) -> frozenset[str]:
        found: set[str] = set()
        for word in filter(None, self.pos.split("+")):
            if word not in TAGS and word.lower() not in PARTS_OF_SPEECH:
                raise PerturbError(
                    f"'{word}' is no part of speech; write {', '.join(PARTS_OF_SPEECH)} or Penn "
                    "tags, joined by +: noun+VBD"
                )
            found |= {word} if word in TAGS else set(PARTS_OF_SPEECH[word.lower()].split())
        return frozenset(found)

    @property
    def lm(self) -> MaskedLM:
        """The masked language model, loaded when it is first asked for."""
        return shared(MaskedLM, self.model)

    def _by(self) -> dict[str, str]:
        return {"model": self.model, "weights": self.lm.revision}

    def plan_changes(self, examples: Sequence[Example], most: int) -> list[DamagePlan]:
        tasks = [self._task(example, most) for example in examples]
        while asks := [ask for task in tasks if not task.done for ask in self._asks(task)]:
            self._answer(asks)
        return [self._plan(task) for task in tasks]

    # "We randomly select a whole-word token."

    def _task(self, example: Example, most: int) -> _PendingSummary:
        tokens = self.lm.tokenize(example.summary)
        words = self._words(example, tokens)
        order = [words[at] for at in self._draw(example).order(len(words))]
        return _PendingSummary(tokens, order, most)

    def _words(self, example: Example, tokens: Tokens) -> list[_Word]:
        """Words that are one token of the model and one word of the tagger, and pass filters."""
        text = example.summary
        written = treebank_words(text)
        known = dict(zip(written.spans, self._parts_of_speech(written.words), strict=True))
        allowed = self._allowed(example)
        found = []
        for at, (start, end) in enumerate(tokens.spans):
            word = text[start:end]
            if tokens.continues(at) or tokens.leads(at) or (start, end) not in known:
                continue
            before = text[max(0, start - 2) : start]
            if _AFTER_MARK.match(before) or _BEFORE_T.match(text, end):
                continue
            pos = known[start, end]
            if not word.isalnum() or (self._tags and pos not in self._tags):
                continue
            if allowed is None or any(a <= start and end <= b for a, b in allowed):
                found.append(_Word(at, start, end, word, pos))
        return found

    def _parts_of_speech(self, words: tuple[str, ...]) -> tuple[str, ...]:
        try:
            return tags(*words) if words else ()
        except TaggerNotFoundError as error:
            if self._tags:
                raise PerturbError(str(error)) from error
            return ("",) * len(words)

    def _allowed(self, example: Example) -> list[tuple[int, int]] | None:
        if self.only == "any":
            return None
        text = example.summary
        found = names(text, example.source) if "entities" in self.only else []
        found += numbers(text) if "numbers" in self.only else []
        return [(entity.start, entity.end) for entity in found]

    # "Mask and predict it."

    def _asks(self, task: _PendingSummary) -> Iterator[_MaskedWords]:
        """The next few words, which do not depend on the requested number of errors."""
        places = range(task.next, min(task.next + self.together, len(task.order)))
        task.next = places.stop
        room = self.lm.max_tokens - 2
        long = len(task.tokens) > room
        groups: list[list[int]] = []
        for place in places:
            at = task.order[place].token
            for group in groups:
                if not long and all(
                    abs(at - task.order[other].token) >= self.distance for other in group
                ):
                    group.append(place)
                    break
            else:
                groups.append([place])
        for group in groups:
            yield self._ask(task, group, room)

    def _ask(self, task: _PendingSummary, places: Sequence[int], room: int) -> _MaskedWords:
        """The text around the words, cut to what the model can read."""
        masked = [task.order[place].token for place in places]
        first = max(0, min(masked[0] - room // 2, len(task.tokens) - room))
        ids = list(task.tokens.ids[first : first + room])
        for at in masked:
            ids[at - first] = self.lm.mask_id
        positions = sorted(
            (at - first + 1, place) for at, place in zip(masked, places, strict=True)
        )
        query = Query(self.lm.frame(ids), tuple(at for at, _ in positions))
        return _MaskedWords(task, tuple(place for _, place in positions), query)

    def _answer(self, asks: Sequence[_MaskedWords]) -> None:
        """Find the changes; repeat in fp64 where rounding could alter them."""
        answers = self.lm.candidates([ask.query for ask in asks], _GUESSES)
        both = zip(asks, answers, strict=True)
        unsure = [ask for ask, answer in both if not self._take(ask, answer)]
        if unsure and self.lm.precision == "fp32":
            exact = self.lm.candidates([ask.query for ask in unsure], _GUESSES, double=True)
            for ask, answer in zip(unsure, exact, strict=True):
                self._take(ask, answer)

    def _take(self, ask: _MaskedWords, answer: Candidates) -> bool:
        """Keep the changes from an answer; returns whether they are independent of rounding."""
        sure = True
        for at, place in enumerate(ask.places):
            word = ask.task.order[place]
            token = ask.task.tokens.ids[word.token]
            chosen = self._chosen(word.text, token, answer.ids[at].tolist())
            ask.task.found.pop(place, None)
            if chosen is None:
                sure = sure and not answer.unsure(at, _GUESSES)
                continue
            rank, text, fitting = chosen
            probability = float(answer.probabilities[at, rank - 1])
            written = _written(probability)
            ask.task.found[place] = Change(word.start, word.end, text, word.pos, rank, written)
            sure = sure and not (
                answer.unsure(at, rank)
                or (not fitting and answer.unsure(at, _GUESSES))
                or _written(probability * (1 - _NOISE)) != _written(probability * (1 + _NOISE))
            )
        return sure

    # "Select the top predicted candidate that is not equal to the real token."

    def _chosen(self, old: str, token: int, guesses: Sequence[int]) -> tuple[int, str, bool] | None:
        """The rank and the text of the best usable guess, and whether its case fits.

        Case is kept: a guess in another case, such as a name for a lower-case word, is skipped; if
        all are skipped, the best one is rewritten.
        """
        best = None
        for rank, guess in enumerate(guesses, 1):
            new = self._as_word(guess, token)
            if new is not None and self._will_do(new, old):
                if fits(new, old):
                    return rank, new, True
                best = best or (rank, recased(new, old), False)
        return best

    def _as_word(self, guess: int, token: int) -> str | None:
        word = self.lm.tokenizer.as_word(guess, token)
        return word if word and word.isalnum() else None

    def _will_do(self, new: str, old: str) -> bool:
        if new.lower() == old.lower():
            return False
        return self.inflections or not is_inflection(new, old)

    def _plan(self, task: _PendingSummary) -> DamagePlan:
        changes = tuple(task.found[place] for place in sorted(task.found))
        limits = self._tags or self.only != "any" or not self.inflections
        what = "word that the options leave" if limits else "whole word"
        if not changes:
            return DamagePlan((), f"the summary has no {what} that could be replaced")
        plural = what.replace("word", "words") if len(changes) > 1 else what
        return DamagePlan(changes[: task.wanted], f"the summary has only {len(changes)} {plural}")


def _written(probability: float) -> float:
    return float(f"{probability:.{_DIGITS}g}")
