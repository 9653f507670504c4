import csv
import io
import json

import pytest

from tricolore import Example
from tricolore.data.columns import Columns
from tricolore.data.examples import ExampleFile, Sources
from tricolore.errors import ReadError
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
    asked = Columns(human=("coherence", "fluency"))
    row = {"summary": "Y", "human": {"coherence": 2}, "fluency": 3}
    assert read(tmp_path, row, columns=asked)[0].human == {"coherence": 2.0, "fluency": 3.0}
    row = {"summary": "Y", "human.coherence": 2, "Fluency": 3}
    assert read(tmp_path, row, columns=asked)[0].human == {"coherence": 2.0, "fluency": 3.0}
    with pytest.raises(ReadError, match="has no column 'fluency' of human scores"):
        read(tmp_path, {"summary": "Y", "human": {"coherence": 2}}, columns=asked)


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
        ({"source": "S", "summary": 5}, "'summary' is a number, not text"),
        ({"source": 5, "summary": "Y"}, "'source' is a number, not text or a list of texts"),
        ({"source": {}, "summary": "Y"}, "'source' is an object, not text or a list of texts"),
        (
            {"summary": "Y", "references": ["R", None]},
            "'references' holds null at place 2, not text",
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
    assert "it has 'text', 'abstract'" in str(error.value)
    assert error.value.argument == "columns.summary"
    with pytest.raises(ReadError, match="looked for 'abstrct';"):
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


def test_a_human_score_that_is_no_number_is_left_out_and_the_row_kept(tmp_path):
    good = {"summary": "Y", "human": {"fluency": 3, "focus": 2}}
    odd = {"summary": "Y", "human": {"fluency": "good", "focus": 2}}
    file = ExampleFile(jsonl(tmp_path / "x.jsonl", good, odd, odd))
    for _ in range(2):  # what is said is of one pass
        assert [dict(row.human) for row in file] == [{"fluency": 3, "focus": 2}] + 2 * [
            {"focus": 2}
        ]
        assert file.odd_human == {"the human score 'fluency' is text, not a number": 2}


def test_the_case_of_a_column_name(tmp_path):
    row = {"Source": "S", "SUMMARY": "Y", "Fluency": 2}
    [one] = read(tmp_path, row, columns=Columns(human=("fluency",)))
    assert (one.source, one.summary, one.human) == (("S",), "Y", {"fluency": 2.0})
    # what is written as asked for comes first, and of two that are like it none is taken
    [two] = read(tmp_path, {"Summary": "X", "prediction": "Y"})
    assert two.summary == "Y"
    with pytest.raises(ReadError, match="has no summary column"):
        read(tmp_path, {"Summary": "X", "SUMMARY": "Y"})


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.jsonl", b"", "x.jsonl has no rows"),
        ("x.csv", b"source,summary\n", "x.csv has no rows"),
        (
            "x.jsonl",
            b"\x89PNG\r\n",
            "x.jsonl is not UTF-8: line 1 .* often cp1252",
        ),
        (
            "x.csv",
            b"source,summary\na,\xe9\n",
            "line 2 has the byte 0xe9; .* cp1252",
        ),
        ("x.jsonl", b"a,b\n", "line 1 is not JSON"),
    ],
)
def test_not_a_single_row_is_an_error(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    file = ExampleFile(str(tmp_path / name))
    with pytest.raises(ReadError, match=words):
        list(file.at_least_one())
    with pytest.raises(ReadError, match=words):
        list(Sources(file))


def test_one_row_is_enough(tmp_path):
    file = ExampleFile(jsonl(tmp_path / "x.jsonl", {"summary": 1}, {"summary": "Y"}))
    assert [type(row) for row in file.at_least_one()] == [Unreadable, Example]


@pytest.mark.parametrize("twice", [False, True])
def test_standard_input_that_is_not_json_lines(monkeypatch, twice):
    def stdin():
        return io.TextIOWrapper(io.BytesIO(b"source,summary\na b,a\n"))

    monkeypatch.setattr("sys.stdin", stdin())
    with (
        ExampleFile("-", twice=twice) as file,
        pytest.raises(ReadError, match=r"of standard input .* name its format"),
    ):
        list(file.at_least_one())
    monkeypatch.setattr("sys.stdin", stdin())
    with ExampleFile("-", format="csv", twice=twice) as file:
        assert list(file.at_least_one()) == [Example(source="a b", summary="a")]


def test_a_decimal_comma_is_named(tmp_path):
    rows = [{"summary": "Y", "human": {"fluency": value}} for value in ("4,5", "3,5", "4,x")]
    file = ExampleFile(jsonl(tmp_path / "x.jsonl", *rows))
    list(file)
    assert file.odd_human == {
        "the human score 'fluency' is not a number: 4,5 has a decimal comma": 2,
        "the human score 'fluency' is text, not a number": 1,
    }


def test_the_columns_of_a_stream_are_known_before_it_is_read(monkeypatch):
    lines = b"".join(b'{"document": "S", "summary": "%d"}\n' % at for at in range(300))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines)))
    with ExampleFile("-") as file:
        assert file.mapping == {"source": "document", "summary": "summary"}
        assert file.warnings == []
        assert [row.summary for row in file] == [str(at) for at in range(300)]


def test_rows_after_a_bad_beginning_are_read(tmp_path):
    (tmp_path / "x.jsonl").write_text("{\n" * 100 + '{"summary": "Y"}\n{"text": "S"}\n')
    rows = list(ExampleFile(str(tmp_path / "x.jsonl")))
    assert rows[100] == Example(summary="Y")
    assert rows[101] == Unreadable("the row has no 'summary'")


def test_a_summary_of_null_is_an_empty_summary(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"source": "S", "summary": null}\n{"source": "S", "summary": "Y"}\n')
    first, second = ExampleFile(str(path))
    assert (first.summary, second.summary) == ("", "Y")
