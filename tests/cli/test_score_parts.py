"""`tricolore score` with several inputs and a directory as the output."""

import json

import pytest
from typer.testing import CliRunner

from tests.parts import write_rows
from tricolore.cli.app import app


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "a.jsonl", 6)
    write_rows(tmp_path / "b.jsonl", 4)
    return tmp_path


def run(*words):
    done = CliRunner().invoke(app, [*words, "--cache", "off"])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.mark.parametrize("inputs", [["a.jsonl", "b.jsonl"], ["*.jsonl"]])
def test_several_inputs_in_parts(folder, inputs):
    done = run("score", *inputs, "-m", "coverage", "-o", "out/", "--part-rows", "4")
    assert done.exit_code == 0, done.output
    assert "3 parts finished." in done.output
    assert "Scores: out/" in done.output
    manifest = json.loads((folder / "out" / "manifest.json").read_text())
    assert [each["rows"] for each in manifest["inputs"]] == [6, 4]
    again = run("score", *inputs, "-m", "coverage", "-o", "out")
    assert "3 parts finished, 3 of them by an earlier run." in again.output
    table = run("compare", "out", "--format", "csv").output
    assert run("score", *inputs, "-m", "coverage", "-o", "whole.parquet").exit_code == 0
    assert run("compare", "whole.parquet", "--format", "csv").output == table


def test_several_inputs_in_one_file(folder):
    done = run("score", "a.jsonl", "b.jsonl", "-m", "coverage", "-o", "out.jsonl")
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert [row["row"] for row in rows] == list(range(1, 11))
    assert [row["doc_id"] for row in rows[5:7]] == ["d2", "d0"]


@pytest.mark.parametrize("command", ["score", "check", "sweep", "sensitivity", "train"])
def test_every_command_that_scores_shows_its_progress(command):
    done = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"})
    assert "--progress" in done.output


def test_an_unknown_way_to_show_progress(folder):
    done = CliRunner().invoke(app, ["score", "a.jsonl", "-m", "coverage", "--progress", "x"])
    assert done.exit_code == 2
