from __future__ import annotations

import numpy as np
import pytest

from tricolore import Example
from tricolore.errors import TrainingError
from tricolore.train.estimator import TrainingSet, Unusable
from tricolore.train.fitting import fit_restarts, out_of_fold, predict
from tricolore.train.folds import folds
from tricolore.train.mix import MixEstimator
from tricolore.train.targets import digest, labelled_examples


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


def test_human_scores_are_brought_to_0_to_1() -> None:
    rows = [Example(summary="x", doc_id=str(n), human={"q": 1.0 + n}) for n in range(5)]
    known = labelled_examples([*rows, Example(summary="y")], ["q"], (1, 5))
    assert known.targets.tolist() == [[0], [0.25], [0.5], [0.75], [1]]
    assert known.left_out == 1


@pytest.mark.parametrize(
    ("scores", "names", "words"),
    [
        ([{"a": 2}, {"a": 3}], ["b"], "no row has the human score 'b'; there is: a"),
        ([{}, {}], ["b"], "the rows have no human scores"),
        ([{"a": 2}, {"b": 3}], ["a", "b"], "no row has all of the human scores a, b"),
        ([{"a": 3}, {"a": 3}], ["a"], "'a' is 3 in every row: there is nothing to learn"),
        ([{"a": 0}, {"a": 4}], ["a"], "'a' goes from 0 to 4, but the human scale .* 1 to 5"),
        ([{"a": 2}, {"a": 3}], [], "no target is named"),
    ],
)
def test_what_cannot_be_learnt(
    scores: list[dict[str, float]], names: list[str], words: str
) -> None:
    rows = [Example(summary="x", human=human) for human in scores]
    with pytest.raises(TrainingError, match=words):
        labelled_examples(rows, names, (1, 5))


def test_rows_without_features_are_left_out() -> None:
    rows = [Example(summary="x", doc_id=str(n), human={"q": 1.0 + n}) for n in range(3)]
    known = labelled_examples(rows, ["q"], (1, 5))
    training_set, used, unusable = known.training_set([np.ones(1), Unusable("why"), np.zeros(1)])
    assert used == [rows[0], rows[2]]
    assert training_set.documents == ["0", "2"]
    assert unusable == [Unusable("why")]
    with pytest.raises(TrainingError, match="no row can be used; the first: why"):
        known.training_set([Unusable("why")] * 3)
    with pytest.raises(TrainingError, match="the 1 rows that can be used all the same score"):
        known.training_set([np.ones(1), Unusable("why"), Unusable("why")])


def test_the_digest_is_of_texts_and_scores(judged: list[Example]) -> None:
    targets = labelled_examples(judged, ["liked"], (1, 5)).targets
    whole = digest(judged, targets)
    assert whole == digest(list(judged), targets.copy())
    assert whole != digest(judged, targets + 1e-9)
    assert whole != digest(judged[::-1], targets)
