"""Numbers out of range, and other nonsense, for every numeric option of every command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from tests.robustness.commands import COMMANDS, ONLY_REFUSALS, OUTPUTS, lay_out, words_of
from tests.robustness.running import run
from tricolore.cli.app import app

HUGE = (str(10**20), str(2**31), "9" * 5000)
NONSENSE = ("", " ", "nanny", "1,5", "0x10", "½", "--", "1.5.5")
WRONG_TEXTS: dict[str, tuple[str, ...]] = {
    "train --bounds": ("x", "1", "1,2,3", "5,1", "1,1", "nan,5", "1,inf", "1e999,2", ",", "1,x"),
    "perturb --errors-per-summary": ("x", "0", "-1", "1.5", ",", "1,,2", "nan", "9" * 5000),
    "sensitivity --errors-per-summary": ("x", "0", "-1", "1,x", "9" * 5000),
    "study scaling --sizes": ("x", "0", "-1", "1,x", ",", "9" * 5000),
    "study robustness --shares": ("x", "-1", "2", "nan", ",", "0.5,x"),
    "study annotators --values": ("x", "a=", "=1", "a=x", "a=nan", "a=1,a=2"),
    "study annotators --weights": ("x", "1=", "=1", "1=x", "1=-1", "1=nan"),
}
"""Options that take numbers as text, and what they must reject."""


def leaves(found: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, command in getattr(found, "commands", {}).items():
        yield from leaves(command, (*path, name))
    if not hasattr(found, "commands"):
        yield " ".join(path), found


FOUND = dict(leaves(get_command(app)))


def numeric() -> Iterator[tuple[str, Any, bool]]:
    """Each numeric option with its command, and whether it takes whole numbers."""
    for command, made in FOUND.items():
        for option in made.params:
            written = str(option.type_descriptor.annotation)
            if option.param_type_name == "option" and ("int" in written or "float" in written):
                yield command, option, "int" in written


def wrong(option: Any, is_whole: bool) -> Iterator[str]:
    """What an option must reject in every command."""
    yield from ("x", "1.5" if is_whole else "1.5x")
    if option.min is not None:
        yield str(option.min - 1)
    if option.max is not None:
        yield str(option.max + 1)


REJECTED = [
    (command, option.opts[-1], value)
    for command, option, is_whole in numeric()
    for value in wrong(option, is_whole)
]
EACH_ONCE = {option.opts[-1]: command for command, option, _ in numeric()}
REJECTED += [(command, name, value) for name, command in EACH_ONCE.items() for value in NONSENSE]
EXTREME = [
    (command, option.opts[-1], value)
    for command, option, _ in numeric()
    if command not in ONLY_REFUSALS
    for value in (*HUGE, *([str(option.min)] if option.min is not None else []))
]
PATHS: dict[str, str] = {
    "5000 letters": "x" * 5000,
    "300 letters and an ending": "x" * 300 + ".jsonl",
    "a directory that is not there": "no/such/place.jsonl",
    "a file as a directory": "judged.jsonl/x.jsonl",
    "the directory itself": ".",
    "an ending only": ".jsonl",
    "an unknown ending": "x.docx",
    "a blank": " ",
    "a control character": "\x1b[31mx.jsonl",
    "markup": "[/x][red].jsonl",
    "bytes that are not UTF-8": "\udcff.jsonl",
    "a process that is not there": "/proc/999999999/fd/3",
    "memory": "/proc/self/mem",
}
PLACES: dict[str, str] = {
    "the input of score": "score {} -m length",
    "the output of score": "score judged.jsonl -m length -o {}",
    "the cache of score": "score judged.jsonl -m length --cache {}",
    "the input of compare": "compare {}",
    "the output of compare": "compare scores.jsonl --resamples 20 -o {}",
    "the output of meta": "meta scores.jsonl --resamples 20 -o {}",
    "the output of train": f"{COMMANDS['train'].removesuffix('model')}{{}}",
    "the output of corpus": "corpus judged.jsonl -o {}",
    "the output of perturb": "perturb judged.jsonl --kind truncation -o {}",
    "the plot of sweep": f"{COMMANDS['sweep']} --plot {{}}",
    "the input of data get": "data get summeval -o out.jsonl --from {}",
    "a directory of a mix": "score judged.jsonl -m mix:directory={}",
    "a corpus": "score judged.jsonl -m importance:corpus={}",
}
"""Where a path can be given."""
TEXTS = [(*name.rsplit(" ", 1), value) for name, values in WRONG_TEXTS.items() for value in values]


def test_every_command_is_tried() -> None:
    assert COMMANDS.keys() == FOUND.keys()
    assert {option for _, option, _ in REJECTED} >= {"--jobs", "--seed", "--limit", "--alpha"}


def given(folder: Path, command: str, option: str, value: str) -> int:
    lay_out(folder)
    words = [*words_of(command), f"{option}={value}"]
    return run(folder, *words, outputs=OUTPUTS).code


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in ONLY_REFUSALS])
def test_the_sound_run_of_a_command(command: str, tmp_path: Path) -> None:
    lay_out(tmp_path)
    expected = 2 if command == "data get" else 0  # which needs the published file
    done = run(tmp_path, *words_of(command), outputs=OUTPUTS)
    assert done.code == expected, done.err


@pytest.mark.parametrize(("command", "option", "value"), REJECTED)
def test_a_number_that_is_none(command: str, option: str, value: str, tmp_path: Path) -> None:
    assert given(tmp_path, command, option, value) == 2


@pytest.mark.parametrize(("command", "option", "value"), EXTREME)
def test_the_ends_of_a_range(command: str, option: str, value: str, tmp_path: Path) -> None:
    assert given(tmp_path, command, option, value) in (0, 2)


@pytest.mark.parametrize(("command", "option", "value"), TEXTS)
def test_numbers_in_a_text(command: str, option: str, value: str, tmp_path: Path) -> None:
    assert given(tmp_path, command, option, value) == 2


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", PATHS)
def test_an_odd_path(place: str, name: str, tmp_path: Path) -> None:
    lay_out(tmp_path)
    path = PATHS[name]
    words = [word.replace("{}", path) for word in PLACES[place].split()]
    made = (path, f"{path}.meta.json", f"{path}/card.json", f"{path}/model.safetensors")
    run(tmp_path, *words, outputs=(*made, *OUTPUTS, f"{path}/scores.sqlite", "scores.sqlite"))
