"""How well passages of the source support the sentences of a summary, by a sentence encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tricolore.measures.greedy_matching import GreedyMatching
from tricolore.measures.passages import Passage
from tricolore.measures.pseudo_reference import Sentence, read
from tricolore.measures.supert_tokens import Excerpt, SentenceReader, SentenceTokens, Texts
from tricolore.models.encoder import Vectors
from tricolore.models.vectors import unit_rows

LONGEST_PASSAGE = 3
"""A passage is a sentence of the source, or a run of two or three."""


@dataclass(frozen=True)
class Support:
    """What the source has for a sentence: the passage most like it, and how well it fits."""

    cosine: float
    """The cosine of the sentence and the passage."""
    precision: float
    """The mean over the tokens of the sentence of the best cosine with any token of the source."""
    passage: Passage
    best: Vectors
    """The best cosine of each token."""

    @property
    def value(self) -> float:
        """The mean of both, from 0 to 1: rounding can move a cosine of 1 slightly above 1."""
        return min(1.0, max(0.0, (self.cosine + self.precision) / 2))


class EncodedSource:
    """The tokens and passages of a source as vectors."""

    def __init__(self, documents: Texts, reader: SentenceReader) -> None:
        found = _read(documents, reader)
        self.is_cut = any(tokens.is_cut for _, tokens in found)
        sound = [(sentence, tokens) for sentence, tokens in found if len(tokens)]
        self._tokens = [tokens.vectors for _, tokens in sound]
        self._sentences = [sentence for sentence, _ in sound]

    def __bool__(self) -> bool:
        return bool(self._sentences)

    @cached_property
    def tokens(self) -> Vectors:
        """The vectors of all tokens."""
        return np.concatenate(self._tokens)

    @cached_property
    def _passages(self) -> tuple[list[Passage], Vectors]:
        """Every run of one to three sentences of a document, and the mean vector of its tokens."""
        sums = np.stack([vectors.sum(axis=0, dtype=np.float64) for vectors in self._tokens])
        passages, means = [], []
        for length in range(1, LONGEST_PASSAGE + 1):
            for at in range(len(sums) - length + 1):
                first, last = self._sentences[at], self._sentences[at + length - 1]
                if first.document == last.document:
                    passages.append(Passage(first.document, first.start, last.end))
                    means.append(sums[at : at + length].sum(axis=0))
        return passages, unit_rows(np.stack(means)).astype(np.float32)

    def supports(self, sentences: Sequence[Vectors]) -> list[Support]:
        """The support of sentences, given as the vectors of their tokens."""
        passages, vectors = self._passages
        matching = GreedyMatching(np.concatenate(sentences))
        matching.add(self.tokens)
        ends = np.cumsum([len(sentence) for sentence in sentences])
        best = np.split(matching.best, ends[:-1])
        means = np.stack([sentence.sum(axis=0, dtype=np.float64) for sentence in sentences])
        cosines = unit_rows(means).astype(np.float32) @ vectors.T
        return [
            Support(
                float(row.max()),
                float(found.mean(dtype=np.float64)),
                passages[row.argmax()],
                found,
            )
            for row, found in zip(cosines, best, strict=True)
        ]

    def fit(self, text: Vectors) -> float:
        """How well a text fits any one passage: its cosine with it, and its token precision in it.

        Both parts are at most 1. Unlike the precision of `supports`, tokens are not compared with
        the whole source: a name that the source has elsewhere does not help.
        """
        _, vectors = self._passages
        cosine = float((vectors @ unit_rows(text.sum(axis=0, keepdims=True))[0]).max())
        ends = np.cumsum([len(tokens) for tokens in self._tokens])
        starts = np.concatenate([[0], ends[:-1]])
        best = np.maximum.reduceat(text @ self.tokens.T, starts, axis=1)
        longest = min(LONGEST_PASSAGE, best.shape[1])
        runs = np.lib.stride_tricks.sliding_window_view(best, longest, axis=1).max(axis=2)
        return cosine + float(runs.mean(axis=0).max())


def _read(documents: Texts, reader: SentenceReader) -> list[tuple[Sentence, SentenceTokens]]:
    """The sentences of some texts and their tokens."""
    sentences = read(documents)
    tokens = reader([Excerpt(documents, [sentence]) for sentence in sentences])
    return list(zip(sentences, tokens, strict=True))


def encoded_sentences(text: str, reader: SentenceReader) -> list[tuple[Sentence, SentenceTokens]]:
    """The sentences of a summary that have a word the encoder can read, and their tokens."""
    return [(sentence, tokens) for sentence, tokens in _read((text,), reader) if len(tokens)]
