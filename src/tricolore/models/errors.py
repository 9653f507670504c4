"""Errors for models and devices that are not available or cannot be used."""

from __future__ import annotations

from collections.abc import Sequence

from tricolore.errors import TricoloreError, Unavailable


class ModelNotFoundError(Unavailable):
    """A model, or a library that runs it, is not installed or cannot be reached.

    `advice` says how to get a model (`Model.advice`).
    """

    def __init__(self, asked: str, problem: str, advice: str = "", *, argument: str = "") -> None:
        super().__init__(f"cannot load the model {asked!r}: {problem}", advice, argument=argument)

    def __str__(self) -> str:
        return f"{self.problem}\n{self.hint}" if self.hint else self.problem


class BrokenModelError(Unavailable):
    """A model is there, but its files are damaged, incomplete or do not fit each other."""

    def __init__(self, asked: str, problem: str, hint: str = "") -> None:
        super().__init__(
            f"cannot use the model {asked!r}: {problem}",
            hint or "get the model again, or name another",
        )


class NotFiniteError(TricoloreError, ArithmeticError):
    """A net gave NaN or infinite numbers for an input."""

    def __init__(self) -> None:
        super().__init__("the model gave numbers that are not finite (NaN or infinity)")


class DeviceError(Unavailable):
    """A device that is not on this machine."""

    def __init__(self, asked: str, known: Sequence[str]) -> None:
        super().__init__(f"models cannot run on {asked!r}; there is {', '.join(known)}")


def one_line(problem: BaseException) -> str:
    """What another library reports, as one line.

    >>> one_line(KeyError("hidden_size"))
    "KeyError: 'hidden_size'"
    """
    first = next(iter(str(problem).splitlines()), "")[:300]
    if isinstance(problem, OSError | ValueError | TricoloreError) and first:
        return first
    return f"{type(problem).__name__}: {first}" if first else type(problem).__name__
