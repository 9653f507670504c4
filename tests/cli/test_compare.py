"""`tricolore compare` as people run it."""

import csv
import json

import pytest


def test_many_systems_are_ranked(tricolore, scores):
    out, _ = tricolore("compare", scores, "--pairs")
    assert "redundancy ↓" in out
    lines = out.splitlines()
    ranked = [line.split()[0] for line in lines if "(" in line][:3]
    assert ranked == ["lead", "rank", "noise"]
    assert "Every pair" in out


def test_two_systems(tricolore, scores):
    out, _ = tricolore("compare", scores, "--systems", "noise,lead")
    line = next(line for line in out.splitlines() if line.startswith(" rouge-1 "))
    assert line.split()[-2:] == ["lead", "10"]
    rows = json.loads(
        tricolore("compare", scores, "--systems", "noise,lead", "--format", "json")[0]
    )
    assert len(rows) == 2
    assert rows[0]["difference"]["low"] < rows[0]["difference"]["value"] < 0


@pytest.mark.slow
def test_what_few_documents_cannot_tell(tricolore, few):
    out, _ = tricolore("compare", few, "--resamples", 200, "--pairs")
    # One pair has values of ROUGE-1: 1 / 8; three of length: 3 / 8.
    assert "rouge-1: 4 documents and 1 pair: no corrected p can be below 0.125" in out
    assert "length: 4 documents and 3 pairs: no corrected p can be below 0.375" in out
    assert "Only 4 documents: the interval says little." in out
    line = next(line for line in out.splitlines() if line.startswith(" empty "))
    assert line.split()[1:] == ["–", "(4", "missing)", "21.500", "(1)"]
    assert "Neither way is better; the rank counts those that have more: length." in out
    said = "1 row has the same document and system as another; all are counted."
    assert said in out
    for more in (("--level", "summary"), ("--pairs", "--level", "summary")):
        assert said in tricolore("meta", few, "--resamples", 20, *more)[0]
    rows = json.loads(tricolore("compare", few, "-m", "rouge-1", "--format", "json")[0])
    assert [row["second rank"] for row in rows] == [1, None, None]


@pytest.mark.slow
def test_a_system_that_says_nothing_half_of_the_time_does_not_win(tricolore, half_empty, tmp_path):
    scores = tmp_path / "scores.csv"
    said = tricolore("score", half_empty, "-m", "coverage,length", "-o", scores)[0]
    assert "10 empty summaries, which count as the worst possible value: C 10." in said
    # (10 * 0.9 + 10 * 0) / 20, A: (10 * 0.9 + 10 * 0.3) / 20
    assert [line.split()[:2] for line in said.splitlines() if line[:3] in (" A ", " C ")] == [
        ["A", "0.600"],
        ["C", "0.450"],
    ]
    with open(scores, newline="") as stream:
        statuses = [row["status"] for row in csv.DictReader(stream)]
    assert {name: statuses.count(name) for name in statuses} == {
        "ok": 50,
        "empty": 10,
        "unreadable": 1,
    }
    said = tricolore("compare", scores, "-m", "coverage", "--resamples", "500")[0]
    lines = [line.split() for line in said.splitlines()]
    assert ["A", "0.600", "(1)"] in lines
    assert any(line[:2] == ["C", "0.450"] and line[2] != "(1)" for line in lines)
    assert "On the 20 documents that have a value of every ranked system." in said
    assert "10 empty summaries, which count as the worst possible value: C 10." in said
    assert "1 row could not be read and is left out." in said

    said = tricolore("compare", scores, "--empty", "skip", "--resamples", "500")[0]
    assert "0.900 (1) (10 missing)" in said
    assert "On the 10 documents that have a value of every ranked system." in said
    assert "10 empty summaries, left out: C 10." in said
    found = tricolore("compare", scores, "--empty", "skip", "--format", "json", "--resamples", "99")
    pairs = {(p["measure"], p["first"], p["second"]): p for p in json.loads(found[0])}
    pair = pairs["coverage", "A", "C"]
    assert (pair["second missing"], pair["second empty"], pair["documents"]) == (10, 10, 10)
