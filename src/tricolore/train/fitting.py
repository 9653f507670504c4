"""Training an estimator, and predicting each fold from the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tricolore.train.directory import Tensors
from tricolore.train.estimator import Estimator, Targets, TrainingSet
from tricolore.train.folds import train_and_test

OnStep = Callable[[], None]
"""Called after every training, to show progress."""


def out_of_fold(
    estimator: Estimator,
    training_set: TrainingSet,
    *,
    folds: int,
    restarts: int,
    seed: int,
    on_step: OnStep = lambda: None,
) -> tuple[Targets, Targets]:
    """Predict each row from the other folds (thesis, section 4.2): by estimator and by mean.

    The mean is that of the training rows: the prediction of a baseline that ignores the summary.
    """
    predicted, mean = np.empty_like(training_set.targets), np.empty_like(training_set.targets)
    for others, fold in train_and_test(training_set.documents, folds, seed=seed):
        tensors = fit_restarts(
            estimator, training_set[others], restarts=restarts, seed=seed, on_step=on_step
        )
        predicted[fold] = predict(
            estimator, tensors, training_set[fold].features, restarts, mean.shape[1]
        )
        mean[fold] = training_set.targets[others].mean(axis=0)
    return predicted, mean


def fit_restarts(
    estimator: Estimator,
    training_set: TrainingSet,
    *,
    restarts: int,
    seed: int,
    on_step: OnStep = lambda: None,
) -> Tensors:
    """The tensors of all restarts, each under its number."""
    tensors: Tensors = {}
    for restart in range(restarts):
        fitted = estimator.fit(training_set, seed=seed * 1000 + restart)
        tensors |= {f"{restart}.{name}": tensor for name, tensor in fitted.items()}
        on_step()
    return tensors


def predict(
    estimator: Estimator, tensors: Tensors, features: Sequence[Any], restarts: int, targets: int
) -> Targets:
    """The mean of what the restarts predict, clipped to [0, 1]."""
    total = np.zeros((len(features), targets))
    for restart in range(restarts):
        total += estimator.predict(of_restart(tensors, restart), features, targets)
    clipped: Targets = np.clip(total / restarts, 0.0, 1.0)
    return clipped


def of_restart(tensors: Tensors, restart: int) -> Tensors:
    """The tensors of one restart, without its number in their names."""
    mark = f"{restart}."
    return {k.removeprefix(mark): v for k, v in tensors.items() if k.startswith(mark)}
