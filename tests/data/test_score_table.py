"""Scores are read back as they were written, and wrong ones are said in a line."""

import json

import numpy as np
import pytest

from tricolore import Example, Score, get_measures
from tricolore.data.score_table import ScoreTable
from tricolore.data.scores import ScoreFile
from tricolore.errors import ReadError
from tricolore.example import Unreadable

ENDINGS = ["jsonl", "csv", "tsv", "parquet"]


def written(path):
    measures = get_measures("rouge-1,redundancy")
    with ScoreFile(str(path), measures) as file:
        for doc, system, value in [("d1", "a", 0.5), ("d1", "b", 0.25), ("d2", "a", None)]:
            human = {"relevance": 3.0} if system == "a" else {}
            example = Example(source="s", summary="t", doc_id=doc, system=system, human=human)
            rouge = (
                Score.missing("no words")
                if value is None
                else Score(value, {"precision": value, "recall": 1.0, "f1": value})
            )
            again = Score(0.1, dict.fromkeys(measures[1].part_names, 0.2))
            file.add(example, {"rouge-1": rouge, "redundancy": again})
        file.add(Unreadable("line 9 is not JSON"), {m.label: Score.missing("x") for m in measures})
    return ScoreTable.read(path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_was_written_is_read(tmp_path, ending):
    table = written(tmp_path / f"scores.{ending}")
    assert len(table) == 3  # the row that was no example is none here
    assert table.measures == ("rouge-1", "redundancy")
    assert table.grid.documents == ("d1", "d2")
    assert table.grid.system.tolist() == [0, 1, 0]
    assert table.values["rouge-1"][:2].tolist() == [0.5, 0.25]
    assert np.isnan(table.values["rouge-1"][2])
    assert table.values["rouge-1.recall"][0] == 1.0
    assert np.isnan(table.human["relevance"][1])
    assert table.signatures["rouge-1"]["measure"] == "rouge-1"
    assert table.lower("redundancy")
    assert table.signed("redundancy")[0] == -0.1
    assert table.signed("rouge-1")[0] == 0.5


def test_the_direction_of_a_measure_that_is_not_installed(tmp_path):
    """A file says itself which way is better; the registry has no such measure."""
    path = tmp_path / "scores.jsonl"
    path.write_text('{"doc_id": "d", "theirs": 2.0, "ours": 1.0}\n')
    about = tmp_path / "scores.jsonl.meta.json"
    about.write_text('{"signatures": {"theirs": {}}, "directions": {"theirs": "lower"}}')
    table = ScoreTable.read(path)
    assert table.directions == {"theirs": "lower", "ours": "neither"}
    assert table.signed("theirs").tolist() == [-2.0]
    about.write_text("{")
    with pytest.raises(ReadError, match="cannot be read as the metadata of scores"):
        ScoreTable.read(path)


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_table_that_is_not_ours(tmp_path):
    path = lines(
        tmp_path / "s.jsonl",
        {"doc_id": 7, "system": "a", "my-score": "0.5", "words": "hello", "human.x": 1},
        {"doc_id": 8, "system": "a", "my-score": "", "words": "5", "human.x": None},
    )
    table = ScoreTable.read(path)
    assert table.select() == ["my-score"]
    assert table.directions["my-score"] == "neither"
    assert table.grid.documents == ("7", "8")
    assert table.texts == {"words": "hello"}
    with pytest.raises(ReadError, match="'words' is not numbers: 'hello'"):
        table.select("words")


def test_without_documents_and_systems_each_row_is_its_own(tmp_path):
    table = ScoreTable.read(lines(tmp_path / "s.jsonl", {"m": 1.0}, {"m": 2.0}))
    assert len(table.grid.documents) == 2
    assert table.grid.systems == ("",)


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "has no scores"), ("{oops\n", "line 1 is not JSON"), ('{"row": 1}\n', "has no scores")],
)
def test_broken_files(tmp_path, text, said):
    path = tmp_path / "s.jsonl"
    path.write_text(text)
    with pytest.raises(ReadError, match=said):
        ScoreTable.read(path)


def test_a_file_that_is_not_there(tmp_path):
    for ending in ENDINGS:
        with pytest.raises(ReadError, match="cannot be read"):
            ScoreTable.read(tmp_path / f"none.{ending}")
    (tmp_path / "scores.doc").write_text("x")
    with pytest.raises(ReadError, match="no known format"):
        ScoreTable.read(tmp_path / "scores.doc")


