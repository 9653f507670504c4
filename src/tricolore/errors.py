"""Errors that a user can fix: each says what is wrong and, if possible, what to do about it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class TricoloreError(Exception):
    """The base of all errors of this package.

    `problem` says what is wrong, `hint` what to do about it. `argument` names the argument that
    could be given differently, such as `cache` or `encoding`: the command line adds which of its
    options that is, so that messages of the library never mention options.
    """

    def __init__(self, problem: str, hint: str = "", *, argument: str = "") -> None:
        super().__init__(problem, hint)
        self.problem = problem
        self.hint = hint
        self.argument = argument

    def __str__(self) -> str:
        return f"{self.problem}; {self.hint}" if self.hint else self.problem

    def __reduce__(self) -> tuple[object, ...]:
        # Worker processes send errors to the process that started them.
        return _restore, (type(self), self.problem, self.hint, self.argument)


def _restore(kind: type[TricoloreError], problem: str, hint: str, argument: str) -> TricoloreError:
    error = kind.__new__(kind)
    TricoloreError.__init__(error, problem, hint, argument=argument)
    return error


class ArgumentError(TricoloreError, ValueError):
    """An argument of a function that has a wrong type or is out of range."""


class SpecError(TricoloreError, ValueError):
    """A spec that names no measure, or a setting that does not fit."""


class ReadError(TricoloreError, ValueError):
    """An input that cannot be read at all."""


class WriteError(TricoloreError, ValueError):
    """An output that cannot be written."""


class WriteFailedError(WriteError):
    """An output that the system did not let us write: a full disk, a directory that has gone."""


class CacheError(TricoloreError, RuntimeError):
    """A cache that cannot be used."""


class PerturbError(TricoloreError, ValueError):
    """A kind of damage that does not exist, or settings that do not fit."""


class TrainingError(TricoloreError, ValueError):
    """Nothing can be learnt from these data with these settings."""


class ModelDirectoryError(TricoloreError, ValueError):
    """A directory is not the trained estimator that it should be."""


class Unavailable(TricoloreError, RuntimeError):  # noqa: N818 (it names a state, not a mistake)
    """Something that every row needs is not there: a model, a package, a key. Stops a run."""


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The end of a message about a name that does not exist.

    >>> did_you_mean("coverge", ["coverage", "density"])
    "; did you mean 'coverage'?"
    """
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.7)
    if near:
        return f"; did you mean '{near[0]}'?"
    return f"; {otherwise}" if otherwise else ""
