from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tricolore import Example, get_measure
from tricolore.models.loading import known_revision
from tricolore.models.queries import Query
from tricolore.train.estimator import TrainingSet, Unusable
from tricolore.train.fitting import out_of_fold
from tricolore.train.sum_qe import SumQeEstimator

from .encoders import judged, keep, lessons_of

ROWS = judged()


def frozen(encoder: str, **settings: Any) -> SumQeEstimator:
    return SumQeEstimator(model=encoder, **{"epochs": 30, "learning_rate": 0.01, **settings})


def tuned(encoder: str, **settings: Any) -> SumQeEstimator:
    given: dict[str, Any] = {**SumQeEstimator.presets["tuned"], "learning_rate": 1e-3, "epochs": 2}
    return SumQeEstimator(**{**given, "model": encoder, **settings})


def test_the_layout_of_the_original(encoder: str) -> None:
    """[CLS] first sentence [SEP] second sentence [SEP]: words are numbered from 6, "." is 5."""
    estimator = tuned(encoder)
    [one] = estimator.features([Example(summary="w0 w1. w2.")])
    assert one == Query((2, 6, 7, 5, 3, 8, 5, 3), (0,))
    [every] = tuned(encoder, pooling="mean").features([Example(summary="w0.")])
    assert every == Query((2, 6, 5, 3), (0, 1, 2, 3))


def test_a_long_summary_is_cut_at_the_end(encoder: str) -> None:
    long = Example(summary=" ".join(["w0"] * 40))
    assert len(tuned(encoder).features([long])[0].ids) == 24  # what the encoder reads
    assert len(tuned(encoder, max_tokens=10).features([long])[0].ids) == 10
    longer = Example(summary=" ".join(["w0"] * 50))
    one, other = frozen(encoder).features([long, longer])
    assert np.array_equal(one, other)


def test_a_summary_that_the_encoder_cannot_read(encoder: str, tmp_path: Path) -> None:
    """Its tokenizer drops control characters, as BERT's does."""
    [one] = tuned(encoder).features([Example(summary="\x01\x02")])
    assert one == Unusable("the encoder finds nothing to read in the summary")
    keep(tmp_path / "m", frozen(encoder), ROWS)
    rows = [Example(summary=" "), Example(summary="\x01"), ROWS[0]]
    empty, strange, sound = get_measure(f"sum-qe:directory={tmp_path / 'm'}").score(rows)
    assert empty.problem == "the summary is empty"
    assert strange.problem == "the encoder finds nothing to read in the summary"
    assert sound.problem is None


def test_the_source_is_not_looked_at(encoder: str, tmp_path: Path) -> None:
    keep(tmp_path / "m", frozen(encoder), ROWS)
    measure = get_measure(f"sum-qe:directory={tmp_path / 'm'}")
    assert measure.needs == set()
    bare = [Example(summary=row.summary) for row in ROWS[:3]]
    assert measure.score(bare) == measure.score(ROWS[:3])


@pytest.mark.parametrize("make", [frozen, tuned])
@pytest.mark.parametrize("task", ["single", "multi"])
def test_what_was_kept_is_what_was_trained(
    encoder: str, tmp_path: Path, make: Any, task: str
) -> None:
    estimator = make(encoder, task=task)
    trained = keep(tmp_path / "m", estimator, ROWS, restarts=2)
    training_set = lessons_of(estimator, ROWS)
    # The mean of the two trainings, cut off at 0 and 1.
    two = [
        estimator.predict(estimator.fit(training_set, seed=seed), training_set.features, 2)
        for seed in (1000, 1001)
    ]
    expected = np.clip((two[0] + two[1]) / 2, 0, 1)
    measure = get_measure(f"sum-qe:directory={tmp_path / 'm'},target=plain")
    scores = measure.score(ROWS)
    assert [score.value for score in scores] == pytest.approx(expected[:, 1], abs=1e-6)
    assert [score.parts["liked"] for score in scores] == pytest.approx(expected[:, 0], abs=1e-6)
    assert tuple(scores[0].parts) == measure.part_names == ("liked", "plain")
    again = pickle.loads(pickle.dumps(measure))
    assert again == measure
    assert again.score(ROWS[:1])[0].value == pytest.approx(scores[0].value, abs=1e-6)
    encoders = {name.split(".")[2] for name in trained.tensors() if ".encoder." in name}
    assert encoders == (set() if make is frozen else {"0", "1"} if task == "single" else {"0"})


@pytest.mark.parametrize("make", [frozen, tuned])
def test_single_task_is_each_target_by_itself(encoder: str, make: Any) -> None:
    estimator = make(encoder, task="single")
    training_set = lessons_of(estimator, ROWS)
    both = estimator.predict(estimator.fit(training_set, seed=1), training_set.features, 2)
    for at in (0, 1):
        alone = TrainingSet(
            training_set.features, training_set.targets[:, [at]], training_set.documents
        )
        one = estimator.predict(estimator.fit(alone, seed=1), training_set.features, 1)
        assert both[:, [at]] == pytest.approx(one, abs=1e-6)


def test_a_tuned_encoder_learns_what_a_frozen_one_cannot(encoder: str) -> None:
    """People count different words; the mean of the training rows is what must be beaten."""
    estimator = tuned(encoder, epochs=25, validation=0.0, dropout=0.0)
    training_set = lessons_of(estimator, ROWS)
    predicted = estimator.predict(estimator.fit(training_set, seed=1), training_set.features, 2)
    error = np.abs(predicted - training_set.targets).mean()
    assert error < 0.7 * np.abs(training_set.targets - training_set.targets.mean(axis=0)).mean()


def test_a_fold_is_predicted_by_those_who_have_not_seen_it(encoder: str) -> None:
    """Other targets in a document change no prediction of that document."""
    estimator = frozen(encoder)
    training_set = lessons_of(estimator, ROWS)
    predicted, _ = out_of_fold(estimator, training_set, folds=5, restarts=1, seed=1)
    other = training_set.targets.copy()
    rows = [row for row, name in enumerate(training_set.documents) if name == "d3"]
    other[rows] = 1 - other[rows]
    changed = TrainingSet(training_set.features, other, training_set.documents)
    again, _ = out_of_fold(estimator, changed, folds=5, restarts=1, seed=1)
    assert np.array_equal(predicted[rows], again[rows])
    assert not np.array_equal(predicted, again)


def test_the_signature_tells_weights_and_encoder(encoder: str, tmp_path: Path) -> None:
    one = keep(tmp_path / "one", frozen(encoder), ROWS)
    keep(tmp_path / "other", frozen(encoder, dropout=0.0), ROWS)
    signed = get_measure(f"sum-qe:directory={tmp_path / 'one'}").signature()
    assert signed["directory"] == one.digest
    assert signed["trained"]["revision"] == known_revision(encoder)
    assert (
        signed["directory"]
        != get_measure(f"sum-qe:directory={tmp_path / 'other'}").signature()["directory"]
    )


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"dropout": 1.0}, "dropout must be a share"),
        ({"max_tokens": 2}, "max_tokens must be 3 or more"),
        ({"epochs": 0}, "epochs must be 1 or more"),
        ({"validation": 0.9}, "validation must be a share"),
        ({"learning_rate": 0.0}, "learning_rate must be more than 0"),
    ],
)
def test_settings_that_do_not_fit(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        SumQeEstimator(**settings)
