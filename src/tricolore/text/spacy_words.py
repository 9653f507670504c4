"""Words as spaCy's English tokenizer cuts them; spaCy is an optional package."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from threading import Lock
from typing import Any

from tricolore.errors import Unavailable
from tricolore.memo import remembered
from tricolore.text.treebank import CutWords

_LOCK = Lock()  # spaCy's tokenizer keeps what it has seen, and threads may share it


@cache
def _cutter() -> Any:
    try:
        import spacy  # importing spaCy takes a second
    except ImportError as missing:
        raise Unavailable(
            f"tokenizer=spacy needs spaCy, but {missing.name} is not installed",
            "install it with `pip install 'tricolore[spacy]'`, or use tokenizer=words",
        ) from None
    return spacy.blank("en").tokenizer  # rules only: no pipeline has to be installed


@remembered
def spacy_words(text: str) -> CutWords:
    """The words of a text by spaCy's rules for English; white space is no word.

    >>> spacy_words("He can't say  so.").words
    ('He', 'ca', "n't", 'say', 'so', '.')
    """
    with _LOCK:
        found = [(token.text, token.idx) for token in _cutter()(text) if not token.is_space]
    spans = tuple((start, start + len(word)) for word, start in found)
    return CutWords(tuple(word for word, _ in found), spans)


def spacy_version() -> str:
    """The version of spaCy, for signatures; an error if it is not installed."""
    _cutter()
    return version("spacy")
