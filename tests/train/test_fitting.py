from __future__ import annotations

import numpy as np
import pytest

from tricolore import Example
from tricolore.train.estimator import TrainingSet
from tricolore.train.fitting import fit_restarts, out_of_fold, predict
from tricolore.train.folds import folds
from tricolore.train.mix import MixEstimator
from tricolore.train.targets import labelled_examples


def lessons_of(judged: list[Example], estimator: MixEstimator) -> TrainingSet:
    known = labelled_examples(judged, ["liked", "plain"], (1, 5))
    return known.training_set(estimator.features(known.examples))[0]


@pytest.mark.parametrize("settings", [{}, {"scaling": "z"}, {"weights": "equal", "scaling": "z"}])
def test_a_fold_is_predicted_without_a_look_at_its_scores(
    judged: list[Example], settings: dict[str, str]
) -> None:
    estimator = MixEstimator(of="length,density", **settings)  # type: ignore[arg-type]
    training_set = lessons_of(judged, estimator)
    before, mean = out_of_fold(estimator, training_set, folds=4, restarts=1, seed=3)
    for fold in folds(training_set.documents, 4, seed=3):
        targets = training_set.targets.copy()
        targets[fold] = 1 - targets[fold]
        changed = TrainingSet(training_set.features, targets, training_set.documents)
        after, mean_after = out_of_fold(estimator, changed, folds=4, restarts=1, seed=3)
        assert np.array_equal(before[fold], after[fold])
        assert np.array_equal(mean[fold], mean_after[fold])


def test_nor_at_its_other_features(judged: list[Example]) -> None:
    """What a fold's rows are scaled by, and weighed by, comes from the other folds."""
    estimator = MixEstimator(of="length,density", scaling="z")
    training_set = lessons_of(judged, estimator)
    before, _ = out_of_fold(estimator, training_set, folds=4, restarts=1, seed=3)
    for fold in folds(training_set.documents, 4, seed=3):
        features = list(training_set.features)
        for row in fold[1:]:
            features[row] = features[row] * 100
        changed = TrainingSet(features, training_set.targets, training_set.documents)
        after, _ = out_of_fold(estimator, changed, folds=4, restarts=1, seed=3)
        assert np.array_equal(before[fold[0]], after[fold[0]])


def test_the_mean_is_that_of_the_other_folds(judged: list[Example]) -> None:
    estimator = MixEstimator(of="length")
    training_set = lessons_of(judged, estimator)
    _, mean = out_of_fold(estimator, training_set, folds=4, restarts=1, seed=3)
    fold = folds(training_set.documents, 4, seed=3)[1]
    others = np.setdiff1d(np.arange(len(judged)), fold)
    assert mean[fold[0]] == pytest.approx(training_set.targets[others].mean(axis=0))


def test_restarts_are_averaged(judged: list[Example]) -> None:
    estimator = MixEstimator(of="length,density", solver="gradient", epochs=3)
    training_set = lessons_of(judged, estimator)
    told = []
    three = fit_restarts(
        estimator, training_set, restarts=3, seed=7, on_step=lambda: told.append(1)
    )
    assert len(told) == 3
    alone = [
        estimator.predict(estimator.fit(training_set, seed=7000 + n), training_set.features, 2)
        for n in range(3)
    ]
    assert not np.allclose(alone[0], alone[1])
    wanted = np.clip(sum(alone) / 3, 0, 1)  # type: ignore[arg-type]
    assert predict(estimator, three, training_set.features, 3, 2) == pytest.approx(wanted)
