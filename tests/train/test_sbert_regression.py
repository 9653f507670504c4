from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tricolore import Example, get_measure
from tricolore.train.estimator import TrainingSet
from tricolore.train.fitting import out_of_fold
from tricolore.train.sbert_regression import SbertRegressionEstimator

from .encoders import judged, keep, lessons_of

ROWS = judged()


def regression(encoder: str, **settings: Any) -> SbertRegressionEstimator:
    return SbertRegressionEstimator(model=encoder, **{"epochs": 20, **settings})


@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("combine", ["mult", "diff"])
def test_the_vectors_of_figure_5_2(encoder: str, normalised: bool, combine: str) -> None:
    estimator = regression(encoder, normalised=normalised, combine=combine)
    given = estimator.loaded.embed([ROWS[0].source[0], ROWS[0].summary], normalised=False)
    document, summary = given.astype(float)
    if normalised:
        document, summary = (v / np.sqrt((v * v).sum()) for v in (document, summary))
    expected = document * summary if combine == "mult" else document - summary
    assert estimator.features(ROWS[:1])[0] == pytest.approx(expected, abs=1e-5)


def test_several_documents_are_one_big_sentence(encoder: str) -> None:
    parts = Example(source=("w1 w2", "w3 w4"), summary="w5")
    whole = Example(source="w1 w2 w3 w4", summary="w5")
    one, other = regression(encoder).features([parts, whole])
    assert np.array_equal(one, other)


def test_the_known_weights_are_found() -> None:
    """Scores that are relu(w · v + b): the vectors are given, nothing is encoded."""
    draw = np.random.default_rng(2)
    vectors = list(draw.normal(size=(80, 3)))
    weight, bias = np.array([[0.3, -0.2, 0.1], [0.0, 0.1, 0.4]]), np.array([0.4, 0.6])
    targets = np.maximum(np.array(vectors) @ weight.T + bias, 0)
    training_set = TrainingSet(vectors, targets, [f"d{row // 4}" for row in range(80)])
    estimator = SbertRegressionEstimator(epochs=400, patience=50, learning_rate=0.02)
    fitted = estimator.fit(training_set, seed=1)
    assert fitted["weight"] == pytest.approx(weight, abs=1e-3)
    assert fitted["bias"] == pytest.approx(bias, abs=1e-3)
    assert estimator.predict(fitted, vectors, 2) == pytest.approx(targets, abs=1e-2)


def test_relu_by_hand() -> None:
    """0.5·1 - 1·2 + 0.5 = -1 becomes 0; 0.5·3 - 1·1 + 0.5 = 1 stays."""
    tensors = {"weight": np.array([[0.5, -1.0]]), "bias": np.array([0.5])}
    shown = [np.array([1.0, 2.0]), np.array([3.0, 1.0])]
    predicted = SbertRegressionEstimator().predict(tensors, shown, 1)
    assert predicted.tolist() == [[0.0], [1.0]]


def test_what_was_kept_is_what_was_trained(encoder: str, tmp_path: Path) -> None:
    estimator = regression(encoder)
    keep(tmp_path / "m", estimator, ROWS, restarts=2)
    training_set = lessons_of(estimator, ROWS)
    two = [
        estimator.predict(estimator.fit(training_set, seed=seed), training_set.features, 2)
        for seed in (1000, 1001)
    ]
    expected = np.clip((two[0] + two[1]) / 2, 0, 1)
    measure = get_measure(f"sbert-regression:directory={tmp_path / 'm'}")
    assert measure.needs == {"source"}
    scores = measure.score(ROWS)
    assert [score.value for score in scores] == pytest.approx(expected[:, 0], abs=1e-6)
    # Alone, in another order, twice: the same.
    assert measure.score(ROWS[5:6])[0].value == pytest.approx(scores[5].value, abs=1e-6)
    turned = measure.score(ROWS[::-1])
    assert [s.value for s in turned[::-1]] == pytest.approx([s.value for s in scores], abs=1e-6)
    [bad] = measure.score([Example(summary="w1")])
    assert bad.problem == "the source is empty"


def test_single_and_multi_differ_only_in_when_they_stop(encoder: str) -> None:
    """On fixed vectors the heads share nothing: with all epochs run, it is the same learning."""
    fitted = [
        estimator.fit(lessons_of(estimator, ROWS), seed=1)
        for task in ("single", "multi")
        for estimator in [regression(encoder, task=task, validation=0.0)]
    ]
    # Adam takes steps of the same size whatever the error is divided by, but for its epsilon.
    assert fitted[0]["weight"] == pytest.approx(fitted[1]["weight"], abs=1e-3)


def test_a_fold_is_predicted_by_those_who_have_not_seen_it(encoder: str) -> None:
    estimator = regression(encoder)
    training_set = lessons_of(estimator, ROWS)
    predicted, _ = out_of_fold(estimator, training_set, folds=5, restarts=2, seed=1)
    other = training_set.targets.copy()
    rows = [row for row, name in enumerate(training_set.documents) if name == "d3"]
    other[rows] = 1 - other[rows]
    changed = TrainingSet(training_set.features, other, training_set.documents)
    again, _ = out_of_fold(estimator, changed, folds=5, restarts=2, seed=1)
    assert np.array_equal(predicted[rows], again[rows])
    assert not np.array_equal(predicted, again)


def test_a_vector_of_zeros_stays_one() -> None:
    """Its direction is none, and dividing by its length would give NaN."""
    estimator = SbertRegressionEstimator()
    combined = estimator.combined(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]))
    assert combined.tolist() == [[0.0, 0.0]]
