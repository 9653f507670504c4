"""`train` from Python: the same as the command, on what is in memory."""

import json
from pathlib import Path

import numpy as np
import pytest

from tricolore import Columns, TricoloreError, evaluate, train
from tricolore.errors import WriteError
from tricolore.train.mix import MixEstimator

JUDGED = Path(__file__).parents[2] / "examples" / "judged.jsonl"
ROWS = [json.loads(line) for line in JUDGED.read_text().splitlines()]


def test_train_then_evaluate(tmp_path):
    report = train(ROWS, "mix", "coherence", tmp_path / "m", of="density,coverage", folds=4)
    assert report.left_out == []
    assert report.spec == f"mix:directory={tmp_path / 'm'}"
    names = [row[:2] for row in report.table.rows]
    assert names == [["coherence", "mix"], ["coherence", "the mean"]]
    assert report.table.rows[0][2].value == report.error["coherence"]["mix"]["mae"]
    assert "4-fold cross-validation by document" in report.table.notes[0]
    assert "<table>" in report._repr_html_()
    # Least squares by numpy, on the scores scaled from 1–5 to 0–1.
    scores = evaluate(ROWS, "density,coverage").table.values
    features = np.stack([np.ones(len(ROWS)), scores["density"], scores["coverage"]], axis=1)
    human = (np.array([row["human"]["coherence"] for row in ROWS]) - 1) / 4
    expected = features @ np.linalg.lstsq(features, human, rcond=None)[0]
    found = evaluate(ROWS, report.spec).table.values[report.spec]
    assert found == pytest.approx(np.clip(expected, 0, 1))


def test_an_estimator_with_settings(tmp_path):
    made = MixEstimator(of="density", solver="gradient", epochs=3)
    report = train(ROWS, made, ["coherence"], tmp_path / "m", folds=2, restarts=2, seed=5)
    card = report.trained.card
    assert (card.restarts, card.seed, card.settings["epochs"]) == (2, 5, 3)
    same = train(
        JUDGED, "mix:epochs=9", "coherence", tmp_path / "n", of="density", folds=2, restarts=2,
        seed=5, settings={"solver": "gradient", "epochs": "3"},
    )  # fmt: skip
    assert same.trained.card == card
    with pytest.raises(TricoloreError, match="has its settings already"):
        train(ROWS, made, "coherence", tmp_path / "o", of="density")


def test_columns_and_the_cache(tmp_path):
    rows = [
        {"body": row["source"], "short": row["summary"], "id": row["doc_id"]}
        | {"grade": row["human"]["fluency"]}
        for row in ROWS
    ]
    columns = Columns(source="body", summary="short")
    rows[0]["short"] = ""
    calls = []
    for name in ("one", "two"):
        report = train(
            rows, "mix", "grade", tmp_path / name, of="density", folds=2, columns=columns,
            cache=tmp_path / "cache", progress=lambda done, total: calls.append((done, total)),
        )  # fmt: skip
    assert report.left_out == [(1, "density: the summary is empty")]
    assert calls[11] == (12, 12)


def test_what_cannot_be_said_without_options(tmp_path):
    for arguments, words in (
        ({"bounds": (5, 1)}, "the low end must be below"),
        ({"bounds": (0, 2)}, "the human scale was said to go from 0 to 2"),
        ({"human": "beauty"}, "no column 'beauty' of human scores"),
        ({"human": ()}, "no target is named"),
    ):
        given = {"human": "coherence", "of": "density", "folds": 4, **arguments}
        with pytest.raises(TricoloreError, match=words) as error:
            train(ROWS, "mix", output=tmp_path / "m", **given)
        assert "--" not in str(error.value)
    assert not (tmp_path / "m").exists()


def test_a_directory_that_the_new_one_would_be_made_of(tmp_path: Path) -> None:
    """Otherwise both would be made of each other, and neither could be read."""
    one, two = tmp_path / "one", tmp_path / "two"
    about = {"human": "coherence", "folds": 2}
    train(JUDGED, "mix", output=one, of="density", **about)
    train(JUDGED, "mix", output=two, of=f"mix:directory={one},length", **about)
    with pytest.raises(WriteError, match="one is the input"):
        train(JUDGED, "mix", output=one, of=f"mix:directory={two},length", **about)
    train(JUDGED, "mix", output=two, of="density", **about)
