"""Held-out accuracy: 15 % of the tokens masked, how often the model's first guess is right."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass

import torch
from transformers import DistilBertForMaskedLM

from tools.embedded.corpus import Story
from tools.embedded.network import Head
from tools.embedded.sequences import IGNORED, Batch, batches_by_length
from tools.embedded.vocabulary import Vocabulary

MASKED_SHARE = 0.15
WINDOW = 256


@dataclass(frozen=True)
class Accuracy:
    """Top-1 accuracy over all masked tokens, and over whole words of 4+ letters apart."""

    masked: int
    all_tokens: float
    content_words: float

    def as_dict(self) -> dict[str, float]:
        """As it is written to the curve."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


def held_out_batches(
    stories: list[Story], vocabulary: Vocabulary, tokens: int, batch_tokens: int = 4096
) -> list[Batch]:
    """Windows of the stories, taken in turn from each source, about `tokens` tokens in all."""
    rng = random.Random("held-out")
    queues: dict[str, list[Story]] = {}
    for story in stories:
        queues.setdefault(story.source, []).append(story)
    share = tokens / max(1, len(queues))
    pairs = []
    for source in sorted(queues):
        taken = 0
        for story in queues[source]:
            flat = [t for sentence in story.sentences for t in sentence]
            for start in range(0, len(flat), WINDOW):
                if taken >= share:
                    break
                pairs.append(_masked(flat[start : start + WINDOW], vocabulary, rng))
                taken += len(pairs[-1][0])
    return list(batches_by_length(pairs, batch_tokens, vocabulary.pad))


def _masked(
    tokens: list[int], vocabulary: Vocabulary, rng: random.Random
) -> tuple[list[int], list[int]]:
    chosen = set(rng.sample(range(len(tokens)), max(1, round(len(tokens) * MASKED_SHARE))))
    inputs = [vocabulary.mask if i in chosen else t for i, t in enumerate(tokens)]
    labels = [t if i in chosen else IGNORED for i, t in enumerate(tokens)]
    return [vocabulary.cls, *inputs, vocabulary.sep], [IGNORED, *labels, IGNORED]


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
