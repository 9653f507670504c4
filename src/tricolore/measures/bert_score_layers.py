"""Which layer BERTScore reads: the one its authors tuned for a model, or a rule for others."""

from __future__ import annotations

import math

TUNED = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-cased-finetuned-mrpc": 9,
    "bert-base-multilingual-cased": 9,
    "bert-base-chinese": 8,
    "roberta-base": 10,
    "roberta-large": 17,
    "roberta-large-mnli": 19,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
    "distilroberta-base": 5,
    "distilbert-base-uncased": 5,
    "distilbert-base-uncased-distilled-squad": 4,
    "distilbert-base-multilingual-cased": 5,
    "albert-base-v1": 10,
    "albert-large-v1": 17,
    "albert-xlarge-v1": 16,
    "albert-xxlarge-v1": 8,
    "albert-base-v2": 9,
    "albert-large-v2": 14,
    "albert-xlarge-v2": 13,
    "albert-xxlarge-v2": 8,
    "google/electra-small-discriminator": 11,
    "google/electra-base-discriminator": 9,
    "google/electra-large-discriminator": 14,
    "microsoft/mpnet-base": 8,
    "microsoft/deberta-base": 9,
    "microsoft/deberta-base-mnli": 9,
    "microsoft/deberta-large": 16,
    "microsoft/deberta-large-mnli": 18,
    "microsoft/deberta-xlarge": 18,
    "microsoft/deberta-xlarge-mnli": 40,
    "microsoft/deberta-v3-base": 9,
    "microsoft/deberta-v3-large": 12,
    "allenai/scibert_scivocab_uncased": 8,
    "allenai/scibert_scivocab_cased": 9,
    "allenai/longformer-base-4096": 7,
    "allenai/longformer-large-4096": 14,
    "princeton-nlp/sup-simcse-bert-base-uncased": 10,
    "princeton-nlp/sup-simcse-roberta-large": 16,
    "ProsusAI/finbert": 10,
}
"""Layers by name on the hub, tuned on WMT16 translations (the table of bert-score 0.3.13)."""
_MOVED = ("google-bert/", "FacebookAI/", "distilbert/", "albert/")
"""Owners that the hub has given to models that once had none."""


def default_layer(model: str, depth: int) -> int:
    """The tuned layer, or three quarters of the depth, as the tuned BERTs of any size have.

    >>> default_layer("FacebookAI/roberta-large", 24), default_layer("my-bert", 12)
    (17, 9)
    """
    for owner in _MOVED:
        model = model.removeprefix(owner)
    return TUNED.get(model) or math.ceil(0.75 * depth)