def test_selection():
    columns = [
        "rouge-1",
        "rouge-2",
        "rouge-l",
        "estime",
        "estime.soft",
        "importance:b=0.75",
        "chrf",
    ]
    table = ScoreTable.of(["d"], ["a"], {name: [1.0] for name in columns}, {"relevance": [1]})
    assert "estime.soft" not in table.measures
    assert table.select("rouge") == ["rouge-1", "rouge-2", "rouge-l"]
    assert table.select("estime") == ["estime"]
    assert table.select("estime.s,imp,chrf") == ["estime.soft", "importance:b=0.75", "chrf"]
    assert table.qualities("rel") == table.qualities("") == ["relevance"]
    assert (table.lower("estime"), table.lower("estime.soft")) == (True, False)
    with pytest.raises(ReadError, match="may be rouge-1, rouge-2, rouge-l"):
        table.select("rouge-")
    with pytest.raises(ReadError, match="no measure 'blanc'; it has: rouge-1"):
        table.select("blanc")
    with pytest.raises(ReadError, match="no human score 'x'"):
        table.qualities("x")
    with pytest.raises(ReadError, match="has no human scores"):
        ScoreTable.of(["d"], ["a"], {"chrf": [1.0]}).qualities()


def test_rows_of_the_same_document_and_system_are_said():
    # Of d1 and a there are three rows: two more than one. No system told is not the same one.
    docs, systems = ["d1", "d1", "d1", "d2", "d1", "d3", "d3"], ["a", "a", "b", "a", "a", "", ""]
    table = ScoreTable.of(docs, systems, {"chrf": range(7)})
    assert table.grid.repeated == 2
    said = "rows have the same document and system as another; all are counted."
    assert table.notes == [f"2 {said}"]
    one = ScoreTable.of(docs[:2], systems[:2], {"chrf": [1, 2]})
    assert one.notes == [f"1 {said.replace('rows have', 'row has')}"]
    assert ScoreTable.of(["1", "2"], ["a", "a"], {"chrf": [1, 2]}).notes == []


def test_what_is_no_number_is_none():
    table = ScoreTable.of(["1", "2"], ["a", "a"], {"chrf": [float("inf"), 1.0]})
    assert np.isnan(table.values["chrf"][0])
    with pytest.raises(ValueError, match="2 document ids, but 1 systems"):
        ScoreTable.of(["1", "2"], ["a"], {})


def test_a_setting_with_a_point_is_no_part():
    columns = {"importance:b=0": [1.0], "importance:b=0.75": [1.0], "importance:b=0.matched": [1.0]}
    table = ScoreTable.of(["d"], ["a"], columns)
    assert table.measures == ("importance:b=0", "importance:b=0.75")


@pytest.mark.parametrize("name", ["doc_id", "system", "status"])
def test_a_name_that_cannot_be_used(tmp_path, name):
    path = tmp_path / "s.csv"
    path.write_text(f"doc_id,system,status,coverage,{name}\n1,a,ok,0.5,x\n")
    with pytest.raises(ReadError, match=f"the column '{name}' is given more than once"):
        ScoreTable.read(path)
    path = lines(tmp_path / "s.jsonl", {"doc_id": "1", "coverage": 1, name: [1]})
    with pytest.raises(ReadError, match=f"the column '{name}' is a list or an object"):
        ScoreTable.read(path)


def test_numbers_that_are_none(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text(
        '{"doc_id": "1", "coverage": 1, "coverage": 2, "chrf": 1}\n'
        f'{{"doc_id": "2", "coverage": 1, "chrf": 1{"0" * 400}}}\n'
    )
    table = ScoreTable.read(path)
    assert set(table.texts) == {"coverage", "chrf"}
    with pytest.raises(ReadError, match="'coverage' is not numbers: 'given more than once'"):
        table.select("coverage")


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".parquet"])
def test_a_human_score_that_is_named_like_evidence(tmp_path, ending):
    from tricolore import evaluate

    rows = [{"source": "a b", "summary": "a", "doc_id": "1", "human": {"x.evidence": 2.5}}]
    evaluate(rows, "coverage", evidence=True, output=tmp_path / f"s{ending}")
    table = ScoreTable.read(tmp_path / f"s{ending}")
    assert table.human["x.evidence"].tolist() == [2.5]
    assert table.measures == ("coverage",)
