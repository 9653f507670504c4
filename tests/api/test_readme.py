"""The README's commands, typed and called from Python, give the same results."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import tricolore
from tricolore.cli.app import app
from tricolore.data.score_table import ScoreTable

REPO = Path(__file__).parents[2]
JUDGED = "examples/judged.jsonl"
SECTION = (REPO / "README.md").read_text().split("## Compare systems")[1].split("\n## ")[0]
COMMANDS = [
    shlex.split(line, comments=True)[1:]
    for line in re.findall(r"^tricolore .*$", SECTION, re.MULTILINE)
]


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Any]]:
    """Run the README's command of a name in one directory; with further options if asked."""
    folder = tmp_path_factory.mktemp("readme")
    (folder / "examples").symlink_to(REPO / "examples")
    patch = pytest.MonkeyPatch()
    patch.chdir(folder)
    patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))

    def run(name: str, *more: str) -> str:
        [command] = [words for words in COMMANDS if words[0] == name]
        done = CliRunner().invoke(app, [*command, *more], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    yield run
    patch.undo()


def option(name: str, *options: str) -> str:
    """What the README's command gives to an option."""
    [command] = [words for words in COMMANDS if words[0] == name]
    [at] = [place for place, word in enumerate(command) if word in options]
    return command[at + 1]


def test_all_commands_are_known() -> None:
    names = [command[0] for command in COMMANDS]
    assert names == "score compare meta study sweep train perturb sensitivity atlas".split()


def test_score(typed: Callable[..., str]) -> None:
    typed("score")
    written = ScoreTable.read("scores.parquet")
    result = tricolore.evaluate(JUDGED, option("score", "-m"))
    assert result.table.values.keys() == written.values.keys()
    for column, values in result.table.values.items():
        assert values.tolist() == written.values[column].tolist()
    assert result.table.human.keys() == written.human.keys()


def test_sweep(typed: Callable[..., str]) -> None:
    shown = json.loads(typed("sweep", "--format", "json"))
    human = option("sweep", "--human")
    result = tricolore.sweep(JUDGED, option("sweep", "-m"), human, cache="user")
    assert json.loads(result.table.json()) == shown
    assert len(shown) == 3


def test_train(typed: Callable[..., str]) -> None:
    typed("train")
    report = tricolore.train(
        JUDGED,
        "mix",
        option("train", "--human"),
        "mine",
        of=option("train", "--of"),
        folds=int(option("train", "--folds")),
        cache="user",
    )
    for name in ("card.json", "model.safetensors"):
        assert Path("mine", name).read_bytes() == Path("model", name).read_bytes()
    assert report.trained.card.data["rows"] == 12


def test_perturb(typed: Callable[..., str]) -> None:
    typed("perturb")
    rows = [json.loads(line) for line in Path("damaged.jsonl").read_text().splitlines()]
    made = tricolore.perturb(JUDGED, option("perturb", "--kind"))
    assert json.loads(json.dumps(made.rows)) == rows
    assert len(rows) == made.tally.damaged > 0


def test_sensitivity(typed: Callable[..., str]) -> None:
    shown = json.loads(typed("sensitivity", "--format", "json"))
    measures, kinds = option("sensitivity", "-m"), option("sensitivity", "--kind")
    result = tricolore.sensitivity(JUDGED, measures, kinds, cache="user")
    assert json.loads(result.table.json()) == shown
    assert len(shown) == 6  # two measures, 1 to 3 errors
