"""Errors for models and devices that are not available."""

from __future__ import annotations

from collections.abc import Sequence

from tricolore.errors import Unavailable


class ModelNotFoundError(Unavailable):
    """A model, or a library that runs it, is not installed or cannot be reached.

    `advice` says how to get a model (`Model.advice`).
    """

    def __init__(self, asked: str, problem: str, advice: str = "", *, argument: str = "") -> None:
        super().__init__(f"cannot load the model {asked!r}: {problem}", advice, argument=argument)

    def __str__(self) -> str:
        return f"{self.problem}\n{self.hint}" if self.hint else self.problem


class DeviceError(Unavailable):
    """A device that is not on this machine."""

    def __init__(self, asked: str, known: Sequence[str]) -> None:
        super().__init__(f"models cannot run on {asked!r}; there is {', '.join(known)}")
