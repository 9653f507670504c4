import json
import os
import pty
import shlex
import subprocess
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from tricolore import Run
from tricolore.cli.app import app
from tricolore.data.examples import ExampleFile
from tricolore.data.scores import ScoreFile


@pytest.fixture
def tricolore(tmp_path):
    """Run the command as a user does: another process, in a directory of its own."""

    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    env.pop("COLUMNS", None)

    def run(*arguments, stdin=None, check=0, columns="1000"):
        done = subprocess.run(
            [sys.executable, "-m", "tricolore", *map(str, arguments)],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            env=env if columns is None else {**env, "COLUMNS": columns},
        )
        out, err = done.stdout.decode(), done.stderr.decode()
        assert done.returncode == check, f"exit {done.returncode}\n{out}\n{err}"
        assert "Traceback" not in err
        return out, err

    return run


@pytest.fixture
def on_a_terminal(tmp_path):
    """Run the command with both outputs on a terminal, and return what it wrote there."""

    def run(*arguments, check=0, term="xterm"):
        ours, theirs = pty.openpty()
        env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "TERM": term}
        command = [sys.executable, "-m", "tricolore", *arguments]
        with subprocess.Popen(
            command, cwd=tmp_path, stdout=theirs, stderr=theirs, env={**env, "COLUMNS": "200"}
        ) as process:
            os.close(theirs)
            written = b""
            try:
                while some := os.read(ours, 4096):
                    written += some
            except OSError:  # how Linux says that the other end is closed
                pass
            os.close(ours)
        assert process.returncode == check, written.decode()
        return written.decode()

    return run


SOURCE = "One dog ran far. Two cats sat still. Three birds flew off. Four fish swam by."
SUMMARIES = {
    "best": "One dog ran far. Two cats sat still.",
    "good": "Two cats sat still.",
    "poor": "Green ideas sleep.",
}


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(os.environ, "XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(os.environ, "COLUMNS", "200")

    def type_in(line, exit_code=0):
        done = CliRunner().invoke(app, shlex.split(line)[1:])
        if exit_code == 0 and done.exception:
            raise done.exception
        return done.stdout if exit_code == 0 else str(done.exception)

    return type_in


@pytest.fixture
def judged(tmp_path):
    """Three documents × three systems; people rank them best, good, poor every time."""
    rows = [
        {
            "doc_id": f"d{d}",
            "system": system,
            "source": SOURCE.replace("far", f"far {d} miles"),
            "summary": summary,
            "references": ["Two cats sat still. One dog ran far."],
            "human": {"quality": 3 - at + d / 10},
            "annotations": {
                "quality": [{"annotator": who, "score": 3 - at + who % 2} for who in range(4)]
            },
        }
        for d in range(3)
        for at, (system, summary) in enumerate(SUMMARIES.items())
    ]
    (tmp_path / "judged.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


@pytest.fixture
def scored(judged):
    with ExampleFile(str(judged / "judged.jsonl")) as rows:
        run = Run(["rouge-1,chrf,coverage,length"])
        with ScoreFile(str(judged / "scores.jsonl"), run.measures) as out:
            for result in run.score(rows):
                out.add(result.example, result.scores)
    return judged


@pytest.fixture
def scores(tmp_path):
    """Three systems, ten documents; two measures, one of them better when lower."""
    rng = np.random.default_rng(0)
    rows = []
    for doc in range(10):
        for at, system in enumerate(("lead", "rank", "noise")):
            quality = 3 - at + rng.normal() / 2
            rows.append(
                {
                    "row": len(rows) + 1,
                    "doc_id": f"d{doc}",
                    "system": system,
                    "human.relevance": round(quality + rng.normal() / 3, 3),
                    "human.fluency": 4.0,
                    "rouge-1": round(quality / 4, 3),
                    "rouge-1.recall": 0.5,
                    "redundancy": round(1 - quality / 5 + rng.normal() / 3, 3),
                    "problem": None,
                }
            )
    path = tmp_path / "scores.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def few(tmp_path):
    """Four documents, three systems, one of them without a value; a row that is there twice."""
    rows = [
        {
            "doc_id": f"d{doc}",
            "system": system,
            "rouge-1": None if system == "empty" else at + doc / 10,
            "length": 10 * at + doc,
            "human.relevance": at + doc / 5,
        }
        for doc in range(4)
        for at, system in enumerate(("low", "high", "empty"))
    ]
    path = tmp_path / "few.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in [*rows, rows[0]]))
    return path


@pytest.fixture
def half_empty(tmp_path):
    """The summaries of system C are those of A, but every second one is empty."""
    path = tmp_path / "half.jsonl"
    rows = []
    for doc in range(20):
        words = [f"w{doc}x{n}" for n in range(10)]
        for system in "ABC":
            kept = 9 - doc % 2 * 6 if system != "B" else 2  # A's worst are where C has none
            summary = " ".join([*words[:kept], *["new"] * (10 - kept)])
            summary = "" if system == "C" and doc % 2 else summary
            row = {"source": " ".join(words), "summary": summary, "system": system}
            rows.append(json.dumps({**row, "doc_id": str(doc), "human": {"q": kept}}))
    rows.append("{broken")
    path.write_text("\n".join(rows))
    return path
