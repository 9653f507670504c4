import math

import datasets
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tricolore import Example
from tricolore.data.columns import Columns
from tricolore.data.examples import Sources
from tricolore.data.frames import examples_from
from tricolore.errors import ReadError
from tricolore.example import Unreadable

ROWS = [
    {"document": "A cat sat.", "generated": "Cat sits.", "highlights": ["Cat."], "model": "a"},
    {"document": "A dog ran.", "generated": "Dog runs.", "highlights": ["D", "R"], "model": "b"},
    {"document": "A cow ate.", "generated": "Cow eats.", "highlights": None, "model": "b"},
]
EXAMPLES = [
    Example(source="A cat sat.", summary="Cat sits.", references=["Cat."], system="a"),
    Example(source="A dog ran.", summary="Dog runs.", references=["D", "R"], system="b"),
    Example(source="A cow ate.", summary="Cow eats.", system="b"),
]
FORMS = {
    "list": lambda: ROWS,
    "generator": lambda: (row for row in ROWS),
    "examples": lambda: EXAMPLES,
    "mixed": lambda: [EXAMPLES[0], *ROWS[1:]],
    "pandas": lambda: pd.DataFrame(ROWS),
    "a part of pandas": lambda: pd.DataFrame([ROWS[0], *ROWS]).iloc[1:],
    "records of pandas": lambda: pd.DataFrame(ROWS).to_dict("records"),
    "polars": lambda: pl.DataFrame(ROWS),
    "pyarrow": lambda: pa.Table.from_pylist(ROWS),
    "dataset": lambda: datasets.Dataset.from_list(ROWS),
    "a part of a dataset": lambda: datasets.Dataset.from_list([ROWS[0], *ROWS]).select([1, 2, 3]),
    "streamed dataset": lambda: datasets.Dataset.from_list(ROWS).to_iterable_dataset(),
}


@pytest.mark.parametrize("form", FORMS)
def test_examples_from(form):
    rows = examples_from(FORMS[form](), needs={"source"})
    assert list(rows) == EXAMPLES
    assert list(rows) == EXAMPLES  # and again
    assert list(Sources(rows)) == ["A cat sat.", "A dog ran.", "A cow ate."]
    if form not in ("examples",):
        line = "read: source=document, summary=generated, references=highlights, system=model"
        assert rows.describe_columns() == line


def test_a_path(tmp_path):
    pd.DataFrame(ROWS).to_parquet(tmp_path / "x.parquet")
    assert list(examples_from(tmp_path / "x.parquet", limit=2)) == EXAMPLES[:2]
    assert list(examples_from(str(tmp_path / "x.parquet"))) == EXAMPLES


def test_human_scores_and_named_columns():
    frame = pl.DataFrame(
        {"body": ["A cat."], "out": ["Cat."], "fluency": [3], "human.focus": [1.5]}
    )
    columns = Columns(source="body", summary="out", human=("fluency",))
    rows = examples_from(frame, columns)
    [example] = rows
    assert example.human == {"fluency": 3.0, "focus": 1.5}
    assert examples_from(rows) is rows


def test_bad_rows_stay_in_their_place():
    rows = list(examples_from([ROWS[0], {"document": "S", "generated": math.nan}, "text"]))
    assert rows[0] == EXAMPLES[0]
    assert rows[1:] == [
        Example(source="S", summary=""),  # NaN: the system wrote nothing
        Unreadable("item 3 is not an example or a dict, but str"),
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (lambda: datasets.DatasetDict({"test": datasets.Dataset.from_list(ROWS)}), "one split"),
        (lambda: pl.LazyFrame(ROWS), "LazyFrame is not a table .* collected"),
        (lambda: 5, "int is not a table of examples"),
        (lambda: pd.DataFrame({"summary": ["x", ["y"]]}), "make each column of one type"),
        (lambda: [{"document": "S"}], "the data has no summary column"),
    ],
)
def test_what_is_no_table(data, words):
    with pytest.raises(ReadError, match=words):
        list(examples_from(data()))


def test_not_a_number_is_nothing():
    row = {"document": "A cat sat.", "generated": "Cat sits.", "highlights": math.nan}
    [example] = examples_from([row | {"model": math.nan}])
    assert example == Example(source="A cat sat.", summary="Cat sits.")


def test_a_column_of_a_table_that_is_given_twice():
    table = pa.table([["a b"], ["a"], ["b"]], names=["source", "summary", "summary"])
    with pytest.raises(ReadError, match="the column 'summary' of the data is given more than once"):
        list(examples_from(table))
    frame = pd.DataFrame([["a b", "a", "b"]], columns=["source", "summary", "summary"])
    with pytest.raises(ReadError, match="Duplicate column names found"):
        examples_from(frame)


def test_values_of_a_table_that_python_cannot_hold():
    far = pa.array([10**15], pa.timestamp("s"))
    [row] = examples_from(pa.table({"source": ["a b"], "summary": ["a"], "when": far}))
    assert row.summary == "a"


def test_values_of_dicts_that_files_do_not_have():
    rows = [
        {"summary": pd.NA, "source": "a", 7: "x", "doc_id": pd.NaT},
        {"summary": "a", "source": "a", "doc_id": 10**5000},
        {"summary": "a", "source": pd.array(["a"]), "doc_id": "1"},
    ]
    first, second, third = examples_from(rows)
    assert first == Example(summary="", source="a")
    assert second == Unreadable("'doc_id' is a number with too many digits")
    assert "not text or a list of texts" in third.problem
