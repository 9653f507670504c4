import csv
import json
import math
import os
import subprocess

import pyarrow.parquet as pq
import pytest

from tricolore import Example, Score, Span, get_measures
from tricolore.data.scores import ScoreFile, sidecar
from tricolore.errors import WriteError
from tricolore.example import Unreadable

MEASURES = get_measures("coverage,compression")
GOOD = Example(source="a b", summary="a", doc_id="1", system="A", human={"fluency": 2.0})


def scores(value=0.5, problem=None):
    made = {}
    for measure in MEASURES:
        if problem:
            made[measure.label] = Score.missing(problem)
        else:
            parts = dict.fromkeys(measure.part_names, value)
            made[measure.label] = Score(value, parts, (Span("summary", 0, 1, label="é"),))
    return made


def write(path, *, evidence=False):
    with ScoreFile(str(path), MEASURES, evidence=evidence) as file:
        file.add(GOOD, scores(1 / 3))
        file.add(Unreadable("line 2 is not JSON"), scores(problem="line 2 is not JSON"))
        mixed = scores() | {"coverage": Score.missing("no words")}
        file.add(Example(source="a", summary="b", doc_id="2", system="B"), mixed)


def read(path):
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t" if path.suffix == ".tsv" else ","))


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet"])
def test_a_row_an_example(tmp_path, ending):
    path = tmp_path / f"x.{ending}"
    write(path)
    rows = read(path)
    assert [float(row["row"]) for row in rows] == [1, 2, 3]
    assert float(rows[0]["coverage"]) == 1 / 3
    assert float(rows[0]["human.fluency"]) == 2.0
    for part in MEASURES[0].part_names:
        assert float(rows[0][f"coverage.{part}"]) == 1 / 3
    assert rows[1]["coverage"] in (None, "")
    assert rows[1]["problem"] == "line 2 is not JSON"
    assert rows[2]["problem"] == "coverage: no words"
    assert float(rows[2]["compression"]) == 0.5
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_signatures_come_with_the_numbers(tmp_path, ending):
    path = tmp_path / f"x.{ending}"
    write(path)
    if ending == "parquet":
        meta = json.loads(pq.read_schema(path).metadata[b"tricolore"])
    else:
        meta = json.loads(sidecar(path).read_text())
    assert meta["signatures"]["coverage"] == MEASURES[0].signature()
    assert meta["directions"]["coverage"] == MEASURES[0].direction


def test_evidence_in_every_format(tmp_path):
    expected = [{"where": "summary", "start": 0, "end": 1, "weight": 1.0, "label": "é"}]
    for ending in ("jsonl", "csv", "parquet"):
        path = tmp_path / f"x.{ending}"
        write(path, evidence=True)
        found = read(path)[0]["coverage.evidence"]
        assert (json.loads(found) if isinstance(found, str) else found) == expected


def test_an_interrupted_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text("old")
    with (
        pytest.raises(RuntimeError, match="in the middle"),
        ScoreFile(str(path), MEASURES) as file,
    ):
        file.add(GOOD, scores())
        raise RuntimeError("in the middle")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.jsonl"]


def test_what_a_killed_run_left_is_cleared_away(tmp_path):
    gone = subprocess.Popen(["true"])
    gone.wait()
    (tmp_path / f".x.jsonl.{gone.pid}.draft").write_text("half")
    (tmp_path / f".y.jsonl.{gone.pid}.draft").write_text("of another file")
    (tmp_path / ".x.jsonl.1.draft").write_text("of a process that lives")
    write(tmp_path / "x.jsonl")
    left = sorted(path.name for path in tmp_path.glob(".*"))
    assert left == [".x.jsonl.1.draft", f".y.jsonl.{gone.pid}.draft"]


def test_places_that_cannot_be_written(tmp_path):
    with pytest.raises(WriteError, match="cannot be written: there is no directory"):
        ScoreFile(str(tmp_path / "no" / "x.jsonl"), MEASURES)
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(WriteError, match="cannot be written: it is a directory"):
        ScoreFile(str(tmp_path / "folder.jsonl"), MEASURES)
    (tmp_path / "read-only").mkdir(mode=0o500)
    if not os.access(tmp_path / "read-only", os.W_OK):  # root may write everywhere
        with pytest.raises(WriteError, match="takes no new files"):
            ScoreFile(str(tmp_path / "read-only" / "x.jsonl"), MEASURES)
    with pytest.raises(WriteError, match=r"known are \.jsonl, \.csv"):
        ScoreFile(str(tmp_path / "x.xlsx"), MEASURES)


def test_text_that_utf8_cannot_hold_is_still_written(tmp_path):
    path = tmp_path / "x.jsonl"
    with ScoreFile(str(path), MEASURES) as file:
        file.add(Example(source="a", summary="a", doc_id="\ud800"), scores())
    assert read(path)[0]["doc_id"] == "\ud800"


def test_no_number_is_written_that_json_does_not_know(tmp_path):
    path = tmp_path / "x.jsonl"
    with ScoreFile(str(path), MEASURES) as file:
        file.add(GOOD, scores(math.inf))
    assert "Infinity" not in path.read_text()


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".parquet"])
def test_a_target_that_becomes_a_directory_meanwhile(tmp_path, ending):
    path = tmp_path / f"x{ending}"
    with (
        pytest.raises(WriteError, match="cannot be written: Is a directory"),
        ScoreFile(str(path), MEASURES) as file,
    ):
        file.add(GOOD, scores())
        path.mkdir()
    assert not list(tmp_path.glob(".*"))
