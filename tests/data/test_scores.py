import csv
import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass

import pyarrow.parquet as pq
import pytest

from tricolore import Example, Score, Span, get_measures
from tricolore.data.score_table import ScoreTable
from tricolore.data.scores import ScoreFile, ScoreStream, sidecar
from tricolore.errors import WriteError
from tricolore.example import Unreadable
from tricolore.measure import Measure

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


def test_places_that_cannot_be_written(tmp_path):
    with pytest.raises(WriteError, match="cannot be written: there is no directory"):
        ScoreFile(str(tmp_path / "no" / "x.jsonl"), MEASURES)
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(WriteError, match="cannot be written: it is a directory"):
        ScoreFile(str(tmp_path / "folder.jsonl"), MEASURES)
    (tmp_path / "x.csv.meta.json").mkdir()
    with pytest.raises(
        WriteError, match=r"x\.csv\.meta\.json cannot be written: it is a directory"
    ):
        ScoreFile(str(tmp_path / "x.csv"), MEASURES)
    with pytest.raises(WriteError, match=r"meta\.json cannot be written: File name too long"):
        ScoreFile(str(tmp_path / f"{'x' * 250}.csv"), MEASURES)
    with pytest.raises(WriteError, match=r"known are \.jsonl, \.csv"):
        ScoreFile(str(tmp_path / "x.xlsx"), MEASURES)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet"])
def test_text_that_no_encoding_can_write(tmp_path, ending):
    path = tmp_path / f"x.{ending}"
    odd = Example(
        source="a", summary="a", doc_id="\ud800", system="a\udfffb", human={"good\ud800": 1}
    )
    with ScoreFile(str(path), MEASURES, evidence=True) as file:
        file.add(odd, scores() | {"coverage": Score.missing("no \ud800")})
    [row] = read(path)
    assert (row["doc_id"], row["system"], row["problem"]) == (
        "\ufffd",
        "a\ufffdb",
        "coverage: no \ufffd",
    )
    assert float(row["human.good\ufffd"]) == 1


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_a_human_score_that_is_named_like_evidence(tmp_path, ending):
    path = tmp_path / f"x.{ending}"
    with ScoreFile(str(path), MEASURES, evidence=True) as file:
        file.add(Example(source="a", summary="a", human={"x.evidence": 3}), scores())
    assert float(read(path)[0]["human.x.evidence"]) == 3
    assert ScoreTable.read(path).human["x.evidence"].tolist() == [3]


@dataclass(frozen=True, kw_only=True)
class Named(Measure):
    """A measure of a plugin with any name."""

    name = "status"
    needs = frozenset()
    part_names = ("evidence",)

    def compute(self, examples, *, evidence):
        return [Score(1.0) for _ in examples]


def test_columns_with_the_same_name_are_reported_before_anything_is_written(tmp_path):
    other = type("Other", (Named,), {"name": "other"})()
    human = type("Human", (Named,), {"name": "human.x", "part_names": ()})()
    for measure, evidence, column in [
        (Named(), False, "status"),
        (other, True, "other.evidence"),
        (human, False, "human.x"),
    ]:
        words = f"two columns of the output would have the name '{column}'"
        with pytest.raises(WriteError, match=words):
            ScoreFile(str(tmp_path / "x.jsonl"), [measure], evidence=evidence)
        with pytest.raises(WriteError, match=words):
            ScoreStream([measure], evidence=evidence)
    with ScoreFile(str(tmp_path / "x.jsonl"), [other]):
        pass


FULL = """
import resource, sys
from tricolore import Example, evaluate
from tricolore.errors import WriteFailedError
result = evaluate([Example(source="a b", summary="a")] * 200, "coverage,compression")
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    result.save(sys.argv[1])
except WriteFailedError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("ending", "room"), [(".jsonl", 9000), (".csv", 9000), (".parquet", 9000), (".jsonl", 100)]
)
def test_a_full_disk_leaves_the_old_files(tmp_path, ending, room):
    path = tmp_path / f"x{ending}"
    write(path)
    before = {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)}
    asked = [sys.executable, "-c", FULL, str(path), str(room)]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert done.stdout == f"{path} cannot be written: File too large\n", done.stderr
    assert {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)} == before


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
