"""Odd specs: one clear line, or a sound run; and a bad value for every setting of every measure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.robustness.cases import between, line
from tests.robustness.running import run
from tests.robustness.score_rows import check_rows, read_rows
from tricolore.registry import describe, entries
from tricolore.settings import SettingInfo

WRONG: dict[str, str] = {
    "nothing": "",
    "a blank": " ",
    "a comma": ",",
    "commas": ",,,",
    "a colon": ":",
    "an equals sign": "=",
    "an unknown name": "rogue-1",
    "an unknown setting": "rouge-1:stems=true",
    "a setting without a name": "rouge-1:=true",
    "a setting without an equals sign": "rouge-1:stem",
    "a setting without a value": "rouge-1:stem=",
    "two equals signs": "rouge-1:stem==true",
    "a setting twice": "rouge-1:stem=true,stem=false",
    "a setting of nobody": "stem=true",
    "an open bracket": "rouge-1+(coverage",
    "a closed bracket": "rouge-1)",
    "empty brackets": "()",
    "5000 open brackets": "(" * 5000,
    "5000 closed brackets": ")" * 5000,
    "5000 pairs of brackets": "(" * 5000 + "rouge-1" + ")" * 5000,
    "3000 sums": "sum:" * 3000 + "rouge-1",
    "300 averages in averages": "avg:(" * 300 + "rouge-1" + ")" * 300,
    "3000 signs": "+" * 3000,
    "a sign at the end": "rouge-1+",
    "a sum of nothing": "sum:",
    "an average of nothing": "avg:",
    "a group in a sum": "rouge+coverage",
    "an infinite weight": "1e999*rouge-1",
    "a weight of 400 digits": "9" * 400 + "*rouge-1",
    "a weight that is no number": "nan*rouge-1",
    "a weight of letters": "x*rouge-1",
    "a weight without a measure": "2*",
    "an unknown scaling": "rouge-1+coverage,scaling=odd",
    "a mix without a directory": "mix",
    "a mix of a file that is not there": "mix:directory=nowhere",
    "a mix of a file": "mix:directory=in.jsonl",
    "a mix of the root": "mix:directory=/",
    "a mix of a device": "mix:directory=/dev/null",
    "a mix of a long path": "mix:directory=" + "x" * 5000,
    "a mix of a path with NUL": "mix:directory=a\0b",
    "a mix of a surrogate": "mix:directory=\udcff",
    "a corpus that is not there": "importance:corpus=nowhere",
    "a corpus that is no corpus": "importance:corpus=in.jsonl",
    "a corpus that is a directory": "importance:corpus=.",
    "a corpus that is a device": "importance:corpus=/dev/null",
    "a range": "chrf:beta=1..3",
    "choices": "rouge-1:stem=true|false",
    "a path": "../../etc/passwd",
    "a module": "os:system",
    "a line break": "rouge-1\nrouge-x",
    "a NUL": "rouge-1\0",
    "a control character": "\x1b[31mrouge-1",
    "a surrogate": "\udcff",
    "markup": "[red]rouge-1[/red]",
    "emoji": "🐈",
    "Cyrillic letters": "rоuge-1",
    "full-width letters": "ｒouge-1",
    "100,000 letters": "x" * 100_000,
    "a JSON object": '{"measure": "rouge-1"}',
    "a format string": "%s{0}",
    "an option": "--help",
}
"""Specs that must be rejected."""

ODD: dict[str, str] = {
    "a setting that the name fixes": "rouge-1:variant=2",
    "a tokenizer that is not there": "importance:tokenizer=gpt2,tokenizer_file=nowhere",
    "a tokenizer that is no tokenizer": "importance:tokenizer=gpt2,tokenizer_file=in.jsonl",
    "a tokenizer file that is not used": "importance:tokenizer_file=nowhere",
    "the same measure twice": "coverage,coverage",
    "a comma at the end": "coverage,",
    "blanks everywhere": " coverage , length ",
    "capitals": "COVERAGE",
    "a weight of 0": "0*coverage+length",
    "a tiny weight": "1e-300*coverage",
    "a huge weight": "1e300*coverage+1e300*length",
    "a difference": "coverage-coverage",
    "200 measures in a sum": "+".join(["coverage"] * 200),
    "200 measures": ",".join(f"redundancy:n={n}" for n in range(1, 200)),
    "n-grams longer than any text": "redundancy:n=1000000",
    "ROUGE of the thesis": "rouge-w-stem-stop-p",
}
"""Specs that may be rejected or not; each row has a value or a problem if not."""

_NUMERIC = ("whole number", "number")


def _settings() -> Iterator[tuple[str, SettingInfo]]:
    for name in sorted(entries()):
        if name.startswith("rouge-") and name not in ("rouge-1", "rouge-w"):
            continue  # the same settings
        for setting in describe(name).settings:
            yield name, setting


ILL_TYPED = [
    f"{name}:{setting.name}={value}"
    for name, setting in _settings()
    if setting.type in ("choice", "true or false", *_NUMERIC)
    for value in ("odd", "", "\u0661x", "1e999" if setting.type in _NUMERIC else "3.25")
]
OUT_OF_RANGE = [
    f"{name}:{setting.name}={value}"
    for name, setting in _settings()
    if setting.type in _NUMERIC and describe(name).extra == ""
    for value in ("-1", "0", "nan", "9" * 30, "1e308")
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in.jsonl").write_bytes(between(line(system="other")))
    return tmp_path


def score(folder: Path, spec: str) -> bool:
    """Whether the spec is accepted; if it is, each row has a value or a problem."""
    outputs = ("out.jsonl", "out.jsonl.meta.json")
    options = ("--cache", "off", "--offline", "-o", "out.jsonl")
    done = run(folder, "score", "in.jsonl", f"--measures={spec}", *options, outputs=outputs)
    if done.code == 0:
        rows = read_rows(folder / "out.jsonl")
        about = json.loads((folder / "out.jsonl.meta.json").read_text())
        check_rows(rows, 3, tuple(about["signatures"]))
    return done.code == 0


@pytest.mark.parametrize("spec", WRONG.values(), ids=WRONG)
def test_a_spec_that_is_wrong(spec: str, folder: Path) -> None:
    assert not score(folder, spec)


@pytest.mark.parametrize("spec", ODD.values(), ids=ODD)
def test_a_spec_that_is_odd(spec: str, folder: Path) -> None:
    score(folder, spec)


@pytest.mark.parametrize("spec", ILL_TYPED)
def test_a_setting_of_another_type(spec: str, folder: Path) -> None:
    assert not score(folder, spec)


@pytest.mark.parametrize("spec", OUT_OF_RANGE)
def test_a_setting_at_its_limits(spec: str, folder: Path) -> None:
    score(folder, spec)
