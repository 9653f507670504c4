"""Held-out accuracy: how often the model's first guess at a masked token is right.

Six samples of the same stories. Two are windows with 15 % of the tokens masked, as written and
lower-cased. Four are single sentences with whole content words masked, as BLANC-help shows them:
with a summary-like passage in front and, for comparison, alone.
"""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass

import torch
from transformers import DistilBertForMaskedLM

from tools.embedded.corpus import Sentence, Story
from tools.embedded.network import Head
from tools.embedded.sequences import IGNORED, Batch, Recipe, Sequences, batches_by_length
from tools.embedded.vocabulary import Vocabulary

MASKED_SHARE = 0.15
WINDOW = 256
PASSAGE = 60
# Every second content word: BLANC masks one word in a few, and more masks make a larger sample.
MASKED_WORDS = 2

Pair = tuple[Sentence, Sentence]
Samples = dict[str, list[Batch]]


@dataclass(frozen=True)
class Accuracy:
    """Top-1 accuracy over all masked tokens, and over whole words of 4+ letters apart."""

    masked: int
    all_tokens: float
    content_words: float

    def as_dict(self) -> dict[str, float]:
        """As it is written to the curve."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


def held_out_samples(
    stories: list[Story], vocabulary: Vocabulary, tokens: int, sentences: int
) -> Samples:
    """All samples by name: windows of about `tokens` tokens each, and `sentences` sentences each.

    The first version of a pair in a name is that of the passage, the second of the sentence.
    """
    samples = {
        name: held_out_batches(stories, vocabulary, tokens, lowercase=lowercase)
        for name, lowercase in (("cased", False), ("lowercase", True))
    }
    alone, helped = "{} alone", "{} passage, {} sentence"
    for front, lowercase in ((False, False), (True, False), (True, True)):
        names = ["lowercase" if lower else "cased" for lower in (front, lowercase)]
        pairs = _sentence_pairs(stories, vocabulary, sentences, front, lowercase)
        samples[helped.format(*names)] = _batches([pair for pair, _ in pairs], vocabulary)
        samples[alone.format(names[1])] = _batches([pair for _, pair in pairs], vocabulary)
    return samples


def held_out_batches(
    stories: list[Story], vocabulary: Vocabulary, tokens: int, *, lowercase: bool = False
) -> list[Batch]:
    """Windows of the stories, taken in turn from each source, about `tokens` tokens in all."""
    rng = random.Random("held-out")
    queues = _by_source(stories)
    share = tokens / max(1, len(queues))
    pairs = []
    for source in sorted(queues):
        taken = 0
        for story in queues[source]:
            flat = [t for sentence in story.version(lowercase) for t in sentence]
            for start in range(0, len(flat), WINDOW):
                if taken >= share:
                    break
                pairs.append(_masked(flat[start : start + WINDOW], vocabulary, rng))
                taken += len(pairs[-1][0])
    return _batches(pairs, vocabulary)


def _by_source(stories: list[Story]) -> dict[str, list[Story]]:
    queues: dict[str, list[Story]] = {}
    for story in stories:
        queues.setdefault(story.source, []).append(story)
    return queues


def _batches(pairs: list[Pair], vocabulary: Vocabulary) -> list[Batch]:
    return list(batches_by_length(pairs, 4096, vocabulary.pad))


def _masked(tokens: Sentence, vocabulary: Vocabulary, rng: random.Random) -> Pair:
    chosen = set(rng.sample(range(len(tokens)), max(1, round(len(tokens) * MASKED_SHARE))))
    return _framed([], tokens, chosen, vocabulary)


def _framed(front: Sentence, tokens: Sentence, masked: set[int], vocabulary: Vocabulary) -> Pair:
    """A passage and a sentence with special tokens, the masked tokens of the sentence replaced."""
    inputs = [vocabulary.mask if i in masked else t for i, t in enumerate(tokens)]
    labels = [t if i in masked else IGNORED for i, t in enumerate(tokens)]
    ignored = [IGNORED] * (len(front) + 1)
    return [vocabulary.cls, *front, *inputs, vocabulary.sep], [*ignored, *labels, IGNORED]


def _sentence_pairs(
    stories: list[Story], vocabulary: Vocabulary, count: int, front: bool, lowercase: bool
) -> list[tuple[Pair, Pair]]:
    """The same sentences and masks twice: after a passage of the story, and alone."""
    rng = random.Random("held-out sentences")
    makes = Sequences(stories, vocabulary, Recipe())
    queues = [list(queue) for _, queue in sorted(_by_source(stories).items())]
    pairs: list[tuple[Pair, Pair]] = []
    for number in range(count):
        queue = queues[number % len(queues)]
        story = queue[number // len(queues) % len(queue)]
        chosen = rng.randrange(len(story.sentences))
        # A generator of its own: what the passage draws must not change the next sentence.
        passage = makes.passage(story.version(front), chosen, random.Random(f"passage {number}"))
        tokens = story.version(lowercase)[chosen]
        words = [w for w in vocabulary.words(tokens) if vocabulary.is_content(tokens, w)]
        masked = {i for word in words[number % MASKED_WORDS :: MASKED_WORDS] for i in word}
        if masked:
            pairs.append(
                (
                    _framed(passage[:PASSAGE], tokens[:WINDOW], masked, vocabulary),
                    _framed([], tokens[:WINDOW], masked, vocabulary),
                )
            )
    return pairs


def accuracies(
    model: DistilBertForMaskedLM, samples: Samples, vocabulary: Vocabulary
) -> dict[str, Accuracy]:
    """Accuracy of the model on each sample."""
    return {name: accuracy(model, batches, vocabulary) for name, batches in samples.items()}


@torch.no_grad()
def accuracy(
    model: DistilBertForMaskedLM, batches: list[Batch], vocabulary: Vocabulary
) -> Accuracy:
    """Accuracy of the model on the batches; a content word is a single piece of 4+ letters."""
    head = Head(model)
    right = total = content_right = content_total = 0
    letters = torch.from_numpy(vocabulary.letters)
    inside = torch.from_numpy(vocabulary.continues)
    model.eval()
    for batch in batches:
        states = model.distilbert(input_ids=batch.inputs, attention_mask=batch.attention)[0]
        where = batch.labels != IGNORED
        gold = batch.labels[where]
        hits = head(states[where]).argmax(-1) == gold
        content = (letters[gold] >= 4) & ~inside[gold]
        right, total = right + int(hits.sum()), total + len(gold)
        content_right += int(hits[content].sum())
        content_total += int(content.sum())
    return Accuracy(total, right / max(1, total), content_right / max(1, content_total))
