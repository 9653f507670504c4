"""Where models run: stand-in until the branch `models` is merged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Placement:
    """Where models run."""

    device: str = ""
    offline: bool = False
    threads: int = 0


@contextmanager
def placed(placement: Placement) -> Iterator[None]:
    """Activate."""
    yield
