"""`tricolore judge-pairs`, and `tricolore score` with a judge."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.models.chat_server import Answer, chat_server, reply
from tricolore.cli.app import app
from tricolore.cli.judge_pairs import EXAMPLES

REPO = Path(__file__).parents[2]


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-a-test")
    (tmp_path / "examples").symlink_to(REPO / "examples")
    return tmp_path


def run(line: str, code: int = 0) -> str:
    done = CliRunner().invoke(app, shlex.split(line), catch_exceptions=False)
    assert done.exit_code == code, done.output
    assert "sk-secret" not in done.output
    return " ".join(done.output.split())


def either(body: dict[str, Any]) -> Answer:
    return reply("A" if "Which summary" in body["messages"][1]["content"] else "4")


def test_the_examples_work(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with chat_server(either) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        lines = [line for line in EXAMPLES.splitlines() if line]
        said = [run(line.removeprefix("tricolore ")) for line in lines]
    assert len(said) == 2
    assert all("the order matters to this judge" in words for words in said)
    assert "input tokens" in said[0]


def test_a_file_and_a_problem(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "judge-pairs examples/judged.jsonl --judge judge:model=m,retries=0 --strict"
    with chat_server(either) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        run(f"{line} --systems lead,rewrite -o pairs.json")
        [row] = json.loads((there / "pairs.json").read_text())
        assert row["win rate"] == {"value": 0.5, "low": 0.5, "high": 0.5}
        server.answers = [reply("neither")]
        assert "the reply is not A, B or C alone" in run(f"{line} --cache off", code=1)


def test_scores_with_a_limit(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "score examples/judged.jsonl -m judge:model=m,concurrency=1,input_price=1000000"
    with chat_server(either) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        words = run(f"{line} --max-cost 1500 -o scores.jsonl")
        assert "with a problem; the first: the cost limit of 1500 is reached" in words
        assert "input tokens" in words
        assert "cost " in words
        sent = len(server.bodies)
        assert 0 < sent < 12
        words = run(line)
        assert f"{sent} scores from the cache, {12 - sent} computed." in words
        assert f"{12 - sent} requests" in words
    rows = [json.loads(text) for text in (there / "scores.jsonl").read_text().splitlines()]
    assert len(rows) == 12
    assert sum(row["status"] == "ok" for row in rows) == sent
