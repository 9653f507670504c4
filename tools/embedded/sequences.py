"""Training sequences: what BLANC and ESTIME will show the model, made from plain text.

Two kinds. A *window* is a run of sentences with tokens masked here and there, as ESTIME reads
texts. A *help* sequence is a summary-like passage followed by a sentence of the same story, as
BLANC-help reads them: whole content words are masked, and the passage in front often holds them,
so that the model learns to look there.

About half of the text is lower-cased. In a help sequence the passage and the sentence are
lower-cased independently, because lower-cased summaries are compared with cased articles.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch

from tools.embedded.corpus import WEIGHTS, Sentence, Story
from tools.embedded.vocabulary import Vocabulary

IGNORED = -100


@dataclass(frozen=True)
class Recipe:
    """How sequences are mixed and masked."""

    help_share: float = 0.6
    window_tokens: tuple[int, int] = (64, 384)
    prefix_tokens: tuple[int, int] = (20, 110)
    target_tokens: int = 90
    window_rate: float = 0.2
    prefix_rate: float = 0.08
    content_rate: float = 0.34
    other_rate: float = 0.10
    separator_share: float = 0.2
    # Share of windows in which whole words are masked; in the others, single tokens are.
    whole_word_windows: float = 0.5
    lowercase_windows: float = 0.5
    lowercase_passages: float = 0.6
    lowercase_targets: float = 0.4
    batch_tokens: int = 2048
    sequences_a_round: int = 512

    def masking(self, factor: float) -> Recipe:
        """The same recipe with all rates of masking multiplied.

        The head costs little beside the encoder, so more masks teach more for the same time;
        but a head fresh from its fit learns better from sentences that are mostly whole.
        """
        rates = ("window_rate", "prefix_rate", "content_rate", "other_rate")
        return replace(self, **{name: getattr(self, name) * factor for name in rates})


@dataclass(frozen=True)
class Batch:
    """Masked sequences of like length, padded to a rectangle."""

    inputs: torch.Tensor
    attention: torch.Tensor
    labels: torch.Tensor

    @property
    def tokens(self) -> int:
        """How many tokens there are, padding apart."""
        return int(self.attention.sum())


class Sequences:
    """An endless, seeded stream of masked sequences drawn from the stories."""

    def __init__(self, stories: list[Story], vocabulary: Vocabulary, recipe: Recipe) -> None:
        self.stories = stories
        self.vocabulary = vocabulary
        self.recipe = recipe
        weights = [story.length * WEIGHTS.get(story.source, 1.0) for story in stories]
        self._cumulative = np.cumsum(weights).tolist()

    def round(self, seed: int, number: int) -> list[Batch]:
        """The batches of one round; any round can be made again, which is what resuming needs."""
        rng = random.Random(f"{seed}/{number}")
        made = [self._sequence(rng) for _ in range(self.recipe.sequences_a_round)]
        batches = list(batches_by_length(made, self.recipe.batch_tokens, self.vocabulary.pad))
        rng.shuffle(batches)
        return batches

    def _sequence(self, rng: random.Random) -> tuple[Sentence, Sentence]:
        story = rng.choices(self.stories, cum_weights=self._cumulative)[0]
        if rng.random() < self.recipe.help_share:
            return self._help(story, rng)
        return self._window(story, rng)

    def _window(self, story: Story, rng: random.Random) -> tuple[Sentence, Sentence]:
        limit = rng.randint(*self.recipe.window_tokens)
        sentences = story.version(rng.random() < self.recipe.lowercase_windows)
        tokens = _flat(sentences[rng.randrange(len(sentences)) :])[:limit]
        rate = self.recipe.window_rate
        if rng.random() < self.recipe.whole_word_windows:
            # Content words are a little under half of the words: the mean rate stays as it is.
            labels = self._mask_words(tokens, 1.4 * rate, 0.7 * rate, rng)
        else:
            labels = self._mask_tokens(tokens, rate, rng)
        return self._framed(tokens, labels)

    def _help(self, story: Story, rng: random.Random) -> tuple[Sentence, Sentence]:
        chosen = rng.randrange(len(story.sentences))
        front = story.version(rng.random() < self.recipe.lowercase_passages)
        prefix = self.passage(front, chosen, rng)[: rng.randint(*self.recipe.prefix_tokens)]
        sentences = story.version(rng.random() < self.recipe.lowercase_targets)
        target = list(sentences[chosen])
        if len(target) < 15 and chosen + 1 < len(sentences):
            target += sentences[chosen + 1]
        target = target[: self.recipe.target_tokens]
        rates = self.recipe.content_rate, self.recipe.other_rate
        target_labels = self._mask_words(target, *rates, rng)
        filler = set(prefix) == {self.vocabulary.period}
        prefix_rate = 0.0 if filler else self.recipe.prefix_rate
        prefix_labels = self._mask_tokens(prefix, prefix_rate, rng)
        if rng.random() < self.recipe.separator_share:
            prefix, prefix_labels = [*prefix, self.vocabulary.sep], [*prefix_labels, IGNORED]
        return self._framed(prefix + target, prefix_labels + target_labels)

    def passage(self, sentences: list[Sentence], chosen: int, rng: random.Random) -> Sentence:
        """Something that stands to the sentence as a summary would: lead, extract, digest."""
        others = [s for i, s in enumerate(sentences) if i != chosen]
        kind = rng.random()
        if kind < 0.30:  # neighbours, in any order
            near = sentences[max(0, chosen - 3) : chosen] + sentences[chosen + 1 :][:3]
            return _flat(rng.sample(near, len(near)))
        if kind < 0.45:  # the lead
            return _flat(others)
        if kind < 0.60:  # an extract that holds the sentence itself, among others
            return _flat(rng.sample([sentences[chosen], *rng.sample(others, 1)], 2))
        if kind < 0.82:  # a shortened retelling of the sentence and what is around it
            near = sentences[max(0, chosen - 1) : chosen + 2]
            return _flat(self._shortened(s, rng) for s in rng.sample(near, len(near)))
        if kind < 0.94:  # a list of content words of the surroundings
            near = _flat(sentences[max(0, chosen - 2) : chosen + 3])
            return self._content_words(near, rng)
        # BLANC's filler; a model that has never seen it would flatter every summary
        return [self.vocabulary.period] * self.recipe.prefix_tokens[1]

    def _shortened(self, sentence: Sentence, rng: random.Random) -> Sentence:
        """Drop whole words, function words sooner; keep the order."""
        kept: Sentence = []
        for word in self.vocabulary.words(sentence):
            content = self.vocabulary.is_content(sentence, word)
            if rng.random() < (0.75 if content else 0.55):
                kept.extend(sentence[i] for i in word)
        return kept

    def _content_words(self, tokens: Sentence, rng: random.Random) -> Sentence:
        words = [w for w in self.vocabulary.words(tokens) if self.vocabulary.is_content(tokens, w)]
        picked = rng.sample(words, round(len(words) * 0.7))
        return [tokens[i] for word in picked for i in word]

    def _mask_words(
        self, tokens: Sentence, content_rate: float, other_rate: float, rng: random.Random
    ) -> Sentence:
        """Mask whole words in place, content words at their own rate; return the labels."""
        labels = [IGNORED] * len(tokens)
        for word in self.vocabulary.words(tokens):
            content = self.vocabulary.is_content(tokens, word)
            if rng.random() < (content_rate if content else other_rate):
                for i in word:
                    labels[i], tokens[i] = tokens[i], self.vocabulary.mask
        return labels

    def _mask_tokens(self, tokens: Sentence, rate: float, rng: random.Random) -> Sentence:
        """Mask single tokens in place; return the labels."""
        labels = [IGNORED] * len(tokens)
        for i, token in enumerate(tokens):
            if rng.random() < rate:
                labels[i], tokens[i] = token, self.vocabulary.mask
        return labels

    def _framed(self, tokens: Sentence, labels: Sentence) -> tuple[Sentence, Sentence]:
        v = self.vocabulary
        return [v.cls, *tokens, v.sep], [IGNORED, *labels, IGNORED]


def _flat(sentences: Iterable[Sentence]) -> Sentence:
    return [token for sentence in sentences for token in sentence]


def batches_by_length(
    pairs: list[tuple[Sentence, Sentence]], batch_tokens: int, pad: int
) -> Iterator[Batch]:
    """Batches of sequences of like length, so that next to nothing is padding."""
    ordered = sorted(pairs, key=lambda pair: len(pair[0]))
    group: list[tuple[Sentence, Sentence]] = []
    for pair in ordered:
        if group and (len(group) + 1) * len(pair[0]) > batch_tokens:
            yield _padded(group, pad)
            group = []
        group.append(pair)
    if group:
        yield _padded(group, pad)


def _padded(group: list[tuple[Sentence, Sentence]], pad: int) -> Batch:
    width = max(len(tokens) for tokens, _ in group)
    inputs = torch.full((len(group), width), pad)
    labels = torch.full((len(group), width), IGNORED)
    for row, (tokens, marks) in enumerate(group):
        inputs[row, : len(tokens)] = torch.tensor(tokens)
        labels[row, : len(tokens)] = torch.tensor(marks)
    return Batch(inputs, (inputs != pad).long(), labels)
