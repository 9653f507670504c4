"""`evaluate` on everything that holds summaries, and what its result can do."""

import io
import json
import math

import datasets
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tricolore import Columns, Example, TricoloreError, evaluate
from tricolore.data.score_table import ScoreTable

# Fragment coverage by hand: the words of the summary that are in the source, over all of them.
ROWS = [
    {"document": "a b c d", "generated": "a b", "model": "x", "id": "1"},
    {"document": "a b c d", "generated": "a z y w", "model": "y", "id": "1"},
    {"document": "e f g h", "generated": "e f g q", "model": "x", "id": "2"},
    {"document": "e f g h", "generated": "", "model": "y", "id": "2"},
]
COVERAGE = [1.0, 0.25, 0.75]


def path_of(rows, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


HOLDERS = {
    "dicts": lambda rows, _: rows,
    "a generator": lambda rows, _: (row for row in rows),
    "examples": lambda rows, _: [
        Example(
            source=row["document"],
            summary=row["generated"],
            doc_id=row["id"],
            system=row["model"],
        )
        for row in rows
    ],
    "pandas": lambda rows, _: pd.DataFrame(rows),
    "polars": lambda rows, _: pl.DataFrame(rows),
    "arrow": lambda rows, _: pa.Table.from_pylist(rows),
    "datasets": lambda rows, _: datasets.Dataset.from_list(rows),
    "a path": path_of,
    "a path as text": lambda rows, tmp_path: str(path_of(rows, tmp_path)),
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_whatever_holds_them(holder, tmp_path):
    result = evaluate(HOLDERS[holder](ROWS, tmp_path), "coverage,importance")
    assert [r.scores["coverage"].value for r in result][:3] == COVERAGE
    assert math.isnan(result.results[3].scores["coverage"].value)
    assert [r.example.system for r in result] == ["x", "y", "x", "y"]
    assert len(result) == 4
    if holder != "examples":
        assert result.summary.notes[0] == (
            "read: source=document, summary=generated, system=model, doc_id=id"
        )


@pytest.fixture(scope="module")
def result():
    return evaluate(ROWS, ["coverage", "length"])


def test_the_table_of_systems(result):
    assert result.systems.headers[:2] == ["system", "coverage ↑"]
    # x: (1 + 0.75) / 2; y: (0.25 + 0) / 2, as the empty summary has the worst value.
    assert [row[1].value for row in result.systems.rows] == [0.875, 0.125]
    skipped = evaluate(ROWS, "coverage", empty="skip")
    assert [row[1].value for row in skipped.systems.rows] == [0.875, 0.25]
    assert skipped.empty == "skip"


def test_the_worst(result):
    assert [r.example.summary for r in result.worst(2)] == ["a z y w", "e f g q"]
    with pytest.raises(TricoloreError, match="no measure 'rouge-1' here"):
        result.worst(1, "rouge-1")
    with pytest.raises(TricoloreError, match="neither way is better in length"):
        result.worst(1, "length")


def test_problems(result):
    assert result.problems() == [(4, "the summary is empty")]
    assert result.summary.problem_lines == ["1 row with a problem; the first: the summary is empty"]
    assert result.summary.has_problems


def test_frames(result):
    table = result.to_arrow()
    assert table.column("coverage").to_pylist() == [*COVERAGE, None]
    assert table.column("system").to_pylist() == ["x", "y", "x", "y"]
    assert result.to_pandas()["coverage"].tolist()[:3] == COVERAGE
    assert result.to_polars()["coverage"].to_list() == [*COVERAGE, None]
    spans = evaluate(ROWS[:1], "coverage", evidence=True).to_arrow(evidence=True)
    assert "coverage.evidence" in spans.column_names


def test_a_file_that_can_be_read_back(result, tmp_path):
    result.save(tmp_path / "s.parquet")
    table = ScoreTable.read(tmp_path / "s.parquet")
    assert table.values["coverage"].tolist()[:3] == COVERAGE
    assert result.table.values["coverage"].tolist()[:3] == COVERAGE
    assert table.signatures["coverage"]["measure"] == "coverage"


def test_in_a_notebook():
    html = evaluate([{**ROWS[0], "model": "<b>"}], "coverage")._repr_html_()
    assert "<table>" in html
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    assert "read: source=document" in html


def test_rows_are_written_as_they_come_and_need_not_be_kept(tmp_path):
    result = evaluate(ROWS, "coverage", output=tmp_path / "s.jsonl", keep=1)
    written = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    assert [row["coverage"] for row in written] == [*COVERAGE, None]
    assert len(result.results) == 1
    assert [row[1].value for row in result.systems.rows] == [0.875, 0.125]
    for look in (result.worst, result.problems, result.to_arrow, lambda: result.table):
        with pytest.raises(TricoloreError, match="only 1 of 4 results were kept"):
            look()
    with pytest.raises(TricoloreError, match="is the input"):
        evaluate(tmp_path / "s.jsonl", "coverage", output=tmp_path / "s.jsonl")


def test_columns_limit_and_human():
    rows = [{"body": "a b", "short": "a", "grade": 3}, {"body": "a b", "short": "z", "grade": 1}]
    columns = Columns(source="body", summary="short", human=("grade",))
    result = evaluate(rows, "coverage", columns=columns, limit=1)
    assert result.table.human["grade"].tolist() == [3.0]
    with pytest.raises(TricoloreError) as error:
        evaluate(rows, "coverage")
    assert "--" not in str(error.value)  # no option of the command line
    assert error.value.argument == "columns.summary"


def test_progress_in_a_bar(monkeypatch):
    from tricolore.report import progress, terminal

    out = terminal.SafeConsole(force_terminal=True, width=110, file=io.StringIO())
    monkeypatch.setattr(progress, "console", lambda stderr: out)
    evaluate(ROWS, "coverage", progress=True)
    assert "4 of 4 rows" in out.file.getvalue()


def test_several_processes(tmp_path):
    one = evaluate(ROWS, "coverage,importance")
    two = evaluate(ROWS, "coverage,importance", jobs=2, device="cpu", offline=True)
    assert one.to_arrow() == two.to_arrow()
