import json
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tricolore.api.evaluate import evaluate
from tricolore.cli.app import app

REPO = Path(__file__).parents[2]


@pytest.fixture
def judged(tmp_path):
    """The examples of the repository, with two references and five annotators each."""
    rows = [json.loads(line) for line in (REPO / "examples/judged.jsonl").read_text().splitlines()]
    for at, row in enumerate(rows):
        marks = [row["human"]["coherence"] + (7 * at + 3 * who) % 5 / 2 for who in range(5)]
        row["annotations"] = {"overall": marks}
        row["references"].append(" ".join(row["source"].split()[at : at + 12]))
    path = tmp_path / "judged.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def evaluation(judged):
    return evaluate(judged, "rouge,chrf,importance,fragments,novelty,length,redundancy")


@pytest.fixture
def scores(tmp_path, evaluation):
    path = tmp_path / "scores.parquet"
    evaluation.save(path)
    return path


@pytest.fixture
def command(tmp_path, monkeypatch):
    """What a command prints as JSON, read back."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run(line):
        done = CliRunner().invoke(app, [*shlex.split(line), "--format", "json"])
        assert done.exit_code == 0, (line, done.output, done.exception)
        return json.loads(done.stdout)

    return run


def close(found, wanted):
    """Rows of two tables: the same words, and numbers that differ by rounding only."""
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys()
        for key, value in wanted.items():
            close(found[key], value)
    elif isinstance(wanted, list):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            close(one, other)
    elif isinstance(wanted, float):
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    else:
        assert found == wanted


@pytest.fixture
def same():
    return close


@pytest.fixture
def same_as_command(command, tmp_path):
    """Check that a study from Python and the command give the same table, and draw its figure."""

    def check(words, call, file, *others):
        study = call(file)
        name, _, options = words.partition(" ")
        assert json.loads(json.dumps(study.to_json())) == command(f"study {name} {file} {options}")
        for other in others:
            close(call(other).to_json(), study.to_json())
        assert study.table.html() in study._repr_html_()
        for ending in ("svg", "png"):
            study.save_figure(tmp_path / f"figure.{ending}")
        assert (tmp_path / "figure.svg").read_text().startswith("<?xml")
        assert (tmp_path / "figure.png").read_bytes()[1:4] == b"PNG"
        return study

    return check


@pytest.fixture
def rows(judged):
    """The judged examples as dictionaries."""
    return [json.loads(row) for row in judged.read_text().splitlines()]
