"""What the tools must know of a WordPiece vocabulary: special ids, word starts, content words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

CONTENT_LETTERS = 4


def load_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer with truncation and padding off: cutting is the caller's business."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


@dataclass(frozen=True)
class Vocabulary:
    """Special ids, and what kind of piece each id is."""

    cls: int
    sep: int
    mask: int
    pad: int
    period: int
    continues: np.ndarray  # per id: a piece inside a word ("##ing")
    letters: np.ndarray  # per id: how many letters the piece has, 0 if it has anything else

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Vocabulary:
        """Read it off a tokenizer."""
        ids = tokenizer.get_vocab(with_added_tokens=True)
        continues = np.zeros(len(ids), dtype=bool)
        letters = np.zeros(len(ids), dtype=np.int64)
        for token, number in ids.items():
            continues[number] = token.startswith("##")
            plain = token.removeprefix("##")
            letters[number] = len(plain) if plain.isalpha() else 0
        named = {name: ids[f"[{name.upper()}]"] for name in ("cls", "sep", "mask", "pad")}
        return cls(**named, period=ids["."], continues=continues, letters=letters)

    def words(self, tokens: list[int]) -> list[range]:
        """The spans of whole words: a piece that starts one and those that continue it."""
        starts = [i for i, t in enumerate(tokens) if i == 0 or not self.continues[t]]
        return [range(a, b) for a, b in zip(starts, [*starts[1:], len(tokens)], strict=True)]

    def is_content(self, tokens: list[int], word: range) -> bool:
        """A word of four letters and more, as BLANC masks them."""
        lengths = [int(self.letters[tokens[i]]) for i in word]
        return all(lengths) and sum(lengths) >= CONTENT_LETTERS
