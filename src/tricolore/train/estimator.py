"""The interface of estimators: settings, features, fit and predict."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tricolore.example import Example
from tricolore.measure import Measure, Need
from tricolore.score import Score
from tricolore.settings import Settings
from tricolore.train.directory import Tensors

Targets = NDArray[np.float64]
"""Human scores in [0, 1]: rows × targets."""


@dataclass(frozen=True)
class Unusable:
    """An example that the estimator cannot use, and why."""

    problem: str


@dataclass(frozen=True)
class TrainingSet:
    """The training data: features, targets and the document of each row."""

    features: Sequence[Any]
    targets: Targets
    documents: Sequence[str]

    def __getitem__(self, rows: NDArray[np.intp]) -> TrainingSet:
        return TrainingSet(
            [self.features[row] for row in rows],
            self.targets[rows],
            [self.documents[row] for row in rows],
        )


@dataclass(frozen=True, kw_only=True)
class Estimator(Settings, ABC):
    """An estimator. Like a measure, it is a frozen dataclass whose fields are its settings.

    The features of an example are all that `fit` and `predict` see of it. They are computed once
    per row and without any target, however many folds and restarts there are: a frozen encoder
    belongs into `features`.
    """

    kind: ClassVar[str]
    """The name that users type, of the estimator and of its measure."""
    restarts: ClassVar[int] = 1
    """The default number of trainings with different seeds; the predictions are averaged."""

    @property
    @abstractmethod
    def needs(self) -> frozenset[Need]:
        """What an example must have."""

    @abstractmethod
    def features(self, examples: Sequence[Example]) -> list[Any]:
        """The features of each example, or `Unusable`."""

    @abstractmethod
    def fit(self, training_set: TrainingSet, *, seed: int) -> Tensors:
        """Learn: the same training set and seed give the same tensors."""

    @abstractmethod
    def predict(self, tensors: Tensors, features: Sequence[Any], targets: int) -> Targets:
        """The scores of each row, rows × targets.

        Raises `ModelDirectoryError` where the tensors do not fit the settings.
        """

    @property
    def terms(self) -> tuple[Measure, ...]:
        """Measures whose scores are the features; none if features are not scores.

        If the scores of an example are known, from a cache, they are passed to `features_of`.
        """
        return ()

    def features_of(self, scores: Sequence[Score]) -> Any:
        """The features of an example whose scores by all `terms` are known, or `Unusable`."""
        raise TypeError(f"{self.kind} has no terms")

    def with_corpus(self, sources: Iterable[str]) -> Self:
        """Fit the estimator to the sources of a run, as `Measure.fit` does. Few need it."""
        return self

    def made_with(self) -> dict[str, Any]:
        """Further entries of the card: the base encoder and its revision."""
        return {}

    def files(self) -> dict[str, bytes]:
        """Further files for the directory, such as a tokenizer."""
        return {}
