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
