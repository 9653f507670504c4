import csv
import io
import json

import pytest

from tricolore import Example
from tricolore.data.examples import Columns, ExampleFile, Sources
from tricolore.data.records import ReadError
from tricolore.example import Unreadable


def jsonl(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def read(tmp_path, *rows, **options):
    return list(ExampleFile(jsonl(tmp_path / "x.jsonl", *rows), **options))


@pytest.mark.parametrize("source", ["source", "document", "text", "article"])
@pytest.mark.parametrize("summary", ["summary", "hypothesis", "prediction"])
@pytest.mark.parametrize("references", ["reference", "references"])
def test_the_usual_names(tmp_path, source, summary, references):
    rows = read(tmp_path, {source: "S", summary: "Y", references: "R", "system": "A", "doc_id": 3})
    assert rows == [Example(source="S", summary="Y", references="R", system="A", doc_id="3")]


def test_columns_by_name(tmp_path):
    columns = Columns(source="body", summary="out", references="gold", human=("score",))
    row = {"body": ["S1", "S2"], "out": "Y", "gold": ["R1", "R2"], "score": "3.5"}
    [example] = read(tmp_path, row, columns=columns)
    assert example.source == ("S1", "S2")
    assert example.references == ("R1", "R2")
    assert example.human == {"score": 3.5}


def test_human_scores_nested_and_in_columns(tmp_path):
    [one] = read(tmp_path, {"summary": "Y", "human": {"coherence": 2, "fluency": None}})
    assert one.human == {"coherence": 2.0}
    [two] = read(tmp_path, {"summary": "Y", "human.coherence": 2})
    assert two.human == {"coherence": 2.0}


def test_several_texts_in_one_csv_cell(tmp_path):
    path = tmp_path / "x.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["source", "summary", "references"])
        writer.writerow(["S", "Y", json.dumps(["R1", "R2"])])
        writer.writerow(["[1, 2] is a list", "Y", "[not json]"])
    first, second = ExampleFile(str(path))
    assert first.references == ("R1", "R2")
    assert second.source == ("[1, 2] is a list",)
    assert second.references == ("[not json]",)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"source": "S"}, "the row has no 'summary'"),
        ({"source": "S", "summary": None}, "'summary' is null, not text"),
        ({"source": "S", "summary": 5}, "'summary' is a number, not text"),
        ({"source": 5, "summary": "Y"}, "'source' is a number, not text or a list of texts"),
        ({"source": {}, "summary": "Y"}, "'source' is an object, not text or a list of texts"),
        (
            {"summary": "Y", "references": ["R", None]},
            "'references' holds null at place 2, not text",
        ),
        (
            {"summary": "Y", "human": {"fluency": "good"}},
            "the human score 'fluency' is text, not a number",
        ),
    ],
)
def test_a_bad_row_is_named_and_the_others_are_read(tmp_path, row, problem):
    good = {"source": "S", "summary": "Y", "references": ["R"]}
    rows = read(tmp_path, good, {**row, "system": "A", "doc_id": "7"}, good)
    assert rows[1] == Unreadable(problem, "7", "A")
    assert isinstance(rows[0], Example)
    assert rows[0] == rows[2]


def test_a_missing_column_is_an_error_that_lists_what_there_is(tmp_path):
    with pytest.raises(ReadError, match="no summary column") as error:
        read(tmp_path, {"text": "S", "abstract": "Y"})
    assert "it has text, abstract" in str(error.value)
    assert "--summary COLUMN" in str(error.value)
    with pytest.raises(ReadError, match="looked for abstrct;"):
        read(tmp_path, {"text": "S", "abstract": "Y"}, columns=Columns(summary="abstrct"))
    with pytest.raises(ReadError, match="no reference column"):
        read(tmp_path, {"text": "S", "summary": "Y"}, needs=frozenset({"references"}))
    with pytest.raises(ReadError, match="no column 'flow'"):
        read(tmp_path, {"summary": "Y"}, columns=Columns(human=("flow",)))


def test_limit_counts_rows_and_sources_are_given_again_and_again(tmp_path):
    path = jsonl(tmp_path / "x.jsonl", *({"source": [f"{i}", "b"], "summary": "Y"} for i in "123"))
    sources = Sources(ExampleFile(path, limit=2))
    assert list(sources) == list(sources) == ["1\nb", "2\nb"]


def test_standard_input_twice(monkeypatch):
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"source": "S", "summary": "Y"}\n'))
    )
    with ExampleFile("-", twice=True) as file:
        assert list(file) == list(file) == [Example(source="S", summary="Y")]


def test_an_empty_file_has_no_rows(tmp_path):
    assert read(tmp_path) == []
