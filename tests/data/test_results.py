import csv
import json

import pyarrow.parquet as pq
import pytest

from tricolore import Example, Score, Span, get_measures
from tricolore.data.results import read_results
from tricolore.data.scores import ScoreFile, scores_table, sidecar
from tricolore.errors import ReadError
from tricolore.example import Unreadable

MEASURES = get_measures("coverage,chrf")
EXAMPLES = [
    Example(source="a b c", summary="a b", references=["a"], doc_id="1", system="A"),
    Unreadable("line 2 is not JSON"),
    Example(source="d e", summary="", references=["d"], doc_id="2", system="A", human={"q": 1.0}),
]


def results():
    made = []
    for example in EXAMPLES:
        if isinstance(example, Example):
            scored = [measure.score([example], evidence=True)[0] for measure in MEASURES]
        else:
            scored = [Score.missing(example.problem) for _ in MEASURES]
        pairs = zip(MEASURES, scored, strict=True)
        made.append((example, {measure.label: score for measure, score in pairs}))
    span = Span("summary", 0, 1, kind="copied", match=Span("source", 0, 1))
    made[0][1]["chrf"] = Score(0.25, made[0][1]["chrf"].parts, (span,))
    return made


def write(path, *, evidence=True):
    with ScoreFile(str(path), MEASURES, evidence=evidence) as file:
        for example, scores in results():
            file.add(example, scores)
    return str(path)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet"])
@pytest.mark.parametrize("is_described", [True, False])
def test_scores_come_back_with_their_examples(tmp_path, ending, is_described):
    path = write(tmp_path / f"x.{ending}")
    if not is_described:
        sidecar(tmp_path / f"x.{ending}").unlink(missing_ok=True)
    (first, one), (third, other) = read_results(path, EXAMPLES)
    assert (first, third) == (EXAMPLES[0], EXAMPLES[2])
    assert list(one) == ["coverage", "chrf"]
    for label, score in results()[0][1].items():
        assert one[label].value == score.value
        kept = {name: score.parts[name] for name in one[label].parts}
        assert dict(one[label].parts) == kept
        assert one[label].evidence == score.evidence
    assert one["coverage"].evidence
    assert set(one["coverage"].parts) == set(MEASURES[0].part_names)
    assert other["coverage"].problem == "the summary is empty"


def test_evidence_that_was_not_written_and_examples_of_a_file(tmp_path):
    (tmp_path / "in.jsonl").write_text(
        "".join(
            (json.dumps(row.to_json()) if isinstance(row, Example) else "{") + "\n"
            for row in EXAMPLES
        )
    )
    found = list(
        read_results(write(tmp_path / "x.jsonl", evidence=False), str(tmp_path / "in.jsonl"))
    )
    assert [example.summary for example, _ in found] == ["a b", ""]
    assert found[0][1]["chrf"].evidence == ()


def test_a_file_that_was_sorted_or_cut(tmp_path):
    path = tmp_path / "x.jsonl"
    write(path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[2], lines[0]]))
    assert [example.doc_id for example, _ in read_results(str(path), EXAMPLES)] == ["2", "1"]


def test_files_that_do_not_belong_together(tmp_path):
    path = write(tmp_path / "x.parquet")
    for name in ("doc_id", "system"):
        other = Example(**{"summary": "a", "doc_id": "1", "system": "A", name: "Z"})
        with pytest.raises(ReadError, match=rf"row 1 has {name} '.' in .* but 'Z' in the data"):
            list(read_results(path, [other, *EXAMPLES[1:]]))
    with pytest.raises(ReadError, match="a score of row 3, but the data has 2 rows"):
        list(read_results(path, EXAMPLES[:2]))
    (tmp_path / "y.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ReadError, match="is not a file of scores"):
        list(read_results(str(tmp_path / "y.csv"), EXAMPLES))


@pytest.mark.parametrize("evidence", [True, False])
def test_the_table_of_scores_is_the_one_in_the_file(tmp_path, evidence):
    write(tmp_path / "x.parquet", evidence=evidence)
    table = scores_table(results(), MEASURES, evidence=evidence)
    there = pq.read_table(tmp_path / "x.parquet")
    assert table.equals(there, check_metadata=True)
    assert "coverage" in json.loads(table.schema.metadata[b"tricolore"])["signatures"]
    write(tmp_path / "x.csv", evidence=evidence)
    with (tmp_path / "x.csv").open(newline="") as stream:
        assert next(csv.reader(stream)) == table.column_names


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        *(("coverage", cell) for cell in ('"high"', "[1]", "{}", "1" + "0" * 400, "9" * 5000)),
        *(("coverage.evidence", cell) for cell in ('"["', "[1]", '[{"x": 1}]', '{"a": 1}', "7")),
        *(("row", cell) for cell in ("Infinity", "null", '"x"', "[1]", "0", "1e30")),
    ],
)
def test_cells_that_are_no_scores(tmp_path, column, cell):
    path = write(tmp_path / "x.jsonl")
    first = json.loads((tmp_path / "x.jsonl").read_text().splitlines()[0])
    text = json.dumps({**first, column: "HERE"}).replace('"HERE"', cell)
    (tmp_path / "x.jsonl").write_text(text + "\n")
    with pytest.raises(ReadError):
        list(read_results(path, EXAMPLES))
