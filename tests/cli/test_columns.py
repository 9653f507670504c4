"""What a command says of the columns it reads, and files in other encodings and from pipes."""

import json
import subprocess
import sys

import pytest

from tricolore.cli.app import app

XSUM = [
    {"document": f"The cat {n} sat on the mat.", "summary": "A cat sat.", "generated": f"Cat {n}."}
    for n in range(4)
]
JUDGED = [
    {"text": f"The cat {n} sat.", "prediction": f"Cat {n} sat.", "gold": "A cat.", "model": m}
    | {"human": {"q": n + len(m)}, "annotations": {"q": [n, n + 1, 3 - n]}}
    for n in range(4)
    for m in ("a", "bb")
]


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_the_line_and_the_warnings_go_to_standard_error(tricolore, tmp_path):
    write(tmp_path / "x.jsonl", XSUM)
    out, err = tricolore("score", "x.jsonl", "-m", "coverage", "-o", "-")
    assert [json.loads(line)["row"] for line in out.splitlines()] == [1, 2, 3, 4]
    assert err.splitlines()[:3] == [
        "read: source=document, summary=generated, references=summary",
        "several columns could be the summary: 'generated', 'summary'; 'generated' is read; "
        "choose with --summary COLUMN",
        "'summary' is read as the reference; choose with --references COLUMN",
    ]
    _, err = tricolore("score", "x.jsonl", "-m", "coverage", "-o", "-", "--summary", "summary")
    assert err.splitlines()[0] == "read: source=document, summary=summary"
    assert "could be" not in err


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("score", "x.jsonl", "-m", "importance"),
        ("perturb", "x.jsonl", "--kind", "truncation", "-o", "y.jsonl"),
        ("sensitivity", "x.jsonl", "-m", "coverage", "--kind", "truncation"),
        ("sweep", "x.jsonl", "-m", "chrf:beta=1..2", "--resamples", "10"),
        ("corpus", "x.jsonl", "-o", "y.corpus"),
        ("study", "annotators", "x.jsonl", "--human", "q", "-m", "coverage"),
        ("study", "robustness", "x.jsonl", "-m", "chrf", "--human", "q", "--resamples", "10"),
        ("train", "mix", "x.jsonl", "--of", "coverage", "--human", "q", "-o", "d")
        + ("--bounds", "0,9", "--folds", "2"),
    ],
)
def test_every_command_says_once_which_columns_it_reads(tricolore, tmp_path, command):
    write(tmp_path / "x.jsonl", JUDGED)
    _, err = tricolore(*command)
    line = "read: source=text, summary=prediction, references=gold, system=model\n"
    assert err.count("read: ") == 1
    assert line in err


@pytest.mark.slow
def test_a_spreadsheet_of_windows(tricolore, tmp_path):
    lines = ["Article Text ;Summary;System", *(f"Das Café {n} ist zu.;Café {n}.;A" for n in "123")]
    (tmp_path / "x.csv").write_bytes("\r\n".join(lines).encode("cp1252"))
    words = ("score", "x.csv", "-m", "coverage", "--source", "Article Text", "-o", "-")
    _, err = tricolore(*words, check=2)
    assert "tricolore: x.csv is not UTF-8: the row that ends in line 2" in err
    assert "--encoding cp1252" in err
    out, _ = tricolore(*words, "--encoding", "cp1252")
    assert [json.loads(line)["coverage"] for line in out.splitlines()] == [1, 1, 1]
    _, err = tricolore(*words, "--encoding", "cp9999", check=2)
    assert "there is no encoding 'cp9999'" in err


def test_encoding_is_an_option_wherever_examples_are_read():
    [study] = [group.typer_instance for group in app.registered_groups if group.name == "study"]
    calls = [c.callback for c in (*app.registered_commands, *study.registered_commands)]
    reading = [call for call in calls if "doc_id" in call.__annotations__]
    assert reading == [call for call in calls if "encoding" in call.__annotations__]
    assert len(reading) == 11


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["score {} -m importance -o -", "study annotators {} --human q -m importance"]
)
def test_a_process_substitution_is_read_as_often_as_needed(tmp_path, command):
    write(tmp_path / "x.jsonl", JUDGED)
    words = f"{sys.executable} -m tricolore " + command.format("<(cat x.jsonl)") + " --cache off"
    done = subprocess.run(["bash", "-c", words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_nested_column_by_path(tricolore, tmp_path):
    write(tmp_path / "x.jsonl", [{"input": {"article": "A cat sat."}, "output": "A cat."}])
    out, err = tricolore(
        "score", "x.jsonl", "-m", "coverage", "-o", "-", "--source", "input.article"
    )
    assert "read: source=input.article, summary=output\n" in err
    assert json.loads(out)["coverage"] == 1


@pytest.mark.slow
def test_a_table_that_cannot_be_written_leaves_the_old_one(tricolore, tmp_path):
    write(tmp_path / "x.jsonl", JUDGED)
    tricolore("score", "x.jsonl", "-m", "coverage", "-o", "y.jsonl")
    tricolore("compare", "y.jsonl", "-o", "t.md")
    assert "coverage" in (tmp_path / "t.md").read_text()
    _, err = tricolore("compare", "y.jsonl", "-o", "no/t.md", check=2)
    assert "no/t.md cannot be written" in err
    assert "-o" in err
