"""What a report is about, whatever it was made from."""

from __future__ import annotations

import math

import pytest

from tricolore import agreement, check, compare, evaluate
from tricolore.api.report_input import report_input
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError, TricoloreError
from tricolore.registry import get_measure

ROWS = [
    {"source": "A cat sat on a mat.", "summary": "A cat sat.", "system": "a", "doc_id": "1"},
    {"source": "A cat sat on a mat.", "summary": "", "system": "b", "doc_id": "1"},
    {"source": "A dog ran home.", "summary": "A dog ran far.", "system": "a", "doc_id": "2"},
]


@pytest.fixture
def saved(tmp_path):
    evaluation = evaluate(ROWS, "coverage,length", evidence=True)

    def save(name="scores.jsonl", evidence=True):
        evaluation.save(tmp_path / name, evidence=evidence)
        return tmp_path / name

    return save


def test_a_file_with_texts_and_evidence(saved):
    found = report_input(str(saved()), ROWS)
    assert found.has_texts
    assert found.lacking == ""
    assert [row.number for row in found.rows] == [1, 2, 3]
    assert found.rows[0].scores["coverage"].evidence
    assert list(found.measures) == found.columns == ["coverage", "length"]
    assert found.table.values["coverage"][1] == 0.0  # the empty summary is settled


def test_a_file_without_texts_or_evidence_says_how_to_get_them(saved):
    assert "--examples FILE" in report_input(saved()).lacking
    assert "--evidence" in report_input(saved(evidence=False), ROWS).lacking
    assert not report_input(saved()).has_texts


@pytest.mark.parametrize("name", ["scores.csv", "scores.tsv", "scores.parquet"])
def test_all_formats_are_the_same(saved, name):
    one, other = report_input(saved(), ROWS), report_input(saved(name), ROWS)
    assert [row.scores["coverage"].evidence for row in one.rows] == [
        row.scores["coverage"].evidence for row in other.rows
    ]


def test_rows_that_could_not_be_read_are_left_out(tmp_path):
    rows = [ROWS[0], {"source": "x", "summary": 3}, ROWS[2]]
    evaluation = evaluate(rows, "coverage", evidence=True)
    evaluation.save(tmp_path / "scores.jsonl", evidence=True)
    for found in (report_input(evaluation), report_input(tmp_path / "scores.jsonl", rows)):
        assert len(found.rows) == len(found.table) == 2
    assert [row.number for row in found.rows] == [1, 3]


def test_examples_of_other_scores_are_an_error(saved):
    with pytest.raises(ReadError, match="they do not belong together"):
        report_input(saved(), ROWS[:2])
    with pytest.raises(TricoloreError, match="examples are for a score file"):
        report_input(evaluate(ROWS, "coverage"), ROWS)


def test_an_evaluation_has_its_texts():
    found = report_input(evaluate(ROWS, "coverage", evidence=True))
    assert found.has_texts
    assert found.lacking == ""
    assert any("1 row with a problem" in words for words in found.warnings)
    assert "evidence=True" in report_input(evaluate(ROWS, "coverage")).lacking
    with pytest.raises(TricoloreError, match="only 1 of 3 results were kept"):
        report_input(evaluate(ROWS, "coverage", keep=1))


def test_a_table_of_another_tool(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("doc_id,system,our score,remark\n1,a,0.5,fine\n1,b,,bad\n")
    found = report_input(path)
    assert (found.columns, found.measures) == (["our score"], {})
    assert math.isnan(found.rows[1].scores["our score"].value)


def test_the_results_of_compare_and_agreement():
    docs, systems = [str(n // 2) for n in range(12)], ["a", "b"] * 6
    values = {"coverage": [0.9, 0.5, 0.8, 0.6] * 3, "chrf": [1.0, 2.0, 3.0] * 4}
    table = ScoreTable.of(docs, systems, values, {"q": list(range(12))})
    compared = compare(table, measures="chrf", resamples=99)
    found = report_input(compared)
    assert (found.columns, found.comparison) == (["chrf"], compared)
    agreed = agreement(table, measures="coverage", resamples=0)
    found = report_input(agreed)
    assert (found.columns, found.agreement) == (["coverage"], agreed)
    assert len(report_input(table).rows) == 12


def test_other_values_come_from_the_texts(saved):
    found = report_input(evaluate(ROWS, "coverage"))
    # "A cat sat." and "A dog ran far.": a full stop is a word.
    assert found.values_of(get_measure("length")).tolist()[::2] == [4.0, 5.0]
    assert math.isnan(found.values_of(get_measure("length"))[1])  # an empty summary
    assert all(map(math.isnan, report_input(saved()).values_of(get_measure("length"))))


CHECKED = [
    {"source": "The vote was 9 to 4. Ann Berg lost.", "summary": "The vote was 9 to 7."},
    {"source": "The vote was 9 to 4. Ann Berg lost.", "summary": "The vote was 9 to 4."},
    {"source": "The vote was 9 to 4. Ann Berg lost.", "summary": ""},
]


def test_findings_are_counted_from_evidence_or_parts(tmp_path):
    checked = check(CHECKED)
    with_evidence = evaluate(CHECKED, "grounding", evidence=True)
    without = evaluate(CHECKED, "grounding")
    without.save(tmp_path / "scores.parquet")
    [said] = report_input(with_evidence).findings
    assert said == checked.answer
    assert said.startswith("1 of 2 summaries contains numbers or dates")
    [said] = report_input(checked).findings
    assert said == checked.answer
    for scores in (without, tmp_path / "scores.parquet"):
        [said] = report_input(scores).findings
        assert said.startswith("1 of 2 summaries contains numbers or dates")
        assert said.endswith("1 row could not be checked.")
    assert report_input(evaluate(ROWS, "coverage")).findings == []


def test_a_check_keeps_its_numbers_and_its_verdict():
    found = report_input(check(CHECKED))
    assert [row.number for row in found.rows] == [1, 2, 3]
    assert found.warnings[0] == "1 of 3 rows fails; none may."
    with pytest.raises(TricoloreError, match="check without `keep`"):
        report_input(check(CHECKED, keep=1))
