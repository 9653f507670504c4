"""Where tables go, and in which form."""

import csv
import io
import os
import shutil
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("form", "begins"), [("markdown", "### relevance"), ("latex", "% relevance"), ("csv", "human,")]
)
def test_forms(tricolore, scores, form, begins):
    out, _ = tricolore("meta", scores, "--human", "relevance", "--format", form)
    assert out.startswith(begins)


def test_output_file_by_its_ending(tricolore, scores, tmp_path):
    out, _ = tricolore("meta", scores, "--human", "relevance", "-o", "table.csv")
    assert out == ""
    rows = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text())))
    assert rows[0]["measure"] == "rouge-1"
    tricolore("compare", scores, "-o", "table.md")
    assert (tmp_path / "table.md").read_text().startswith("| system |")


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("meta scores.jsonl --statistics all --resamples 10 --format json -o", "table.md"),
        ("study complementarity scores.jsonl -o other.md --plot", "plot.svg"),
        ("score examples.jsonl -m coverage --evidence --cache off -o", "rows.parquet"),
    ],
)
def test_a_disk_that_gets_full_leaves_the_old_file(scores, examples_file, command, output):
    """`ulimit` is the disk: no file may be longer than a kilobyte."""
    folder = scores.parent
    (folder / output).write_text("old")
    shutil.copy(examples_file, folder / "examples.jsonl")
    before = {*os.listdir(folder), "other.md"}
    line = f"ulimit -f 1; exec {sys.executable} -m tricolore {command} {output}"
    done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"tricolore: {output} cannot be written: File too large; name another")
    assert (folder / output).read_text() == "old"
    assert set(os.listdir(folder)) <= before


def test_what_cannot_be_written_is_said_before_anything_is_computed(run, scores):
    """`nowhere.jsonl` does not exist, and nobody has looked."""
    for line, words in [
        ("tricolore meta nowhere.jsonl -o x.docx", "names no known format"),
        ("tricolore sweep nowhere.jsonl -m chrf --human a -o x.docx", "names no known format"),
        ("tricolore study ranges nowhere.jsonl --plot x.gif", "which figures are kept in"),
        ("tricolore study ranges nowhere.jsonl -o no/x.csv", "there is no directory no"),
        ("tricolore compare nowhere.jsonl --format csv -o .", "it is a directory"),
        ("tricolore compare nowhere.jsonl --format csv -o /", "it is the root directory"),
        (f"tricolore compare nowhere.jsonl -o {'x' * 300}.csv", "File name too long"),
        ("tricolore perturb scores.jsonl -o x.csv", "does not end in .jsonl"),
        ("tricolore sensitivity few.jsonl -m chrf --plot scores.jsonl", "not a directory"),
        ("tricolore data get summeval --from nowhere -o x.csv", "does not end in .jsonl"),
    ]:
        assert words in run(line, exit_code=1)
