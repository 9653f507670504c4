"""Cloze questions with passages that answer them or do not, made from plain text.

A question is a sentence of a story with a name, a date or a number masked. The passage in which
the answer is looked for is made from the same story and resembles a summary: other sentences, the
lead, or a shortened version of the sentence itself. A third of the questions have no answer there.

The passage and the sentence are lower-cased independently, because lower-cased summaries are
compared with cased articles.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from tokenizers import Encoding, Tokenizer

from tools.embedded.corpus import WEIGHTS, StoryText
from tools.embedded.vocabulary import Vocabulary
from tricolore.perturb.entities import Entity, names, numbers

_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class QuestionRecipe:
    """How questions and passages are made."""

    unanswerable_share: float = 0.35
    two_masks_share: float = 0.4
    lowercase_passages: float = 0.6
    lowercase_questions: float = 0.35
    question_tokens: int = 44
    passage_tokens: tuple[int, int] = (30, 90)
    batch_tokens: int = 1024
    questions_a_round: int = 256


@dataclass(frozen=True)
class ClozePair:
    """A question, a passage, and for each mask the places of the answer in the passage."""

    sentence: str
    gaps: tuple[tuple[int, int], ...]
    passage: str
    answers: tuple[tuple[tuple[int, int], ...], ...]

    def entity(self, gap: int) -> str:
        """What was masked."""
        start, end = self.gaps[gap]
        return self.sentence[start:end]


@dataclass(frozen=True)
class TokenPair:
    """A pair as the model reads it; positions of masks, and of the answers' ends for each mask.

    An answer at position 0, the [CLS] token, means that there is none.
    """

    ids: list[int]
    masks: list[int]
    starts: list[list[int]]
    ends: list[list[int]]


@dataclass(frozen=True)
class QuestionBatch:
    """Pairs of like length, padded; `rows` and `masks` tell where the questions are."""

    inputs: torch.Tensor
    attention: torch.Tensor
    rows: torch.Tensor
    masks: torch.Tensor
    starts: torch.Tensor  # (questions, width): whether an answer starts here
    ends: torch.Tensor

    @property
    def tokens(self) -> int:
        """How many tokens there are, padding apart."""
        return int(self.attention.sum())


class Questions:
    """An endless, seeded stream of questions from the stories."""

    def __init__(
        self, stories: list[StoryText], tokenizer: Tokenizer, recipe: QuestionRecipe
    ) -> None:
        self.stories = [story for story in stories if len(story[1]) >= 4]
        self.tokenizer = tokenizer
        self.vocabulary = Vocabulary.of(tokenizer)
        self.recipe = recipe
        weights = [len(s) * WEIGHTS.get(source, 1.0) for source, s in self.stories]
        self._cumulative = np.cumsum(weights).tolist()

    def round(self, seed: int, number: int) -> list[QuestionBatch]:
        """The batches of one round; any round can be made again, which is what resuming needs."""
        rng = random.Random(f"questions/{seed}/{number}")
        made = [self.encode(self.pair(rng), rng) for _ in range(self.recipe.questions_a_round)]
        batches = list(batched([m for m in made if m.masks], self.recipe.batch_tokens))
        rng.shuffle(batches)
        return batches

    def pair(self, rng: random.Random, answerable: bool | None = None, masks: int = 2) -> ClozePair:
        """One question; `answerable` decides whether the passage has the answer to the first."""
        while True:
            _, sentences = rng.choices(self.stories, cum_weights=self._cumulative)[0]
            wanted = rng.random() >= self.recipe.unanswerable_share
            made = self._pair(sentences, wanted if answerable is None else answerable, masks, rng)
            if made is not None:
                return made

    def _pair(
        self, sentences: list[str], answerable: bool, masks: int, rng: random.Random
    ) -> ClozePair | None:
        entities = entities_of(sentences)
        having = [i for i, found in enumerate(entities) if found]
        if not having:
            return None
        chosen = rng.choice(having)
        asked = rng.choice(entities[chosen])
        passage = self._passage(sentences, chosen, asked, answerable, rng)
        if passage is None or bool(occurrences(asked.text, passage)) != answerable:
            return None
        gaps = [asked]
        others = [
            e
            for e in entities[chosen]
            if e.text != asked.text and (e.end <= asked.start or e.start >= asked.end)
        ]
        if masks > 1 and others and rng.random() < self.recipe.two_masks_share:
            gaps.append(rng.choice(others))
        gaps.sort(key=lambda gap: gap.start)
        sentence = sentences[chosen]
        if rng.random() < self.recipe.lowercase_questions:
            sentence = _lower(sentence)
        if rng.random() < self.recipe.lowercase_passages:
            passage = _lower(passage)
        spans = tuple((gap.start, gap.end) for gap in gaps)
        answers = tuple(tuple(occurrences(gap.text, passage)) for gap in gaps)
        return ClozePair(sentence, spans, passage, answers)

    def _passage(
        self,
        sentences: list[str],
        chosen: int,
        asked: Entity,
        answerable: bool,
        rng: random.Random,
    ) -> str | None:
        others = [i for i in range(len(sentences)) if i != chosen]
        having = [i for i in others if occurrences(asked.text, sentences[i])]
        if not answerable:
            free = [i for i in others if i not in having]
            if len(free) < 2:
                return None
            picked = _near(free, chosen, rng) if rng.random() < 0.5 else _some(free, rng)
            return " ".join(self._told(sentences[i], None, rng) for i in picked)
        if having and rng.random() < 0.65:  # another sentence that mentions it
            picked = {rng.choice(having), *_some(others, rng)}
            return " ".join(sentences[i] for i in sorted(picked)[:5])
        # The sentence itself, mostly shortened, and what is around it.
        picked = {chosen, *_near(others, chosen, rng)}
        order = sorted(picked) if rng.random() < 0.5 else rng.sample(sorted(picked), len(picked))
        parts = [self._told(sentences[i], asked if i == chosen else None, rng) for i in order]
        return " ".join(parts)

    def _told(self, sentence: str, kept: Entity | None, rng: random.Random) -> str:
        """The sentence, whole or with words left out; the entity stays."""
        if rng.random() < 0.35:
            return sentence
        share = rng.uniform(0.15, 0.5)
        words = [
            m[0]
            for m in _WORD.finditer(sentence)
            if rng.random() > share or (kept and m.start() < kept.end and m.end() > kept.start)
        ]
        return " ".join(words)

    def encode(self, pair: ClozePair, rng: random.Random | None = None) -> TokenPair:
        """The tokens of a pair; with a generator, the passage is cut to a random length."""
        v = self.vocabulary
        question, masks = self._question(pair)
        most = 400 if rng is None else rng.randint(*self.recipe.passage_tokens)
        passage = self.tokenizer.encode(pair.passage, add_special_tokens=False)
        first = 2 + len(question)
        ids = [v.cls, *question, v.sep, *passage.ids[:most], v.sep]
        starts, ends = [], []
        for answers in pair.answers:
            spans = [_tokens(passage, *answer) for answer in answers]
            spans = [span for span in spans if span[1] < most]
            starts.append([first + a for a, _ in spans] or [0])
            ends.append([first + b for _, b in spans] or [0])
        kept = [k for k, mask in enumerate(masks) if mask is not None]
        return TokenPair(
            ids,
            [1 + m for m in masks if m is not None],
            [starts[k] for k in kept],
            [ends[k] for k in kept],
        )

    def _question(self, pair: ClozePair) -> tuple[list[int], list[int | None]]:
        """The tokens of a question around its masks, and where the masks are."""
        ids: list[int] = []
        masks: list[int] = []
        end = 0
        for start, stop in pair.gaps:
            part = self.tokenizer.encode(pair.sentence[end:start], add_special_tokens=False)
            ids += part.ids
            masks.append(len(ids))
            ids.append(self.vocabulary.mask)
            end = stop
        ids += self.tokenizer.encode(pair.sentence[end:], add_special_tokens=False).ids
        most = self.recipe.question_tokens
        left = max(0, min(masks[0] - most // 2, len(ids) - most))
        where = [m - left if left <= m < left + most else None for m in masks]
        return ids[left : left + most], where


def entities_of(sentences: Sequence[str]) -> list[list[Entity]]:
    """The names, dates and numbers of each sentence of a story."""
    known = {word for e in names("\n".join(sentences)) for word in e.text.split()}
    found = []
    for sentence in sentences:
        named = names(sentence, known)
        taken = {i for e in named for i in range(e.start, e.end)}
        counted = [e for e in numbers(sentence) if e.start not in taken]
        found.append(sorted([*named, *counted], key=lambda e: e.start))
    return found


def occurrences(entity: str, passage: str) -> list[tuple[int, int]]:
    """Where a passage has an entity, in any case.

    If nowhere, and the entity is a name of several words, where it has its last word.
    """
    for form in (entity, entity.split()[-1]):
        if len(form) > 2 or form == entity:
            pattern = re.compile(rf"(?<!\w){re.escape(form)}(?!\w)", re.IGNORECASE)
            found = [m.span() for m in pattern.finditer(passage)]
            if found:
                return found
    return []


def batched(pairs: Sequence[TokenPair], batch_tokens: int) -> Iterator[QuestionBatch]:
    """Batches of pairs of like length, so that next to nothing is padding."""
    group: list[TokenPair] = []
    for pair in sorted(pairs, key=lambda pair: len(pair.ids)):
        if group and (len(group) + 1) * len(pair.ids) > batch_tokens:
            yield _padded(group)
            group = []
        group.append(pair)
    if group:
        yield _padded(group)


def _padded(group: list[TokenPair]) -> QuestionBatch:
    width = max(len(pair.ids) for pair in group)
    inputs = torch.zeros(len(group), width, dtype=torch.long)
    attention = torch.zeros_like(inputs)
    rows, masks = [], []
    marks: list[tuple[list[int], list[int]]] = []
    for row, pair in enumerate(group):
        inputs[row, : len(pair.ids)] = torch.tensor(pair.ids)
        attention[row, : len(pair.ids)] = 1
        rows += [row] * len(pair.masks)
        masks += pair.masks
        marks += zip(pair.starts, pair.ends, strict=True)
    starts = torch.zeros(len(rows), width, dtype=torch.bool)
    ends = torch.zeros_like(starts)
    for at, (first, last) in enumerate(marks):
        starts[at, first] = True
        ends[at, last] = True
    return QuestionBatch(inputs, attention, torch.tensor(rows), torch.tensor(masks), starts, ends)


def _tokens(passage: Encoding, start: int, end: int) -> tuple[int, int]:
    """The first and the last token of some characters."""
    inside = [i for i, (a, b) in enumerate(passage.offsets) if a < end and b > start]
    return (inside[0], inside[-1]) if inside else (10**6, 10**6)


def _lower(text: str) -> str:
    """In lower case, where every letter keeps its place."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text


def _some(places: list[int], rng: random.Random) -> list[int]:
    """The lead, or any sentences, in their order."""
    count = rng.randint(1, 4)
    if rng.random() < 0.4:
        return places[:count]
    return sorted(rng.sample(places, min(count, len(places))))


def _near(places: list[int], chosen: int, rng: random.Random) -> list[int]:
    """Sentences close to the chosen one."""
    return sorted(places, key=lambda i: abs(i - chosen))[: rng.randint(1, 3)]
