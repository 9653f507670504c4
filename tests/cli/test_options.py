"""Every option has one name and one meaning in all commands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from tricolore.cli.app import app

SYNONYMS = {
    "--out": "--output",
    "--plots": "--plot",
    "--bootstrap": "--resamples",
    "--draws": "--resamples",
    "--by": "--coefficient or --statistics",
    "--measure": "--measures",
    "--as": "--format",
    "--target": "--human",
    "--per-summary": "--errors-per-summary",
}


def commands(found: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, command in getattr(found, "commands", {}).items():
        yield from commands(command, (*path, name))
    if not hasattr(found, "commands"):
        yield " ".join(path), found


COMMANDS = dict(commands(get_command(app)))


def options(command: Any) -> list[Any]:
    return [parameter for parameter in command.params if parameter.param_type_name == "option"]


def test_all_commands_are_looked_at() -> None:
    assert {"score", "train", "sweep", "data get", "study ranges", "corpus"} <= set(COMMANDS)


def test_one_name_has_one_meaning() -> None:
    meanings: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, command in COMMANDS.items():
        for option in options(command):
            for written in option.opts:
                meanings[written][option.help].append(name)
    assert len(meanings) > 30
    assert {n: dict(helps) for n, helps in meanings.items() if len(helps) > 1} == {}


def test_one_meaning_has_one_name() -> None:
    names: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for command in COMMANDS.values():
        for option in options(command):
            names[option.help].add(tuple(option.opts))
    assert {words: found for words, found in names.items() if len(found) > 1} == {}


def test_no_synonyms() -> None:
    used = {
        (name, written): SYNONYMS[written]
        for name, command in COMMANDS.items()
        for option in options(command)
        for written in option.opts
        if written in SYNONYMS
    }
    assert used == {}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_sentences(name: str) -> None:
    command = COMMANDS[name]
    assert command.help.split("\n\n")[0].rstrip().endswith(".")
    for parameter in command.params:
        assert parameter.help, parameter.name
        assert parameter.help[0].isupper(), parameter.help
        assert parameter.help.rstrip().endswith("."), parameter.help
        assert len(parameter.help.split()) > 2, parameter.help


def test_the_same_defaults() -> None:
    seeds = {n: p.default for n, c in COMMANDS.items() for p in c.params if p.name == "seed"}
    assert {"score", "compare", "train", "study mixes", "perturb"} <= set(seeds)
    assert set(seeds.values()) == {0}
