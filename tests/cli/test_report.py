"""`tricolore report` and the option `--report`, as people use them."""

import json

import pytest

from tricolore.errors import ReadError, SpecError, WriteError


def test_a_report_of_a_score_file(tricolore, judged):
    tricolore("score", "judged.jsonl", "-m", "coverage,length", "-o", "s.parquet", "--evidence")
    _, err = tricolore("report", "s.parquet", "--examples", "judged.jsonl", "--title", "Ours")
    assert err.strip() == "Report: report.html"
    page = (judged / "report.html").read_text()
    assert "<h1>Ours</h1>" in page
    assert "9 summaries of 3 documents by 3 systems, judged by 2 measures." in page
    assert '"rows":[{"number":1' in page


def test_what_is_missing_is_said(run, scored):
    run("tricolore report scores.jsonl -o without.html")
    assert "The texts are not part of the scores." in (scored / "without.html").read_text()
    run("tricolore report scores.jsonl --examples judged.jsonl -o with.html")
    page = (scored / "with.html").read_text()
    assert "The score file has no evidence" in page
    assert "tricolore score FILE -o SCORES --evidence" in page


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("score judged.jsonl -m coverage,length --cache off", "By coverage"),
        ("check judged.jsonl -m grounding --cache off", "Not checked: negations"),
        ("compare scores.jsonl -m rouge-1 --resamples 99", "paired permutation test"),
        ("meta scores.jsonl --resamples 20", "Measures that agree best with people"),
    ],
)
def test_commands_write_a_report_beside_their_result(run, scored, line, words):
    plain = run(f"tricolore {line}")
    assert run(f"tricolore {line} --report page.html") == plain
    page = (scored / "page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert words in page


def test_score_and_check_compute_the_evidence_of_a_report(run, judged):
    run("tricolore score judged.jsonl -m coverage --report page.html -o scores.jsonl")
    page = (judged / "page.html").read_text()
    assert '"marks":[' in page
    rows = (judged / "scores.jsonl").read_text().splitlines()
    assert "coverage.evidence" not in json.loads(rows[0])  # it was not asked for
    run("tricolore check judged.jsonl --report page.html")
    assert "Green" in (judged / "page.html").read_text()


def test_evidence_is_shown_for_as_many_rows_as_before(run, judged):
    line = "tricolore score judged.jsonl -m coverage --show 2 --cache off"
    assert run(f"{line} --report p.html") == run(line)


def test_few_examples_can_be_asked_for(run, scored):
    run("tricolore report scores.jsonl --examples judged.jsonl --most-examples 3")
    assert "3 of 9 summaries are shown here" in (scored / "report.html").read_text()


@pytest.mark.parametrize(
    ("line", "error", "words"),
    [
        ("report scores.jsonl -o scores.jsonl", WriteError, "is the input"),
        (
            "report scores.jsonl --examples judged.jsonl -o judged.jsonl",
            WriteError,
            "is the input",
        ),
        ("report scores.jsonl -o -", WriteError, "not to standard output"),
        ("report nothing.parquet", ReadError, "nothing.parquet"),
        ("report judged.jsonl", ReadError, "has no scores of a measure"),
        ("score judged.jsonl -m length --report judged.jsonl", WriteError, "is the input"),
        ("score judged.jsonl -m length -o a.jsonl --report a.jsonl", WriteError, "twice"),
        ("compare scores.jsonl --report nowhere/page.html", WriteError, "nowhere"),
        ("meta scores.jsonl --pairs --report page.html", SpecError, "not the tests of pairs"),
    ],
)
def test_what_cannot_be_done_is_an_error(run, scored, line, error, words):
    before = {path: path.read_bytes() for path in scored.iterdir() if path.is_file()}
    with pytest.raises(error, match=words):
        run(f"tricolore {line}")
    after = {path: path.read_bytes() for path in scored.iterdir() if path.is_file()}
    assert after == before
