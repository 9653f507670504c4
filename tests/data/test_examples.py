import csv
import io
import json

import pytest

from tricolore import Example
from tricolore.data.columns import Columns
from tricolore.data.examples import ExampleFile, Examples, Sources
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
    with pytest.raises(ReadError, match="no column 'units' of content units; it has 'summary'"):
        read(tmp_path, {"summary": "Y"}, needs=frozenset({"units"}))
    with pytest.raises(ReadError, match="no column 'highlights' of highlights of the source"):
        read(tmp_path, {"summary": "Y"}, needs=frozenset({"highlights"}))
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


@pytest.mark.parametrize("limit", [-1, 1.5, "3"])
def test_what_is_no_limit(tmp_path, limit):
    with pytest.raises(ReadError, match="the limit is a number of rows, 0 or more, not") as error:
        read(tmp_path, {"summary": "a"}, limit=limit)
    assert error.value.argument == "limit"


def test_limits_that_are_huge_or_nothing(tmp_path):
    assert len(read(tmp_path, {"summary": "a"}, {"summary": "b"}, limit=10**30)) == 2
    assert read(tmp_path, {"summary": "a"}, limit=0) == []


@pytest.mark.parametrize("max_row_mb", [0, -1, float("nan"), float("inf")])
def test_what_is_no_limit_of_a_row(tmp_path, max_row_mb):
    with pytest.raises(ReadError, match="a number of MB above 0"):
        read(tmp_path, {"summary": "a"}, max_row_mb=max_row_mb)


def test_a_limit_of_a_row_can_be_raised(tmp_path):
    row = {"source": "x" * 2000, "summary": "a"}
    [bad, good] = read(tmp_path, row, {"summary": "b"}, max_row_mb=0.001)
    assert bad == Unreadable("line 1 is longer than 0.001 MB, the limit of a row (max_row_mb)")
    assert good.summary == "b"
    assert read(tmp_path, row, max_row_mb=0.003)[0].source == ("x" * 2000,)


@pytest.mark.parametrize("column", ["source", "summary", "system", "doc_id", "references"])
def test_a_key_that_is_given_twice_in_a_row(tmp_path, column):
    good = {"source": "a b", "summary": "a", "system": "s", "doc_id": "d", "references": "r"}
    bad = json.dumps(good)[:-1] + f', "{column}": "x"}}'
    path = tmp_path / "x.jsonl"
    path.write_text(f"{json.dumps(good)}\n{bad}\n")
    first, second = ExampleFile(str(path))
    assert isinstance(first, Example)
    assert second.problem == f"'{column}' is given more than once"
    assert second.system == ("" if column == "system" else "s")
    path.write_text(f"{bad}\n")
    words = f"the column '{column}' of .*x.jsonl is given more than once"
    with pytest.raises(ReadError, match=words):
        list(ExampleFile(str(path)))


def test_a_key_that_is_given_twice_does_no_harm_if_it_is_not_used(tmp_path):
    (tmp_path / "x.jsonl").write_text('{"x": 1, "summary": "a", "x": 2}\n')
    assert list(ExampleFile(str(tmp_path / "x.jsonl"))) == [Example(summary="a")]


def test_a_nested_key_that_is_given_twice(tmp_path):
    (tmp_path / "x.jsonl").write_text(
        '{"in": {"text": "a"}, "summary": "a"}\n'
        '{"in": {"text": "a", "text": "b"}, "summary": "a"}\n'
    )
    rows = ExampleFile(str(tmp_path / "x.jsonl"), Columns(source="in.text"))
    assert [isinstance(row, Example) for row in rows] == [True, False]


@pytest.mark.parametrize("column", ["doc_id", "system"])
@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([1], "is a list, not text or a number"),
        ({"a": 1}, "is an object, not text or a number"),
    ],
)
def test_ids_and_names_that_are_none(tmp_path, column, value, problem):
    good, bad = read(tmp_path, {"summary": "a", column: "x"}, {"summary": "a", column: value})
    assert getattr(good, column) == "x"
    assert bad == Unreadable(f"'{column}' {problem}")


def test_brackets_that_are_no_list(tmp_path):
    deep = "[" * 100_000 + "]" * 100_000
    [row] = read(tmp_path, {"summary": "a", "source": deep, "references": deep})
    assert (row.source, row.references) == ((deep,), (deep,))


def test_human_scores_that_are_no_finite_number(tmp_path):
    path = tmp_path / "x.jsonl"
    numbers = ["1", "1" + "0" * 400, "-1e999", "Infinity", "NaN", '"inf"', "9" * 5000]
    path.write_text("".join(f'{{"summary": "a", "human": {{"q": {n}}}}}\n' for n in numbers))
    rows = ExampleFile(str(path))
    assert [dict(row.human) for row in rows] == [{"q": 1.0}, {}, {}, {}, {}, {}, {}]
    assert rows.odd_human == {
        "the human score 'q' is too large a number": 3,
        "the human score 'q' is text, not a number": 1,
        "the human score 'q' is a number with too many digits": 1,
    }


def test_a_human_score_that_is_given_in_two_ways(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(
        '{"summary": "a", "human": {"q": 1}, "human.q": 1}\n'
        '{"summary": "a", "human": {"q": 1}, "human.q": 2}\n'
        '{"summary": "a", "human": {"q": 1, "q": 2}}\n'
    )
    rows = ExampleFile(str(path))
    assert [dict(row.human) for row in rows] == [{"q": 1.0}, {}, {}]
    assert rows.odd_human == {"the human score 'q' is given more than once": 2}


def test_units_and_highlights_of_a_row():
    row = {
        "source": "It rains in Rome.",
        "summary": "Rain.",
        "references": ["It rained."],
        "units": [{"text": "It rains.", "weight": 2, "present": True}],
        "highlights": [{"start": 3, "end": 8}],
    }
    rows = Examples([row])
    [example] = rows
    assert example.to_json()["units"] == [{"text": "It rains.", "weight": 2.0, "present": True}]
    assert example.to_json()["highlights"] == [{"start": 3, "end": 8}]
    assert rows.warnings == [], "highlights of the source are no second reference"
    [again] = Examples([example.to_json()])
    assert again == example


def test_highlights_that_are_texts_are_the_references_of_cnn_dm():
    row = {"article": "It rains in Rome.", "summary": "Rain.", "highlights": "It rained."}
    [example] = Examples([row])
    assert (example.references, example.highlights) == (("It rained.",), ())


def test_units_in_a_cell_of_a_csv():
    cell = '[{"text": "It rains.", "present": false}]'
    [example] = Examples([{"source": "s", "summary": "y", "units": cell}])
    assert example.units[0].present is False


@pytest.mark.parametrize("other", ["kg", 7, [1, 2], [{"kg": 3}], "[not json", [""], {"text": "a"}])
def test_a_column_units_of_something_else_does_no_harm(other):
    [example] = Examples([{"source": "s", "summary": "y", "units": other}])
    assert example.units == ()


def test_a_wrong_unit_makes_the_row_unreadable():
    [row] = Examples([{"source": "s", "summary": "y", "units": [{"text": "a", "weight": -1}]}])
    assert row.problem.endswith("the weight of a content unit is -1, but must be 0 or more")
