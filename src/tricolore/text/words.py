"""Cutting text into words, and finding the positions of words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from tricolore.memo import remembered

if TYPE_CHECKING:
    from tricolore.text.treebank import CutWords

Tokenizer = Literal["words", "space", "google", "unicode"]
"""How to find words.

words    runs of letters and digits, and every other visible character by itself
space    runs of characters between white space
google   runs of a-z and 0-9, as the rouge-score package (nothing of other scripts remains)
unicode  runs of letters and digits of any script
"""
AnyTokenizer = Literal["words", "space", "google", "unicode", "treebank", "spacy"]
"""Also those of other packages.

treebank  as NLTK's `word_tokenize`: "can't" is "ca" and "n't"
spacy     as spaCy's rules for English
"""
WordTuple = tuple[str, ...]
"""The words of a text."""
TOKENIZER_HELP = (
    "How texts are cut into words: `words` (runs of letters and digits; every other character by "
    "itself), `unicode` (without punctuation), `space` (at white space) or `google` (a-z and 0-9 "
    "only, as the rouge-score package)."
)
ANY_TOKENIZER_HELP = TOKENIZER_HELP.removesuffix(".") + (
    "; or as other packages do: `treebank` (NLTK's `word_tokenize`) or `spacy` (spaCy's English "
    "tokenizer, which has to be installed)."
)

_PATTERNS = {
    "words": re.compile(r"\w+|[^\w\s]"),
    "space": re.compile(r"\S+"),
    "google": re.compile(r"[a-z0-9]+"),
    "unicode": re.compile(r"\w+"),
}
_MARK = re.compile(r"[^\w\s]")
_MARKS = {c: None for c in range(128) if not _MARK.match(chr(c))}
_ASCII = "".join(chr(c).lower() if chr(c).isalnum() else " " for c in range(128))


@remembered
def words(text: str, tokenizer: AnyTokenizer = "words", lower: bool = True) -> tuple[str, ...]:
    """The words of a text.

    >>> words("The U.S. team's draw")
    ('the', 'u', '.', 's', '.', 'team', "'", 's', 'draw')
    """
    if tokenizer in ("treebank", "spacy"):
        cut = _cut(text, tokenizer).words
        return tuple(map(str.lower, cut)) if lower else cut
    if tokenizer == "google" and lower and text.isascii():
        return tuple(text.translate(_ASCII).split())  # as the pattern finds them, twice as fast
    text = text.lower() if lower else text
    if tokenizer == "space":
        return tuple(text.split())
    if tokenizer == "words":
        marks = set(text.translate(_MARKS) if text.isascii() else _MARK.findall(text))
        if len(marks) < 40:  # faster than the pattern too, unless there are very many
            for mark in marks:
                text = text.replace(mark, f" {mark} ")
            return tuple(text.split())
    return tuple(_PATTERNS[tokenizer].findall(text))


def word_spans(
    text: str, tokenizer: AnyTokenizer = "words", lower: bool = True
) -> list[tuple[int, int]]:
    """The spans of the words of a text: one (start, end) for each of `words`."""
    if tokenizer in ("treebank", "spacy"):
        return list(_cut(text, tokenizer).spans)
    lowered = text.lower() if lower else text
    spans = [match.span() for match in _PATTERNS[tokenizer].finditer(lowered)]
    if len(lowered) == len(text):
        return spans
    # Some capitals become two characters when lowered: count back to the text as given.
    origin = [at for at, letter in enumerate(text) for _ in letter.lower()]
    return [(origin[start], origin[end - 1] + 1) for start, end in spans]


def _cut(text: str, tokenizer: AnyTokenizer) -> CutWords:
    """The words as another package cuts them, with their capitals."""
    if tokenizer == "spacy":
        from tricolore.text.spacy_words import spacy_words

        return spacy_words(text)
    from tricolore.text.treebank import treebank_words

    return treebank_words(text)
