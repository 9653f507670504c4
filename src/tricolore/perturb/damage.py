"""Damage to a summary: planned changes, and the edits that result from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from tricolore.example import Example

CLEAN = "clean"
"""The name of the label among the human scores: 1 a clean summary, 0 a damaged one (§4)."""


@dataclass(frozen=True, slots=True)
class Change:
    """A span of the clean summary and its replacement."""

    start: int
    end: int
    replacement: str
    pos: str = ""
    """The part of speech of the replaced word, as a Penn tag."""
    rank: int = 0
    """The rank of the model's guess, from 1 for the best; 0 without a model."""
    probability: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class DamagePlan:
    """The changes for a summary in random order, and why there are fewer than requested.

    They do not overlap, and each is the same however many are made.
    """

    changes: tuple[Change, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change that was made: where it is now, and where it was in the clean summary."""

    start: int
    end: int
    change: Change
    original: str

    def to_json(self) -> dict[str, Any]:
        """The edit as plain values, without empty ones."""
        change = self.change
        plain: dict[str, Any] = {
            "start": self.start,
            "end": self.end,
            "clean_start": change.start,
            "clean_end": change.end,
            "original": self.original,
            "replacement": change.replacement,
        }
        if change.pos:
            plain["pos"] = change.pos
        if change.rank:
            plain |= {"rank": change.rank, "probability": change.probability}
        if change.note:
            plain["note"] = change.note
        return plain


def apply(text: str, changes: Iterable[Change]) -> tuple[str, tuple[Edit, ...]]:
    """Make the changes: the new text, otherwise unchanged, and the edits from left to right.

    >>> apply("a cat sat", [Change(2, 5, "horse")])[0]
    'a horse sat'
    """
    pieces: list[str] = []
    edits: list[Edit] = []
    at = length = 0
    for change in sorted(changes, key=lambda change: (change.start, change.end)):
        if change.start < at:
            raise ValueError("two changes overlap")
        kept = text[at : change.start]
        start = length + len(kept)
        length = start + len(change.replacement)
        pieces += [kept, change.replacement]
        edits.append(Edit(start, length, change, text[change.start : change.end]))
        at = change.end
    return "".join([*pieces, text[at:]]), tuple(edits)


@dataclass(frozen=True, slots=True)
class Damaged:
    """A damaged summary, the clean one, and all edits."""

    clean: Example
    example: Example
    edits: tuple[Edit, ...]
    kind: str
    seed: int
    copy: int = 0
    problem: str = ""
    """Why there are fewer errors than requested."""
    by: Mapping[str, str] = field(default_factory=dict)
    """What else determined the errors: the model."""

    def to_json(self) -> dict[str, Any]:
        """A row of a file of examples, with the damage described."""
        damage: dict[str, Any] = {
            "kind": self.kind,
            "clean": identity(self.clean),
            "seed": self.seed,
            "copy": self.copy,
            **self.by,
            "errors": len(self.edits),
            "edits": [edit.to_json() for edit in self.edits],
        }
        if self.problem:
            damage["problem"] = self.problem
        return {**_row(self.example), "damage": damage}


@dataclass(frozen=True, slots=True)
class Undamaged:
    """A summary that could not be damaged, and why."""

    clean: Example
    problem: str


def clean_row(example: Example) -> dict[str, Any]:
    """The clean summary as a row of a file of examples; it keeps its human scores."""
    row = _row(example)
    row["human"] = {**example.human, CLEAN: 1.0}
    return row


def identity(example: Example) -> str:
    """A short id for a row; rows with the same texts, document and system share it."""
    digest = blake2b(digest_size=8)
    for text in (example.doc_id, example.system, example.summary, *example.source):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def _row(example: Example) -> dict[str, Any]:
    return {"id": identity(example), **example.to_json()}
