"""Extract-then-evaluate: keep the sentences of a long source that have most of its importance.

Wu et al. (2024), "Less is More for Long Document Summary Evaluation by LLMs", with the importance
weights of n-grams instead of ROUGE to choose the sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tricolore.errors import TricoloreError
from tricolore.measures.importance import Importance
from tricolore.text.sentences import sentence_spans


class ExtractError(TricoloreError):
    """The sentences of a source cannot be weighed."""


@dataclass(frozen=True)
class SourceExtract:
    """What is kept of a source."""

    texts: tuple[str, ...]
    """The sentences that are kept of each document that has some, in their order."""
    spans: tuple[tuple[int, int, int], ...]
    """Document, start and end of each sentence."""
    is_cut: bool


@cache
def _importance() -> Importance:
    return Importance(corpus="background", penalty=False)


def extract(source: Sequence[str], words: int) -> SourceExtract:
    """The heaviest sentences of a source that have at most so many words together, in their order.

    A short source is kept whole. If every sentence is too long, the heaviest one is kept.
    """
    if sum(len(text.split()) for text in source) <= words:
        spans = tuple((at, 0, len(text)) for at, text in enumerate(source))
        return SourceExtract(tuple(source), spans, is_cut=False)
    whole = "\n".join(source)
    places = []  # document, start and end of every sentence
    offset, in_whole = 0, []
    for at, text in enumerate(source):
        for start, end in sentence_spans(text):
            places.append((at, start, end))
            in_whole.append((offset + start, offset + end))
        offset += len(text) + 1
    weights = _importance().span_weights(whole, in_whole)
    if isinstance(weights, str):
        raise ExtractError(f"no sentences can be chosen by importance: {weights}")
    # Of equal weights, the earlier sentence comes first.
    order = sorted(range(len(places)), key=lambda at: (-round(weights[at], 12), at))
    kept: list[int] = []
    left = words
    for at in order:
        start, end = in_whole[at]
        size = len(whole[start:end].split())
        if size <= left:
            kept.append(at)
            left -= size
    spans = tuple(places[at] for at in sorted(kept or order[:1]))
    texts = (
        " ".join(source[document][start:end] for document, start, end in spans if document == at)
        for at in range(len(source))
    )
    return SourceExtract(tuple(filter(None, texts)), spans, is_cut=True)
