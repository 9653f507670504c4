"""Words as NLTK's `word_tokenize` cuts them, without the data that it must download.

NLTK's own word tokenizer does the work, on our sentences in place of punkt's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tricolore.memo import remembered
from tricolore.text.sentences import sentence_spans

if TYPE_CHECKING:
    from nltk.tokenize.destructive import NLTKWordTokenizer

_QUOTES = ('"', "``", "''")
"""The tokenizer writes each of them as `` or ''."""


@dataclass(frozen=True, slots=True)
class CutWords:
    """The words of a text, as the tokenizer writes them, and their spans in it."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


@cache
def _cutter() -> NLTKWordTokenizer:
    from nltk.tokenize.destructive import NLTKWordTokenizer  # importing NLTK takes a while

    return NLTKWordTokenizer()


@remembered
def treebank_words(text: str) -> CutWords:
    """The words of a text by the rules of the Penn Treebank.

    >>> treebank_words('He can\\'t say "no".').words
    ('He', 'ca', "n't", 'say', '``', 'no', "''", '.')
    """
    words: list[str] = []
    spans: list[tuple[int, int]] = []
    for start, end in sentence_spans(text):
        at = start
        for word in _cutter().tokenize(text[start:end]):
            found = _find(text, word, at, end)
            words.append(word)
            spans.append(found)
            at = found[1]
    return CutWords(tuple(words), tuple(spans))


def _find(text: str, word: str, at: int, end: int) -> tuple[int, int]:
    """The span of a word, which may be another kind of quotation mark in the text."""
    written = _QUOTES if word in ("``", "''") else (word,)
    found = [(place, len(way)) for way in written if (place := text.find(way, at, end)) >= 0]
    if not found:
        return at, at
    place, length = min(found)
    return place, place + length
