"""Tiny encoders, made on the spot, and rows whose scores an encoder can learn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from tricolore import Example
from tricolore.train.directory import Card, ModelDirectory, write
from tricolore.train.estimator import Estimator, TrainingSet
from tricolore.train.fitting import fit_restarts
from tricolore.train.targets import labelled_examples

TARGETS = ("liked", "plain")
WORDS = [f"w{at}" for at in range(30)]
SPECIAL = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}


def tiny_encoder(directory: Path, *, seed: int = 5) -> str:
    """A random BERT of two layers whose vocabulary is a few words."""
    vocabulary = {word: at for at, word in enumerate([*SPECIAL.values(), ".", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=24,
        **{f"{kind}_token": token for kind, token in SPECIAL.items()},
    ).save_pretrained(directory)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=24,
        initializer_range=0.5,
    )
    BertModel(config).save_pretrained(directory)
    return str(directory)


def judged(documents: int = 10, systems: int = 4) -> list[Example]:
    """People like summaries with many different words, on a scale of 1 to 5."""
    draw = np.random.default_rng(1)
    rows = []
    for document in range(documents):
        source = " ".join(draw.choice(WORDS, 15))
        for system in range(systems):
            chosen = draw.choice(WORDS, draw.integers(2, 8))
            liked = 1 + 4 * len(set(chosen)) / 8
            rows.append(
                Example(
                    source=source,
                    summary=" ".join(chosen) + ".",
                    doc_id=f"d{document}",
                    system=f"s{system}",
                    human={"liked": liked, "plain": 6 - liked},
                )
            )
    return rows


def lessons_of(estimator: Estimator, rows: list[Example]) -> TrainingSet:
    known = labelled_examples(rows, TARGETS, (1, 5))
    return known.training_set(estimator.features(known.examples))[0]


def keep(
    path: Path, estimator: Estimator, rows: list[Example], *, restarts: int = 1
) -> ModelDirectory:
    """Train on everything, and write it."""
    card = Card(
        kind=estimator.kind,
        settings=estimator.settings,
        targets=TARGETS,
        bounds=(1.0, 5.0),
        restarts=restarts,
        seed=1,
        made_with=estimator.made_with(),
    )
    return write(
        path, card, fit_restarts(estimator, lessons_of(estimator, rows), restarts=restarts, seed=1)
    )
