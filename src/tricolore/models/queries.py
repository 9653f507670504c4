"""What a model is asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Query:
    """A framed sequence of ids and the positions that are asked about."""

    ids: tuple[int, ...]
    positions: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class PairQuery:
    """Two texts framed as one sequence, and the number of its text (0 or 1) for each token."""

    ids: tuple[int, ...]
    types: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class TargetQuery(Query):
    """A query that asks how likely one given token is at each of its positions."""

    targets: tuple[int, ...]
