"""No command writes over what it reads, whichever option names it."""

import json
import os

import pytest
import typer

from tricolore.cli.app import app
from tricolore.cli.command import Command
from tricolore.errors import WriteError

NAMES_NO_FILES = {
    "COLUMN",
    "HOST:PORT",
    "NAMES",
    "ITEMS",
    "NUMBERS",
    "TEXT",
    "LOW,HIGH",
    "LABEL=N,…",
    "VALUE=WEIGHT,…",
    None,
}
"""What options with text show as their value where it never names a file."""
FILES = ("FILE", "SCORES", "PATH", "FILE|DIR")
"""What options and arguments show as their value where it is the path of a file."""
PROGRAM = typer.main.get_command(app)


def commands(group=PROGRAM, before=()):
    """All commands with the words that call them."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*before, name))
        else:
            yield (*before, name), command


ALL = dict(commands())
WRITING = {words: command for words, command in ALL.items() if command.outputs()}


def test_every_command_is_guarded():
    assert len(ALL) > 15
    assert all(isinstance(command, Command) for command in ALL.values())
    outputs = {" ".join(words) for words in WRITING}
    assert {"score", "train", "corpus", "data get", "study scaling"} <= outputs
    without = {"data list", "measures", "explain", "serve"}
    without |= {"cache info", "cache prune", "cache clear"}
    assert {" ".join(words) for words in ALL} - outputs == without


def readable(command):
    """The parameters by which a command may be told what to read."""
    return [
        each
        for each in command.params
        if each.type_descriptor.annotation in (str, str | None, list[str])
        and each not in command.outputs()
        and each.metavar not in NAMES_NO_FILES
    ]


def call(words, command, given):
    """A whole command line: the given values, and something for all else that is required."""
    line = list(words)
    for each in command.params:
        required = "summeval" if words == ("data", "get") else "length"
        value = given.get(each.name, required if each.required else None)
        if value is not None:
            line += [value] if each.param_type_name == "argument" else [each.opts[0], value]
    return line


CASES = [
    (words, output.name, each.name)
    for words, command in WRITING.items()
    for output in command.outputs()
    for each in readable(command)
    if (words, each.name) != (("data", "get"), "name")
]


def attempt(words, given, match):
    with pytest.raises(WriteError) as error:
        PROGRAM.main(call(words, ALL[words], given), standalone_mode=False)
    assert match in str(error.value)
    return error.value


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(os.environ, "XDG_CACHE_HOME", str(tmp_path / "user"))
    return tmp_path


@pytest.mark.parametrize(("words", "output", "name"), CASES)
def test_a_command_refuses_to_write_its_input(there, words, output, name):
    [parameter] = [each for each in ALL[words].params if each.name == name]
    (there / "cache").mkdir()
    file = there / ("cache/scores.sqlite" if name == "cache" else "in.jsonl.svg.csv")
    file.write_text("precious")
    os.symlink(file, there / "link.jsonl")
    os.link(file, there / "hard.csv")
    relative = os.path.relpath(file)
    value = {
        "cache": "cache",
        "set_": f"model={relative}",
    }.get(name, relative if parameter.metavar in FILES else f"x:y={relative}")
    value = [value] if parameter.multiple else value
    for target in (str(file), "link.jsonl", "hard.csv", f"./{relative}"):
        given = {name: value[0] if isinstance(value, list) else value, output: target}
        error = attempt(words, given, "is the input")
        assert error.argument == output
    assert file.read_text() == "precious"
    assert sorted(os.listdir(there)) == sorted(
        ["cache", "hard.csv", "link.jsonl", *([] if name == "cache" else [file.name])]
    )


@pytest.mark.parametrize("words", WRITING)
def test_a_command_writes_nothing_into_a_directory_that_it_reads(there, words):
    """A model, for instance; and a setting of a trained mix may name another directory."""
    (there / "model").mkdir()
    (there / "mix").mkdir()
    settings = {"of": "mix:directory=model"}
    (there / "mix" / "card.json").write_text(json.dumps({"settings": settings}))
    for each in readable(ALL[words]):
        if each.metavar not in ("SPECS", "SPEC", "ESTIMATOR"):
            continue
        for spec, output in [
            ("estime:model=model", "model/x.csv"),
            ("0.5*length+estime:model=model", "./model/y/../x.csv"),
            ("estime:layer=1|2,model=mix|model", "model/x.csv"),
            ("mix:directory=mix", "model/x.csv"),
        ]:
            attempt(words, {each.name: spec, "output": output}, "lies in ")
    assert os.listdir(there / "model") == []


@pytest.mark.parametrize(
    "words", [words for words, command in WRITING.items() if len(command.outputs()) > 1]
)
def test_two_outputs_are_not_the_same_file(there, words):
    os.symlink("x.svg", "link.svg")
    [other] = [each.name for each in ALL[words].outputs() if each.name != "output"]
    for path in ("x.svg", "./x.svg", "link.svg"):
        given = {"output": "x.svg", other: path, "format": "json"}
        attempt(words, given, f"{path} would be written twice")
    assert os.listdir(there) == ["link.svg"]


def test_what_was_written_beside_an_input_is_an_input(there):
    for name in ("s.jsonl", "s.jsonl.meta.json"):
        (there / name).write_text("precious")
    attempt(("meta",), {"scores": "s.jsonl", "output": "s.jsonl.meta.json"}, "is the input")
    attempt(("score",), {"files": "s.jsonl.meta.json", "output": "s.jsonl"}, "is the input")
    assert (there / "s.jsonl.meta.json").read_text() == "precious"


def test_figures_in_a_directory_do_not_replace_an_input(there):
    (there / "figures").mkdir()
    file = there / "figures" / "negation-swap-auc.svg"
    file.write_text('{"source": "It is late.", "summary": "It is late."}')
    given = {"file": str(file), "measures": "coverage", "plot": "figures", "input_format": "jsonl"}
    attempt(("sensitivity",), given, "is the input")
