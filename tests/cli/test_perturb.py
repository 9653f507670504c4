import json

import pytest
from typer.testing import CliRunner

from tricolore.cli.app import app


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.slow
def test_subtle_errors_twice_the_same_bytes(examples_file, tmp_path):
    """In this process, so that the model is loaded once; batches of 1 and of all."""
    for name, batch in (("a", "1"), ("b", "256")):
        arguments = ["perturb", str(examples_file), "--kind", "subtle-errors", "--seed", "1"]
        arguments += [
            "--errors-per-summary",
            "3",
            "-o",
            str(tmp_path / f"{name}.jsonl"),
            "--batch",
            batch,
        ]
        done = CliRunner().invoke(app, [*arguments, "--keep-clean", "--limit", "5"])
        assert done.exit_code == 0, done.output
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    rows = lines(tmp_path / "a.jsonl")
    assert len(rows) == 10
    for clean, damaged in zip(rows[::2], rows[1::2], strict=True):
        assert damaged["damage"]["clean"] == clean["id"]
        assert (clean["human"]["clean"], damaged["human"]["clean"]) == (1.0, 0.0)
        assert clean["row"] == damaged["row"]
        assert len(damaged["damage"]["edits"]) == 3
        assert damaged["damage"]["model"] == "embedded"


def test_what_was_done_and_what_was_not(tricolore, tmp_path):
    texts = ["It is late. He can go.", "It is late.", "😀", ""]
    rows = [json.dumps({"summary": text}) for text in texts] + ["nonsense"]
    (tmp_path / "x.jsonl").write_text("\n".join(rows))
    arguments = ("perturb", "x.jsonl", "--kind", "negation-swap", "--errors-per-summary", "2")
    out, err = tricolore(*arguments, "-o", "y.jsonl", "--copies", "2")
    assert out == ""
    assert "y.jsonl: 4 damaged summaries, 6 changes" in err
    assert "2 rows with fewer errors than asked for, most often because only 1 of" in err
    assert "5 rows left out, most often because the summary has no verb" in err
    assert [row["damage"]["copy"] for row in lines(tmp_path / "y.jsonl")] == [0, 1, 0, 1]
    stdout, _ = tricolore(*arguments, "-o", "-", "--copies", "2")
    assert stdout == (tmp_path / "y.jsonl").read_text()


def test_several_kinds_in_one_file(tricolore, tmp_path):
    row = {"source": "Anna saw 12 cats. Tom saw 7 dogs.", "summary": "Anna is 12. He was late."}
    (tmp_path / "x.jsonl").write_text(json.dumps(row))
    kinds = "negation-swap,sentence-shuffle,number-swap"
    tricolore("perturb", "x.jsonl", "--kind", kinds, "--errors-per-summary", "1", "-o", "y.jsonl")
    assert [row["damage"]["kind"] for row in lines(tmp_path / "y.jsonl")] == kinds.split(",")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--kind", "subtle-error", "-o", "y.jsonl"), "did you mean 'subtle-errors'?"),
        (("--kind", "truncation", "-o", "y.csv"), "does not end in .jsonl"),
        (("--kind", "truncation", "-o", "x.jsonl"), "x.jsonl is the input"),
        (("--kind", "truncation", "-o", "no/y.jsonl"), "cannot be written"),
        (("--kind", "truncation:pos=noun", "-o", "-"), "truncation has no setting 'pos'"),
        (("--kind", "subtle-errors:pos=nuon", "-o", "-"), "'nuon' is no part of speech"),
        (("--kind", "random-words", "-o", "-"), "has no source column"),
    ],
)
def test_what_a_user_can_mend_is_one_line(tricolore, tmp_path, arguments, words):
    (tmp_path / "x.jsonl").write_text(json.dumps({"summary": "It is late."}))
    _, err = tricolore("perturb", "x.jsonl", *arguments, check=2)
    assert words in err
    assert len([line for line in err.splitlines() if not line.startswith("read: ")]) == 1
