"""Cutting text into sentences, by rule."""

from __future__ import annotations

from tricolore.text.memo import remembered


@remembered
def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where the sentences of a text stand in it; a line break in the text ends a paragraph.

    >>> sentence_spans("It rained. We left at 5 p.m. in the end.")
    ((0, 10), (11, 40))
    """
    from syntok import segmenter

    found: list[tuple[int, int]] = []
    for paragraph in segmenter.process(text):
        for sentence in paragraph:
            start = sentence[0].offset
            last = sentence[-1]
            found.append((start, last.offset + len(last.value)))
    return tuple(found)


def sentences(text: str) -> list[str]:
    """The sentences of a text.

    >>> sentences("It rained. We left.")
    ['It rained.', 'We left.']
    """
    return [text[start:end] for start, end in sentence_spans(text)]
