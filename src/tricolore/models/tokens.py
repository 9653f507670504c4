"""A text as a model reads it. Word boundaries are the tokenizer's own, whatever its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tricolore.models.queries import PairQuery

_HALVES = re.compile("[\ud800-\udfff]")  # lone surrogates, which no tokenizer accepts
_SPACE_MARK = "\u2581"  # SentencePiece writes this for a space
_SPACE_MARKS = (_SPACE_MARK, "\u0120")  # byte-level BPE writes this for a space


@dataclass(frozen=True)
class Tokens:
    """The tokens of a text: ids, the characters each covers, and the word each belongs to.

    `words` numbers the words as the tokenizer cuts them, so it is right for WordPiece, BPE and
    SentencePiece alike: a token continues a word if it has the same number as the token before.
    """

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    words: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.ids)

    def part(self, start: int, end: int) -> Tokens:
        """The tokens from one index to another, or to the end."""
        return Tokens(self.ids[start:end], self.spans[start:end], self.words[start:end])

    def continues(self, at: int) -> bool:
        """Whether the token is a follow-up piece of the word before it."""
        return at > 0 and self.words[at] == self.words[at - 1]

    def leads(self, at: int) -> bool:
        """Whether the token is the first of several pieces of a word."""
        last = len(self.words) - 1
        return not self.continues(at) and at < last and self.words[at + 1] == self.words[at]


@dataclass(frozen=True)
class PairFrame:
    """How a tokenizer joins two texts: the special tokens around them, and all types."""

    before: tuple[int, ...]
    between: tuple[int, ...]
    after: tuple[int, ...]
    types: tuple[int, ...]
    """The types of the five sections: before, first text, between, second text, after."""

    def __len__(self) -> int:
        """The number of special tokens."""
        return len(self.before) + len(self.between) + len(self.after)

    def __call__(self, first: tuple[int, ...], second: tuple[int, ...]) -> PairQuery:
        """Two texts as one sequence."""
        sections = (self.before, first, self.between, second, self.after)
        types = [
            kind for kind, ids in zip(self.types, sections, strict=True) for _ in range(len(ids))
        ]
        return PairQuery(tuple(token for ids in sections for token in ids), tuple(types))


class TextTokenizer:
    """The tokenizer of a checkpoint, for plain text: a mask token in it is read as text."""

    def __init__(self, tokenizer: Any) -> None:
        backend = getattr(tokenizer, "backend_tokenizer", None)
        if backend is None:
            raise ValueError("it comes without a tokenizer.json")
        # A copy, since the settings below would change what the caller's tokenizer does.
        self._plain = type(backend).from_str(backend.to_str())
        self._plain.encode_special_tokens = True
        self._plain.no_truncation()
        self._plain.no_padding()
        self._backend = backend
        self._lengths: dict[int, int] = {}
        self.max_tokens = int(min(tokenizer.model_max_length, 2**31))
        self._has_types = "token_type_ids" in tokenizer.model_input_names
        self.cls_id = _special(tokenizer, "cls")
        self.sep_id = _special(tokenizer, "sep")
        self.mask_id: int | None = tokenizer.mask_token_id
        self.pad_id = _special(tokenizer, "pad")
        self.unk_id: int | None = tokenizer.unk_token_id
        self._special: set[int | None] = {self.cls_id, self.sep_id, self.mask_id, self.pad_id}

    def __call__(self, text: str, *, special: bool = False) -> Tokens:
        """The tokens of a text, none added, none cut; `special` reads `[MASK]` as the mask."""
        text = _HALVES.sub("\ufffd", text)
        found = (self._backend if special else self._plain).encode(text, add_special_tokens=False)
        words = _numbered(found.word_ids)
        spans = tuple(_trimmed(text, start, end) for start, end in found.offsets)
        ids = found.ids if special else [self._as_text(token) for token in found.ids]
        return Tokens(tuple(ids), spans, words)

    def _as_text(self, token: int) -> int:
        """In a text, special tokens of the vocabulary are read as unknown words."""
        return self.unk_id if token in self._special and self.unk_id is not None else token

    @cached_property
    def pair_frame(self) -> PairFrame | None:
        """How the tokenizer joins two texts; None if it does not say."""
        if self._plain.post_processor is None:
            return None
        joined = self._plain.encode("a", "b")
        ids, kinds, owners = joined.ids, joined.type_ids, joined.sequence_ids
        first = [at for at, owner in enumerate(owners) if owner == 0]
        second = [at for at, owner in enumerate(owners) if owner == 1]
        sections = (
            range(first[0]),
            first,
            range(first[-1] + 1, second[0]),
            second,
            range(second[-1] + 1, len(ids)),
        )
        before, _, between, _, after = (tuple(ids[at] for at in some) for some in sections)
        if not (before or between or after):
            return None
        # Every section has one type in all known tokenizers; an empty one needs none.
        has_types = self._has_types
        types = tuple(kinds[some[0]] if some and has_types else 0 for some in sections)
        return PairFrame(before, between, after, types)

    @cached_property
    def text_ids(self) -> tuple[int, ...]:
        """The ids that stand for text, in order: the vocabulary without special tokens."""
        added = self._backend.get_added_tokens_decoder()
        special = self._special | {self.unk_id} | {i for i, t in added.items() if t.special}
        return tuple(sorted(set(self._backend.get_vocab().values()) - special))

    def entry(self, token: int) -> str:
        """The vocabulary entry of an id."""
        return str(self._backend.id_to_token(int(token)))

    def id_of(self, entry: str) -> int:
        """The id of a vocabulary entry."""
        found = self._backend.token_to_id(entry)
        if found is None:
            raise ValueError(f"{entry!r} is not in the model's vocabulary")
        return int(found)

    def length(self, token: int) -> int:
        """How many letters the vocabulary entry has, without the marks of its kind.

        `##ing` (WordPiece), `▁the` (SentencePiece) and `Ġthe` (BPE) all have 3.
        """
        if token not in self._lengths:
            self._lengths[token] = len(self._bare(self.entry(token)))
        return self._lengths[token]

    def as_word(self, token: int, instead_of: int) -> str | None:
        """The letters of a vocabulary entry if it can replace another one.

        None for special tokens, follow-up pieces, and entries that bring a space where the other
        has none, or lack one where the other has it.
        """
        entry, other = self.entry(token), self.entry(instead_of)
        prefix = getattr(self._backend.model, "continuing_subword_prefix", None)
        if token not in self._text_id_set or (prefix and entry.startswith(prefix)):
            return None
        if (entry[:1] in _SPACE_MARKS) != (other[:1] in _SPACE_MARKS):
            return None
        return self._bare(entry)

    @cached_property
    def _text_id_set(self) -> frozenset[int]:
        return frozenset(self.text_ids)

    def _bare(self, entry: str) -> str:
        prefix = getattr(self._backend.model, "continuing_subword_prefix", None)
        if prefix and entry.startswith(prefix):
            return entry[len(prefix) :]
        decoder = self._backend.decoder
        bare = entry if prefix or decoder is None else str(decoder.decode([entry]))
        return bare.lstrip(_SPACE_MARK).strip()


def _numbered(word_ids: Iterable[int | None]) -> tuple[int, ...]:
    """Word numbers without gaps; a token outside any word counts as a word.

    >>> _numbered([0, 0, None, 3])
    (0, 0, 1, 2)
    """
    found: list[int] = []
    before: int | None = None
    for word in word_ids:
        same = found and word is not None and word == before
        found.append(found[-1] if same else (found[-1] + 1 if found else 0))
        before = word
    return tuple(found)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out spaces at the ends, which some tokenizers count as part of a word."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _special(tokenizer: Any, kind: str) -> int:
    found = getattr(tokenizer, f"{kind}_token_id")
    if found is None:
        raise ValueError(f"its tokenizer has no {kind} token")
    return int(found)
