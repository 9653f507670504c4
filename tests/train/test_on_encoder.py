"""Estimators that learn from the vectors of an encoder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tricolore import get_measure
from tricolore.errors import ModelDirectoryError, TrainingError
from tricolore.train.directory import CARD, WEIGHTS, with_digest
from tricolore.train.sum_qe import SumQeEstimator

from .encoders import judged, keep, lessons_of, tiny_encoder

ROWS = judged()


def frozen(encoder: str, **settings: Any) -> SumQeEstimator:
    return SumQeEstimator(model=encoder, **{"epochs": 30, "learning_rate": 0.01, **settings})


def test_rows_to_stop_by_are_whole_documents(encoder: str) -> None:
    estimator = frozen(encoder, validation=0.2)
    training_set = lessons_of(estimator, ROWS)
    held_out = estimator.held_out(training_set, seed=1)
    inside = {training_set.documents[row] for row in held_out}
    outside = {name for row, name in enumerate(training_set.documents) if row not in held_out}
    assert len(inside) == 2  # of 10
    assert not inside & outside
    assert estimator.held_out(training_set, seed=2) != held_out
    assert frozen(encoder, validation=0.0).held_out(training_set, seed=1) == []


def test_one_document_cannot_be_held_out(encoder: str) -> None:
    rows = judged(documents=1)
    estimator = frozen(encoder)
    with pytest.raises(TrainingError, match=r"only one document.*set validation=0"):
        estimator.fit(lessons_of(estimator, rows), seed=1)
    whole = frozen(encoder, validation=0.0)
    assert whole.fit(lessons_of(whole, rows), seed=1)["bias"].shape == (2,)


def test_too_large_steps_are_said(encoder: str) -> None:
    estimator = frozen(encoder, learning_rate=1e300)
    with pytest.raises(TrainingError, match="too much"):
        estimator.fit(lessons_of(estimator, ROWS), seed=1)


def test_another_encoder_under_the_same_name(tmp_path: Path) -> None:
    place = tiny_encoder(tmp_path / "encoder")
    keep(tmp_path / "m", frozen(place), ROWS)
    get_measure(f"sum-qe:directory={tmp_path / 'm'}")
    tiny_encoder(tmp_path / "encoder", seed=6)
    with pytest.raises(ModelDirectoryError, match=r"was trained on revision .* train it again"):
        get_measure(f"sum-qe:directory={tmp_path / 'm'}").prepare()


def test_damaged_directories(encoder: str, tmp_path: Path) -> None:
    trained = keep(tmp_path / "m", frozen(encoder), ROWS)
    spec = f"sum-qe:directory={tmp_path / 'm'}"
    card = json.loads((trained.path / CARD).read_text())
    for change, words in (
        ({"format": 99}, "has format 99"),
        ({"settings": {**card["settings"], "tune": "perhaps", "bold": 1}}, "does not fit"),
        ({"kind": "mix"}, "is a trained 'mix'"),
    ):
        (trained.path / CARD).write_text(json.dumps(with_digest({**card, **change})))
        with pytest.raises(ModelDirectoryError, match=words):
            get_measure(spec).prepare()
    (trained.path / CARD).write_text(json.dumps(with_digest({**card, "targets": ["liked"]})))
    with pytest.raises(ModelDirectoryError, match=r"'weight' has the shape \[2, 16\]"):
        get_measure(spec).score(ROWS[:1])
    (trained.path / CARD).write_text(json.dumps(card))
    raw = bytearray((trained.path / WEIGHTS).read_bytes())
    raw[-1] ^= 1
    (trained.path / WEIGHTS).write_bytes(bytes(raw))
    with pytest.raises(ModelDirectoryError, match="damaged or was changed"):
        get_measure(spec).prepare()
    with pytest.raises(ModelDirectoryError, match="predicts no 'dull'"):
        keep(tmp_path / "n", frozen(encoder), ROWS)
        get_measure(f"sum-qe:directory={tmp_path / 'n'},target=dull").prepare()
