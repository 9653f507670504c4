"""`tricolore train`, as a user types it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tricolore.cli.app import main
from tricolore.train.directory import read

JUDGED = Path(__file__).parents[2] / "examples" / "judged.jsonl"
MIX = ("train", "mix", JUDGED, "--of", "density,coverage", "--folds", 4)

Asked = Callable[..., tuple[str, str, int]]


@pytest.fixture
def asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Asked:
    """Run a command in this process, which is quicker: what it printed, and its exit code."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "1000")

    def run(*words: Any) -> tuple[str, str, int]:
        monkeypatch.setattr(sys, "argv", ["tricolore", *map(str, words)])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        out, err = capsys.readouterr()
        return out, err, code

    return run


def test_settings_may_stand_in_the_spec(asked: Asked) -> None:
    arguments = ("--of", "density,coverage", "--folds", 4, "--human", "coherence", "-o")
    spec = "mix:weights=equal,scaling=min-max,epochs=7"
    _, err, code = asked("train", spec, JUDGED, *arguments, "one", "--set", "epochs=9")
    assert code == 0
    assert err.startswith("read: ")
    assert err.count("\n") == 1
    settings = read("one", "mix").card.settings
    wanted = {"of": "density,coverage", "weights": "equal", "scaling": "min-max", "epochs": 9}
    assert wanted.items() <= settings.items()
    _, err, code = asked("train", "mix:solvr=exact", JUDGED, *arguments, "two")
    assert code == 2
    assert "mix has no setting 'solvr'; did you mean 'solver'?" in err


def test_train_then_score(tricolore: Callable[..., tuple[str, str]], tmp_path: Path) -> None:
    out, err = tricolore(*MIX, "--human", "coherence,fluency", "-o", "model")
    assert err.startswith("read: source=source, summary=summary")
    assert err.count("\n") == 1
    assert re.search(r"coherence +mix +0\.\d", out)
    assert out.count("the mean") == 2
    assert "4-fold cross-validation by document" in out
    assert "12 rows of 4 documents" in out
    [command] = re.findall(r"To use it: tricolore score FILE -m (.*)", out)
    assert command == "mix:directory=model"
    out, err = tricolore("score", JUDGED, "-m", f"{command},density", "-o", "scores.jsonl")
    assert "mix:directory=model ↑" in out
    rows = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text().splitlines()]
    assert len(rows) == 12
    assert all(0 <= row[f"{command}.fluency"] <= 1 for row in rows)
    assert all(row[command] == row[f"{command}.coherence"] for row in rows)


def test_the_card_says_all_of_it(asked: Asked, tmp_path: Path) -> None:
    out, _, code = asked(*MIX, "--human", "coherence", "-o", "model", "--seed", 7)
    assert code == 0
    card = json.loads((tmp_path / "model" / "card.json").read_text())
    assert card["settings"]["of"] == "density,coverage"
    assert (card["targets"], card["bounds"], card["seed"]) == (["coherence"], [1, 5], 7)
    assert (card["data"]["rows"], card["data"]["documents"]) == (12, 4)
    assert len(card["data"]["digest"]) == 16
    assert {"tricolore", "numpy"} <= set(card["versions"])
    errors = card["error"]["targets"]["coherence"]
    shown = [float(value) for value in re.findall(r"(?:mix|the mean) +(\d\.\d{3})", out)]
    assert shown == [round(errors[who]["mae"], 3) for who in ("mix", "the mean")]
    assert errors["the mean"]["spearman"]["value"] is None
    # The mean of three other documents, by hand.
    rows = [json.loads(line) for line in JUDGED.read_text().splitlines()]
    scores = {row["doc_id"]: [] for row in rows}
    for row in rows:
        scores[row["doc_id"]].append((row["human"]["coherence"] - 1) / 4)
    missed = [
        abs(score - np.mean([s for other, some in scores.items() if other != own for s in some]))
        for own, mine in scores.items()
        for score in mine
    ]
    assert errors["the mean"]["mae"] == pytest.approx(np.mean(missed))


