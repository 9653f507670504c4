import csv

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tricolore import Example, Score, evaluate, get_measures
from tricolore.data.results import read_results
from tricolore.data.score_table import ScoreTable
from tricolore.data.scores import ScoreFile, sidecar
from tricolore.data.separated import protected, unprotected
from tricolore.errors import ArgumentError

SIGNS = "=+-@\t\r\n＝＋－＠"


@given(st.text(st.sampled_from("'=+-@\t\r\n1.e a＝")) | st.text())
@example("''=1")
@example("'-1")
def test_every_cell_comes_back(cell):
    assert unprotected(protected(cell)) == cell


@given(st.sampled_from(SIGNS), st.text())
def test_no_cell_begins_with_a_sign_of_a_formula_unless_it_is_a_number(sign, rest):
    written = protected(sign + rest)
    if written[0] in SIGNS:
        assert float(written) is not None
    else:
        assert written == f"'{sign}{rest}"


@pytest.mark.parametrize("cell", ["-1", "+2.5", "-1e-05", "a=b", "'quoted'", "", "it's", "1-2"])
def test_numbers_and_other_text_stay(cell):
    assert protected(cell) == cell


NAMES = [
    "x\ry",
    "\r=",
    "x\r\ny",
    "=1+1",
    "'=1+1",
    "@SUM(A1)",
    "-x",
    "\tx",
    "＝1",
    "''-",
    "-1",
    "a",
    "x\ny",
    "+a\tb",
]
[MEASURE] = get_measures("coverage")


def write(path, **settings):
    with ScoreFile(str(path), [MEASURE], **settings) as file:
        for at, name in enumerate(NAMES):
            row = Example(source="a b", summary="a", doc_id=name, system=name, human={"q": -at})
            parts = dict.fromkeys(MEASURE.part_names, -1.0)
            file.add(row, {"coverage": Score(-0.5, parts)})


def cells(path, column):
    delimiter = "\t" if path.suffix == ".tsv" else ","
    with path.open(newline="") as stream:
        return [row[column] for row in csv.DictReader(stream, delimiter=delimiter)]


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_a_file_of_scores_is_protected_and_read_back_as_it_was(tmp_path, ending):
    path = tmp_path / f"x.{ending}"
    write(path)
    assert cells(path, "system")[3:7] == ["'=1+1", "''=1+1", "'@SUM(A1)", "'-x"]
    assert set(cells(path, "coverage")) == {"-0.5"}
    table = ScoreTable.read(path)
    assert sorted(table.grid.systems) == sorted(NAMES)
    assert sorted(table.grid.documents) == sorted(NAMES)
    assert table.human["q"].tolist() == [-at for at in range(len(NAMES))]
    rows = [{"source": "a b", "summary": "a", "doc_id": n, "system": n} for n in NAMES]
    assert [example.system for example, _ in read_results(str(path), rows)] == NAMES


def test_formulas_that_are_kept_are_read_as_they_are(tmp_path):
    path = tmp_path / "x.csv"
    write(path, csv_formulas="keep")
    assert cells(path, "system") == NAMES
    assert sorted(ScoreTable.read(path).grid.systems) == sorted(NAMES)


def test_a_file_that_does_not_say_that_it_is_protected_is_read_as_it_is(tmp_path):
    path = tmp_path / "x.csv"
    write(path)
    sidecar(path).unlink()
    assert "'=1+1" in ScoreTable.read(path).grid.systems


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_formats_that_spreadsheets_do_not_compute_have_no_apostrophes(tmp_path, ending):
    path = tmp_path / f"x.{ending}"
    write(path)
    assert sorted(ScoreTable.read(path).grid.systems) == sorted(NAMES)


def test_from_python(tmp_path):
    rows = [{"source": "a b", "summary": "a", "system": "=1"}]
    found = evaluate(rows, "coverage", output=tmp_path / "a.csv")
    evaluate(rows, "coverage", output=tmp_path / "b.csv", csv_formulas="keep")
    found.save(tmp_path / "c.csv")
    found.save(tmp_path / "d.csv", csv_formulas="keep")
    written = [cells(tmp_path / f"{name}.csv", "system") for name in "abcd"]
    assert written == [["'=1"], ["=1"], ["'=1"], ["=1"]]


def test_a_choice_that_there_is_not(tmp_path):
    rows = [{"source": "a b", "summary": "a"}]
    with pytest.raises(ArgumentError, match="one of protect, keep, not 'off'"):
        evaluate(rows, "coverage", output=tmp_path / "a.csv", csv_formulas="off")
    assert not list(tmp_path.iterdir())
