"""The examples that `--help` shows do work."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from tricolore.cli.app import app

REPO = Path(__file__).parents[2]


def commands(found: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """All commands with their names, also those of groups."""
    for name, command in getattr(found, "commands", {}).items():
        yield from commands(command, (*path, name))
    if not hasattr(found, "commands"):
        yield " ".join(path), found


EXAMPLES = {
    name: [line for line in (command.epilog or "").splitlines() if line.startswith("tricolore ")]
    for name, command in commands(get_command(app))
}
WITH_EXAMPLES = [name for name, lines in EXAMPLES.items() if lines]
ELSEWHERE = ("judge-pairs", "serve")
"""Commands that need a server or are one; `test_judge_pairs.py` and `test_serve.py` run their
examples."""


def test_every_command_has_one() -> None:
    assert set(EXAMPLES) == set(WITH_EXAMPLES)


@pytest.mark.parametrize("name", [name for name in WITH_EXAMPLES if name not in ELSEWHERE])
def test_examples_work(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All examples of a command, one after the other: what one writes the next may read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "examples").symlink_to(REPO / "examples")
    published = [
        json.loads(line) for line in (REPO / "examples" / "judged.jsonl").read_text().splitlines()
    ]
    (tmp_path / "summeval.jsonl").write_text("\n".join(map(json.dumps, map(_summeval, published))))
    assert any(f"tricolore {name}" in line for line in EXAMPLES[name])
    for line in EXAMPLES[name]:
        done = CliRunner().invoke(app, shlex.split(line)[1:], catch_exceptions=False)
        assert done.exit_code == 0, f"{line}\n{done.output}"


def _summeval(row: dict[str, Any]) -> dict[str, Any]:
    """A row as SummEval was published."""
    scores = {name: round(row["human"][name]) for name in row["human"]}
    qualities = dict.fromkeys(("coherence", "consistency", "fluency", "relevance"), 3) | scores
    return {
        "id": row["doc_id"],
        "decoded": row["summary"],
        "text": row["source"] if isinstance(row["source"], str) else row["source"][0],
        "references": row["references"],
        "model_id": row["system"],
        "expert_annotations": [qualities] * 3,
        "turker_annotations": [qualities] * 5,
    }


def test_help_is_shown_with_its_examples(tricolore: Any) -> None:
    out, _ = tricolore("score", "--help")
    assert "tricolore score examples/summaries.jsonl -m rouge,importance" in out
    assert "[default: (source, document, article, text" in out
    assert "<bool>" not in out.replace("--help", "").split("Show this message")[1]