def test_the_same_seed_gives_the_same_file(asked: Asked, tmp_path: Path) -> None:
    for name in ("one", "two"):
        asked(*MIX, "--human", "coherence", "-o", name, "--set", "preset=thesis")
    one, two = (read(tmp_path / name, "mix") for name in ("one", "two"))
    assert one.card == two.card
    assert one.card.restarts == 6
    assert set(one.tensors()) == {f"{n}.{name}" for n in range(6) for name in ("weights", "bias")}


def test_rows_that_are_of_no_use_are_counted(asked: Asked, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in JUDGED.read_text().splitlines()]
    rows[0]["summary"] = ""
    del rows[1]["human"]["coherence"]
    lines = [json.dumps(row) for row in rows]
    (tmp_path / "some.jsonl").write_text("\n".join([*lines, "{"]) + "\n")
    words = ("train", "mix", "some.jsonl", "--of", "density", "--folds", 4)
    out, _, code = asked(*words, "--human", "coherence", "-o", "m")
    assert code == 0
    assert "10 rows of 4 documents" in out
    assert "1 row was left out: not readable" in out
    assert "1 row was left out: no value of a human score to predict" in out
    assert "1 row was left out: density: the summary is empty" in out
    assert json.loads((tmp_path / "m" / "card.json").read_text())["data"]["left_out"] == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--human", "beauty"), "has no column 'beauty' of human scores; it has"),
        (("--human", ","), "no target is named"),
        (("--human", "coherence", "--bounds", "0,4"), "'coherence' goes from 1.67 to 4.67, but"),
        (("--human", "coherence", "--bounds", "5"), "--bounds 5 is not two numbers, such as 1,5"),
        (("--human", "coherence", "--bounds", "5,1"), "the low end must be below the high one"),
        (("--human", "coherence", "--folds", 5), "4 documents cannot be cut into 5 folds"),
        (("--human", "coherence", "--of", "coverge"), "did you mean 'coverage'?"),
        (
            ("--human", "coherence", "--of", ""),
            "mix: no measures are named; name the",
        ),
        (("--human", "coherence", "--set", "solver"), "--set solver is not a setting"),
        (("--human", "coherence", "--set", "solver=x"), "solver must be one of exact, gradient"),
        (("--human", "coherence", "--set", "preset=x"), "it has: exact, thesis, thesis-avg"),
        (("--human", "coherence", "--set", "weights=equal"), "density is not in [0, 1]"),
        (("--human", "coherence", "--limit", 2), "1 document cannot be cut into 4 folds"),
        (("--human", "coherence", "-o", JUDGED), "judged.jsonl is the input; name another"),
        (("--human", "coherence", "-o", "/dev"), "/dev is there and is not a trained estimator"),
    ],
)
def test_what_can_be_mended_is_one_line(
    asked: Asked, tmp_path: Path, words: tuple[Any, ...], said: str
) -> None:
    _, err, code = asked(*MIX, "-o", "model", *words)
    assert code == 2
    assert said in err
    assert len([line for line in err.splitlines() if not line.startswith("read: ")]) == 1
    assert not (tmp_path / "model").exists()


def test_names_and_files_that_are_not_there(asked: Asked, tmp_path: Path) -> None:
    end = ("--human", "coherence", "-o", "m")
    assert "nothing to train by the name 'mixx'" in asked("train", "mixx", JUDGED, *end)[1]
    _, err, code = asked("train", "mix", "none.jsonl", "--of", "density", *end)
    assert (code, err.count("\n")) == (2, 1)
    (tmp_path / "empty.jsonl").write_text("")
    _, err, _ = asked("train", "mix", "empty.jsonl", "--of", "density", *end)
    assert err == "tricolore: empty.jsonl has nothing to learn from: it has no rows\n"


def test_scoring_with_a_damaged_directory_is_one_line(asked: Asked, tmp_path: Path) -> None:
    asked(*MIX, "--human", "coherence", "-o", "model")
    (tmp_path / "model" / "model.safetensors").write_bytes(b"damaged")
    _, err, code = asked("score", JUDGED, "-m", "mix:directory=model")
    assert code == 2
    assert "model.safetensors is not the file that its card was written for" in err
    assert err.count("\n") == 1
