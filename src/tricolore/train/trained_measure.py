"""The measure of a trained estimator."""

from __future__ import annotations

import os
from abc import ABC
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from tricolore.errors import ModelDirectoryError
from tricolore.example import Example
from tricolore.measure import Direction, Measure, Need, flatten
from tricolore.score import Score
from tricolore.settings import FilePath, Setting, setting
from tricolore.train.directory import ModelDirectory, Tensors, read
from tricolore.train.estimator import Estimator, Unusable
from tricolore.train.fitting import predict


@dataclass(frozen=True, kw_only=True)
class TrainedMeasure(Measure, ABC):
    """A measure whose value is what a trained estimator predicts, in [0, 1].

    The directory is read, and its files are checked against the card, when the measure is
    prepared or first asked for anything.
    """

    kind: ClassVar[type[Estimator]]

    directory: FilePath = setting("", "The directory that `tricolore train` wrote.")
    target: str = setting(
        "", "Which of the human scores that it learnt is the value; empty: the first."
    )
    _estimator: Estimator | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.directory:
            raise ValueError(
                f"it must be told which trained model: write {self.name}:directory=DIRECTORY"
            )

    def prepare(self) -> None:
        self.model_directory.target(self.target)
        _ = self.estimator

    @cached_property
    def model_directory(self) -> ModelDirectory:
        """The directory, as it was when it was first read."""
        return read(self.directory, self.kind.kind)

    @cached_property
    def estimator(self) -> Estimator:
        """The estimator with the settings that it was trained with."""
        card = self.model_directory.card
        if self._estimator is not None and self._estimator.settings == card.settings:
            return self._estimator
        with _reading(self.model_directory.path):
            made = _revive(self.kind, self.model_directory)
            flatten(made.terms)  # reads those of trained measures
        return made

    @property
    def settings(self) -> dict[str, Setting]:
        """The settings by name; the first target is written the same, named or by default."""
        at = self.model_directory.target(self.target)
        target = self.model_directory.card.targets[at] if at else ""
        return {**super().settings, "target": target}

    @property
    def needs(self) -> frozenset[Need]:
        """What the estimator needs."""
        return self.estimator.needs

    @property
    def batch_size(self) -> int:
        """A batch size for encoders, which most estimators use."""
        return 64

    @property
    def part_names(self) -> tuple[str, ...]:
        """The targets that it was trained for."""
        return self.model_directory.card.targets

    @property
    def part_directions(self) -> Mapping[str, Direction]:
        """Human scores are assumed to be higher for better summaries."""
        return dict.fromkeys(self.part_names, "higher")

    def fit(self, sources: Iterable[str]) -> Self:
        """Fit the estimator to the sources."""
        return replace(self, _estimator=self.estimator.with_corpus(sources))

    def signature(self) -> dict[str, Any]:
        """The signature: the weights, whatever their directory, and what they were trained with."""
        card = self.model_directory.card
        return {
            **super().signature(),
            "directory": self.model_directory.digest,
            "target": card.targets[self.model_directory.target(self.target)],
            "trained": {**card.settings, **card.made_with},
            **self._signed(),
        }

    def _signed(self) -> dict[str, Any]:
        """What this kind of estimator adds to the signature."""
        return {}

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterable[Score]:
        return self._judge(self.estimator.features(examples))

    def _judge(self, found: Sequence[Any]) -> Iterable[Score]:
        """A score for the features of each example."""
        targets = self.model_directory.card.targets
        usable = [one for one in found if not isinstance(one, Unusable)]
        rows = iter(self._predict(usable) if usable else ())
        at = self.model_directory.target(self.target)
        for one in found:
            if isinstance(one, Unusable):
                yield Score.missing(one.problem)
            else:
                row = [float(value) for value in next(rows)]
                yield Score(row[at], dict(zip(targets, row, strict=True)))

    def _predict(self, features: Sequence[Any]) -> Any:
        card = self.model_directory.card
        return predict(self.estimator, self._tensors, features, card.restarts, len(card.targets))

    @cached_property
    def _tensors(self) -> Tensors:
        return self.model_directory.tensors()

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process reads the directory itself, so weights are not sent.
        return _again, (type(self), self.directory, self.target, self._estimator)


def _again(
    cls: type[TrainedMeasure], directory: str, target: str, estimator: Estimator
) -> TrainedMeasure:
    return cls(directory=directory, target=target, _estimator=estimator)


_DEEPEST = 20
"""The most trained directories that may be made of one another."""
_being_read: ContextVar[tuple[str, ...]] = ContextVar("being_read", default=())


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Raise an error for a directory that is made of itself, through whichever others."""
    outer, place = _being_read.get(), os.path.realpath(path)
    if place in outer:
        raise ModelDirectoryError(f"{path} is a trained estimator that is made of itself")
    if len(outer) == _DEEPEST:
        raise ModelDirectoryError(f"{path}: more than {_DEEPEST} estimators inside each other")
    token = _being_read.set((*outer, place))
    try:
        yield
    finally:
        _being_read.reset(token)


def _revive(kind: type[Estimator], directory: ModelDirectory) -> Estimator:
    settings = directory.card.settings
    try:
        for name, value in settings.items():
            default = kind.defaults()[name]
            if type(value) is not type(default) and (type(value), type(default)) != (int, float):
                raise TypeError(f"the setting '{name}' is {value!r:.40}")
        return kind(**settings)
    except KeyError as error:
        raise ModelDirectoryError(
            f"the card of {directory.path} does not fit: there is no setting {error}"
        ) from error
    except (TypeError, ValueError) as error:
        raise ModelDirectoryError(f"the card of {directory.path} does not fit: {error}") from error
