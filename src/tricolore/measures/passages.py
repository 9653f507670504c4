"""Passages of a source: sentences, pairs of them, paragraphs, or windows of whole sentences."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tricolore.models.batching import packed
from tricolore.text.sentences import sentence_spans

Granularity = Literal["sentence", "two_sentences", "paragraph", "window", "document"]
TextSpan = tuple[int, int]
"""The first character of a piece of text, and the one after its last."""

_EMPTY_LINE = re.compile(r"\n\s*\n")
_LINE = re.compile(r"\n")


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one document of the source."""

    document: int
    start: int
    end: int

    def covers(self, start: int, end: int) -> bool:
        """Whether it contains a span of its document."""
        return self.start <= start and end <= self.end


def passages(
    text: str, granularity: Granularity, size: Callable[[str], int], window: int
) -> list[TextSpan]:
    """The passages of a text, in order.

    Arguments:
        text: The text.
        granularity: `sentence`; `two_sentences`: each sentence with the next; `paragraph`: what
            empty lines separate, or lines if no line is empty; `window`: as many sentences as fit
            into a window; `document`: the whole text.
        size: The number of tokens of a piece of text.
        window: The size of a window; a longer sentence gets its own.

    >>> text = "It rained. We left. It stopped."
    >>> found = passages(text, "window", lambda piece: len(piece.split()), 4)
    >>> [text[start:end] for start, end in found]
    ['It rained. We left.', 'It stopped.']
    """
    if granularity == "document":
        return _trimmed(text, [(0, len(text))])
    if granularity == "paragraph":
        return _paragraphs(text)
    spans = sentence_spans(text)
    if granularity == "sentence":
        return list(spans)
    if granularity == "two_sentences":
        ends = [*(end for _, end in spans[1:]), spans[-1][1]] if spans else []
        return [(start, end) for (start, _), end in zip(spans, ends, strict=True)]
    groups = packed(spans, lambda span: size(text[span[0] : span[1]]), window)
    return [(group[0][0], group[-1][1]) for group in groups]


def _paragraphs(text: str) -> list[TextSpan]:
    """As the code of SummaC cuts them.

    >>> _paragraphs("One line.  \\nAnother.")
    [(0, 9), (12, 20)]
    """
    gaps = list(_EMPTY_LINE.finditer(text)) or list(_LINE.finditer(text))
    starts = [0, *(gap.end() for gap in gaps)]
    ends = [*(gap.start() for gap in gaps), len(text)]
    return _trimmed(text, list(zip(starts, ends, strict=True)))


def _trimmed(text: str, spans: list[TextSpan]) -> list[TextSpan]:
    """The spans without spaces at their ends; empty ones are left out."""
    found = []
    for start, end in spans:
        piece = text[start:end]
        if stripped := piece.strip():
            start += len(piece) - len(piece.lstrip())
            found.append((start, start + len(stripped)))
    return found
