"""SUPERT by its definition, one text at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tricolore import Example
from tricolore.measures.supert import Supert
from tricolore.models.model import shared
from tricolore.models.sentence_encoder import SentenceEncoder

STORY = "the old king met the queen in Paris . the dog slept in London . a cat ate the fish ."
OTHER = "a bird saw the river . the new city was in Rome ."
SUMMARY = "the king met a dog in London . the fish slept ."
PARTS = ("precision", "recall", "f1")


def one(source: Any, summary: str, *, evidence: bool = False, references=(), **chosen: Any):
    example = Example(source=source, summary=summary, references=references)
    [score] = Supert(**chosen).score([example], evidence=evidence)
    return score


def vectors_of(model: str, texts: list[str], unwanted: frozenset[str] = frozenset()) -> np.ndarray:
    """The vectors of all tokens of some sentences, but for some words."""
    encoder = shared(SentenceEncoder, model)
    rows = []
    for found in encoder.token_vectors(texts):
        entries = encoder.entries(found.tokens.ids)
        rows += [
            v for v, e in zip(found.vectors, entries, strict=True) if e.lower() not in unwanted
        ]
    return np.array(rows)


def by_definition(reference: np.ndarray, summary: np.ndarray) -> tuple[float, float, float]:
    """Thesis, section 5.2, token by token."""

    def cosine(a, b):
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    precision = np.mean([max(cosine(r, s) for r in reference) for s in summary])
    recall = np.mean([max(cosine(r, s) for s in summary) for r in reference])
    return precision, recall, 2 * precision * recall / (precision + recall)


def assert_parts(score, expected):
    assert [score.parts[name] for name in PARTS] == pytest.approx(expected, abs=1e-6)
