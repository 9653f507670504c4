"""Standard output that fails: one line on stderr, and nothing lost."""

import json
import os
import shlex
import subprocess
import sys

import pytest

ROW = '{"source": "A cat sat.", "summary": "A café sat 🐈", "system": "é↑🐈"}\n'


@pytest.fixture
def shell(tmp_path):
    (tmp_path / "in.jsonl").write_text(ROW * 300)

    def run(line, **environment):
        line = line.replace("tricolore ", f"{shlex.quote(sys.executable)} -m tricolore ")
        env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), **environment}
        env.pop("PYTHONUTF8", None)
        done = subprocess.run(
            ["bash", "-c", line], cwd=tmp_path, capture_output=True, env=env, timeout=100
        )
        err = done.stderr.decode(environment.get("PYTHONIOENCODING", "utf-8"))
        assert "Traceback" not in err, err
        assert "Exception ignored" not in err, err
        return done.stdout, err, done.returncode

    return run


SCORE = "tricolore score in.jsonl -m length --cache off"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"{SCORE} -o - > /dev/full", "No space left on device"),
        (f"{SCORE} -o out.csv >&-", "it is closed"),
        ("tricolore measures > /dev/full", "No space left on device"),
    ],
)
def test_standard_output_that_cannot_be_written(shell, tmp_path, line, words):
    _, err, code = shell(line)
    assert code == 1
    assert err.splitlines()[-1] == f"tricolore: standard output cannot be written: {words}"
    if "out.csv" in line:
        lines = (tmp_path / "out.csv").read_text().splitlines()
        assert len(lines) == 301, "what goes to a file is complete"


@pytest.mark.parametrize("line", [f"{SCORE} -o -", "tricolore measures"])
def test_a_reader_that_has_gone(shell, line):
    out, err, _ = shell(f"{{ {line}; echo $? >code; }} | true; cat code")
    assert out == b"141\n"
    assert "tricolore:" not in err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_an_encoding_without_our_characters(shell, encoding):
    out, _, code = shell(f"{SCORE} -o - --limit 2", PYTHONIOENCODING=encoding)
    assert code == 0
    rows = [json.loads(line) for line in out.decode(encoding).splitlines()]
    assert [row["system"] for row in rows] == ["é↑🐈"] * 2
    out, _, code = shell(f"{SCORE} --show 1", PYTHONIOENCODING=encoding, LC_ALL="C")
    assert code == 0
    assert b"\\U0001f408" in out


def test_a_closed_stderr_is_nobodys_file(shell, tmp_path):
    _, _, code = shell(f"{SCORE} -o out.jsonl 2>&-")
    assert code == 0
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 300
    _, _, code = shell(f"{SCORE} -o nowhere/out.jsonl 2>&-")
    assert code == 2
