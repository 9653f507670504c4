"""A model whose guesses can be foretold."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import numpy as np

from tricolore.models.tokens import Tokens

MASK, CLS, SEP = 0, 1, 2


class FirstWord:
    """A model that guesses the first word it reads, fillers left out, for every mask.

    Words are what stands between spaces and full stops; a capital begins a new piece of one.
    """

    name, revision, max_tokens, mask_id = "first-word", "1", 30, MASK

    def __init__(self) -> None:
        self.vocabulary = {"[MASK]": MASK, "[CLS]": CLS, "[SEP]": SEP, ".": 3}
        self.asked: list[list[Any]] = []
        self.tokenizer = SimpleNamespace(
            id_of=self._id, length=lambda token: len(self.entry(token))
        )

    def _id(self, entry: str) -> int:
        return self.vocabulary.setdefault(entry, len(self.vocabulary))

    def entry(self, token: int) -> str:
        return list(self.vocabulary)[token]

    def tokenize(self, text: str) -> Tokens:
        found = []
        for number, word in enumerate(re.finditer(r"[^\s.]+|\.", text)):
            for piece in re.finditer(r"[^A-Z]+|[A-Z][^A-Z]*", word[0]):
                place = (word.start() + piece.start(), word.start() + piece.end())
                found.append((self._id(piece[0].lower()), place, number))
        return Tokens(*map(tuple, zip(*found, strict=True))) if found else Tokens((), (), ())

    def frame(self, *parts: Any) -> tuple[int, ...]:
        return (CLS, *(token for part in parts for token in part), SEP)

    def predict(self, queries: list[Any]) -> list[Any]:
        self.asked.append(queries)
        found = []
        for query in queries:
            assert all(query.ids[at] == MASK for at in query.positions)
            said = [token for token in query.ids[1:-1] if token not in (MASK, 3)]
            found.append(np.full(len(query.positions), said[0] if said else 3))
        return found

    def texts(self) -> list[str]:
        """What was asked, in words."""
        return [
            " ".join(self.entry(token) for token in query.ids)
            for queries in self.asked
            for query in queries
        ]
