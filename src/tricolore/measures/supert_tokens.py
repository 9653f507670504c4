"""The tokens that SUPERT compares: those of some sentences, as vectors of length 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from tricolore.measures.pseudo_reference import Sentence, read, texts_of
from tricolore.memo import Memo
from tricolore.models.encoder import Vectors
from tricolore.models.sentence_encoder import SentenceEncoder, TokenVectors
from tricolore.models.tokens import Tokens
from tricolore.models.vectors import unit_rows
from tricolore.text.stop import StopList, stop_words

Texts = tuple[str, ...]
_VectorKey = tuple[str, str, str, int, str]

_SPACE_MARKS = "Ġ▁"  # BPE and SentencePiece write these for the space before a word
_kept: Memo[_VectorKey, TokenVectors] = Memo(64 << 20, lambda _, found: found.vectors.nbytes)
"""A cache of the latest vectors; its size is in bytes.

A document whose summaries come one at a time is encoded once.
"""


@dataclass(frozen=True)
class Excerpt:
    """Some sentences of some documents."""

    documents: Texts
    sentences: Sequence[Sentence]

    @staticmethod
    def whole(text: str) -> Excerpt:
        """All sentences of a text."""
        return Excerpt((text,), read((text,)))

    @property
    def texts(self) -> list[str]:
        """The texts of the sentences."""
        return texts_of(self.documents, self.sentences)

    @property
    def characters(self) -> int:
        """The length of the sentences."""
        return sum(s.end - s.start for s in self.sentences)


@dataclass(frozen=True)
class SentenceTokens:
    """The tokens of some sentences, one after the other."""

    vectors: Vectors
    """Vectors of length 1."""
    places: npt.NDArray[np.int64]
    """For each token its document, and the characters where it begins and ends."""
    is_cut: bool
    """Whether a sentence had more tokens than were read."""

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True)
class SentenceReader:
    """Encodes sentences, each by itself, and leaves out stop words."""

    encoder: SentenceEncoder
    max_tokens: int
    """Number of tokens of a sentence that are read, special tokens included."""
    stop_words: Literal["none", StopList] = "none"
    ahead: Mapping[str, TokenVectors] = field(default_factory=dict)
    """The vectors of sentences that were encoded before."""

    def read_ahead(self, texts: Iterable[Texts]) -> SentenceReader:
        """A reader that has encoded the sentences of all these texts, in as few batches as fit."""
        sentences = (text for some in texts for text in texts_of(some, read(some)))
        return replace(self, ahead=self._vectors(sentences))

    def __call__(self, excerpts: Sequence[Excerpt]) -> list[SentenceTokens]:
        """The tokens of each excerpt; the sentences of all are encoded together."""
        found = self._vectors(text for excerpt in excerpts for text in excerpt.texts)
        return [self._tokens(excerpt, found) for excerpt in excerpts]

    def _vectors(self, texts: Iterable[str]) -> dict[str, TokenVectors]:
        encoder = self.encoder
        weights = encoder.name, encoder.revision, encoder.precision

        def encode(keys: list[_VectorKey]) -> list[TokenVectors]:
            made = encoder.token_vectors([text for *_, text in keys], max_tokens=self.max_tokens)
            return [TokenVectors(one.tokens, unit_rows(one.vectors)) for one in made]

        asked = [*texts]
        missing = [text for text in asked if text not in self.ahead]
        found = _kept.get_many([(*weights, self.max_tokens, text) for text in missing], encode)
        new = {key[-1]: vectors for key, vectors in found.items()}
        return {text: self.ahead[text] if text in self.ahead else new[text] for text in asked}

    def _tokens(self, excerpt: Excerpt, found: Mapping[str, TokenVectors]) -> SentenceTokens:
        rows = [np.empty((0, self.encoder.width), dtype=np.float32)]
        places: list[tuple[int, int, int]] = []
        is_cut = False
        for sentence, text in zip(excerpt.sentences, excerpt.texts, strict=True):
            tokens = found[text].tokens
            is_cut |= self._is_cut(text, tokens)
            left = self._without_stop_words(tokens)
            rows.append(found[text].vectors[left])
            for start, end in (tokens.spans[at] for at in left):
                places.append((sentence.document, sentence.start + start, sentence.start + end))
        where = np.array(places, dtype=np.int64).reshape(-1, 3)
        return SentenceTokens(np.concatenate(rows), where, is_cut)

    def _is_cut(self, text: str, tokens: Tokens) -> bool:
        most = self.max_tokens - 2  # without the special ones at the start and the end
        return len(tokens) >= most and len(self.encoder.tokenize(text)) > most

    def _without_stop_words(self, tokens: Tokens) -> list[int]:
        """The tokens that are not stop words; a piece within a word is never a stop word."""
        if self.stop_words == "none":
            return [*range(len(tokens))]
        listed = stop_words(self.stop_words)
        return [
            at
            for at, entry in enumerate(self.encoder.entries(tokens.ids))
            if tokens.continues(at) or entry.lstrip(_SPACE_MARKS).lower() not in listed
        ]
