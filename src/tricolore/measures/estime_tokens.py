"""Texts as ESTIME reads them: tokens, or words of several tokens, that are masked and compared."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tricolore.models.masked_lm import MaskedLM
from tricolore.models.masked_vectors import MaskableText, Unit
from tricolore.text.normal import Normal, UnicodeForm, lower_case, normal_form
from tricolore.text.pos import tags
from tricolore.text.treebank import treebank_words

UnitKind = Literal["tokens", "words"]


class Token(NamedTuple):
    """A token, or a word of several tokens, that is masked and compared."""

    unit: Unit
    key: str
    """Tokens with equal keys are the same token: t_i and t'_α of eq. (1)."""
    overlap: str
    """A token is checked if this occurs in the other text."""
    start: int
    """Its first character in the text as given; `end` is after its last."""
    end: int
    tag: str
    """Its part of speech, where a filter asks for it."""


@dataclass(frozen=True)
class TokenText:
    """A text as token ids, and the tokens of it that are compared."""

    ids: tuple[int, ...]
    tokens: tuple[Token, ...]

    def filtered(self, wanted: frozenset[str], unwanted: frozenset[str]) -> TokenText:
        """The text without the tokens whose part of speech is filtered out (appendix E)."""
        kept = (
            token
            for token in self.tokens
            if token.tag not in unwanted and (not wanted or token.tag in wanted)
        )
        return TokenText(self.ids, tuple(kept))

    @property
    def maskable(self) -> MaskableText:
        """The text as the model reads it."""
        return MaskableText(self.ids, tuple(token.unit for token in self.tokens))

    def first_id(self, index: int) -> int:
        """The id of a token, or of the first token of a word."""
        return self.ids[self.tokens[index].unit.first]


@dataclass(frozen=True)
class TokenReader:
    """How texts are cut into tokens.

    With `lowercase`, the model reads small letters only. Words and their parts of speech are those
    of the text as it is written, where capitals help the tagger.
    """

    lm: MaskedLM
    unit: UnitKind = "tokens"
    lowercase: bool = False
    unicode: UnicodeForm = "none"
    is_tagged: bool = False

    def __call__(self, text: str) -> TokenText:
        """A text with all its tokens."""
        normal = normal_form(text, self.unicode)
        return self._words(normal) if self.unit == "words" else self._tokens(normal)

    def _tokens(self, normal: Normal) -> TokenText:
        """Every token of the model (§2)."""
        # With a space in front, byte-level tokenizers read the first word like any other.
        shift = int(not normal.text[:1].isspace())
        cut = self.lm.tokenize(" " * shift + self._read(normal.text))
        spans = [(max(0, start - shift), max(0, end - shift)) for start, end in cut.spans]
        tagged = self._token_tags(normal.text, spans)
        found = zip(self.lm.entries(cut.ids), spans, tagged, strict=True)
        tokens = (
            Token(Unit(at, at + 1, at), entry, entry, *normal.back(*span), tag)
            for at, (entry, span, tag) in enumerate(found)
        )
        return TokenText(cut.ids, tuple(tokens))

    def _words(self, normal: Normal) -> TokenText:
        """Every word of NLTK's tokenizer: all of it masked, its first token compared (blanc).

        The words are read one by one, as if nothing but spaces stood between them. A word without
        any token of the model is left out.
        """
        words = treebank_words(normal.text)
        read = [self._read(word) for word in words.words]
        starts, joined = _joined(read)
        cut = self.lm.tokenize(joined)
        tagged = tags(*words.words) if self.is_tagged else ("",) * len(words.words)
        tokens: list[Token] = []
        numbers = [bisect_right(starts, start) - 1 for start, _ in cut.spans]
        for first, end, number in _runs(numbers):
            key = self.lm.tokenizer.entry(cut.ids[first])
            span = normal.back(*words.spans[number])
            tokens.append(Token(Unit(first, end, number), key, read[number], *span, tagged[number]))
        return TokenText(cut.ids, tuple(tokens))

    def _read(self, text: str) -> str:
        """The text as the model reads it: no character is moved."""
        return lower_case(text) if self.lowercase else text

    def _token_tags(self, text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
        """A token has the part of speech of the word that it stands in."""
        if not self.is_tagged:
            return [""] * len(spans)
        words = treebank_words(text)
        tagged = tags(*words.words)
        starts = [start for start, _ in words.spans]
        return [tagged[max(0, bisect_right(starts, start) - 1)] for start, _ in spans]


def _joined(words: Sequence[str]) -> tuple[list[int], str]:
    """Words with a space before each, and where each begins.

    >>> _joined(["ca", "n't"])
    ([1, 4], " ca n't")
    """
    starts = [1]
    for word in words:
        starts.append(starts[-1] + len(word) + 1)
    return starts[:-1], "".join(f" {word}" for word in words)


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Runs of equal numbers: first index, end, number.

    >>> list(_runs([0, 0, 2]))
    [(0, 2, 0), (2, 3, 2)]
    """
    first = 0
    for at in range(1, len(numbers) + 1):
        if at == len(numbers) or numbers[at] != numbers[first]:
            yield first, at, numbers[first]
            first = at
