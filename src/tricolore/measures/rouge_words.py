"""The words of a text as ROUGE compares them, and their positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from tricolore.memo import remembered
from tricolore.text.stem import stem
from tricolore.text.stem_rouge import stem_rouge
from tricolore.text.stop import stop_words
from tricolore.text.words import Tokenizer, WordTuple, word_spans, words

_STEMMERS: dict[str, Callable[[str], str]] = {"": str, "paper": stem, "1.5.5": stem_rouge}

COMPARED = {
    "1": "words",
    "2": "pairs of words",
    "3": "sequences of three words",
    "4": "sequences of four words",
    "l": "words in the same order",
    "lsum": "words in the same order within sentences",
    "w": "words in the same order, more if they are adjacent,",
    "s4": "pairs of words with at most four others between them",
    "su4": "words, and pairs with at most four others between them,",
}
"""What each variant compares, in words."""


def compared_words(text: str, tokenizer: Tokenizer, stemmer: str, stop: bool) -> WordTuple:
    """The words that are compared: without stop words, then stemmed, as the settings say."""
    if stemmer or stop:
        return _chosen_words(text, tokenizer, stemmer, stop)
    return words(text, tokenizer)


@remembered
def _chosen_words(text: str, tokenizer: Tokenizer, stemmer: str, stop: bool) -> WordTuple:
    chosen: Iterable[str] = words(text, tokenizer)
    if stop:
        common = stop_words("smart")
        chosen = (word for word in chosen if word not in common)
    return tuple(map(_STEMMERS[stemmer], chosen))


class PlacedWord(NamedTuple):
    """A word that is compared, its characters in the text, and the number of its sentence."""

    word: str
    start: int
    end: int
    sentence: int


def placed_words(
    text: str,
    sentences: Iterable[tuple[int, int]],
    tokenizer: Tokenizer,
    stemmer: str,
    stop: bool,
) -> list[PlacedWord]:
    """The compared words of these sentences, with their positions in the text.

    >>> placed_words("a cat. the dog", [(0, 6), (7, 14)], "unicode", "", True)[-1]
    PlacedWord(word='dog', start=11, end=14, sentence=1)
    """
    placed = []
    for sentence, (offset, end) in enumerate(sentences):
        piece = text[offset:end]
        for word, (start, stop_at) in zip(
            words(piece, tokenizer), word_spans(piece, tokenizer), strict=True
        ):
            if not (stop and word in stop_words("smart")):
                stemmed = _STEMMERS[stemmer](word)
                placed.append(PlacedWord(stemmed, offset + start, offset + stop_at, sentence))
    return placed


def by_sentence(placed: Sequence[PlacedWord]) -> list[list[int]]:
    """The indices of the words of each sentence that has any."""
    cut: dict[int, list[int]] = {}
    for place, word in enumerate(placed):
        cut.setdefault(word.sentence, []).append(place)
    return list(cut.values())


def line_spans(text: str) -> list[tuple[int, int]]:
    """The lines of a text as sentences.

    >>> line_spans("ab\\nc")
    [(0, 2), (3, 4)]
    """
    spans, start = [], 0
    for line in text.split("\n"):
        spans.append((start, start + len(line)))
        start += len(line) + 1
    return spans
