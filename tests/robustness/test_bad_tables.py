"""Broken and odd tables of scores: `compare`, `meta` and studies answer, or say why not."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.robustness.bad_texts import TEXTS
from tests.robustness.commands import lay_out, score_rows, words_of
from tests.robustness.running import run

READERS = ("compare", "meta", "study mixes", "study ranges")
Rows = list[dict[str, Any]]


def _each(**changes: Any) -> Callable[[Rows], Rows]:
    """Other values in all rows; a function is given the number of the row."""

    def change(rows: Rows) -> Rows:
        made = {name: v if callable(v) else (lambda _, v=v: v) for name, v in changes.items()}
        return [
            {**row, **{name: value(at) for name, value in made.items()}}
            for at, row in enumerate(rows)
        ]

    return change


def _without(*names: str) -> Callable[[Rows], Rows]:
    return lambda rows: [{k: v for k, v in row.items() if k not in names} for row in rows]


def _only_once(row: int, **changes: Any) -> Callable[[Rows], Rows]:
    return lambda rows: [{**r, **(changes if at == row else {})} for at, r in enumerate(rows)]


CHANGES: dict[str, Callable[[Rows], Rows]] = {
    "no change": lambda rows: rows,
    "one row": lambda rows: rows[:1],
    "two rows": lambda rows: rows[:2],
    "one system": lambda rows: [row for row in rows if row["system"] == "best"],
    "one document": lambda rows: [row for row in rows if row["doc_id"] == "d0"],
    "no document id": _without("doc_id"),
    "no system": _without("system"),
    "no document id and no system": _without("doc_id", "system"),
    "no status and no row": _without("status", "row", "problem", "flags"),
    "no measures": _without("rouge-1", "rouge-1.recall", "length", "coverage"),
    "no human scores": _without("human.quality"),
    "all values are null": _each(**{"rouge-1": None}),
    "all values are NaN": _each(**{"rouge-1": math.nan}),
    "all values are the same": _each(**{"rouge-1": 0.5}),
    "all values are infinite": _each(**{"rouge-1": math.inf}),
    "one value is infinite": _only_once(1, **{"rouge-1": math.inf}),
    "one value is null": _only_once(1, **{"rouge-1": None}),
    "one value is a text": _only_once(1, **{"rouge-1": "x"}),
    "one value is a list": _only_once(1, **{"rouge-1": [1]}),
    "one value is an object": _only_once(1, **{"rouge-1": {"a": 1}}),
    "one value is true": _only_once(1, **{"rouge-1": True}),
    "one value has 400 digits": _only_once(1, **{"rouge-1": 10**400}),
    "one value is 1e308": _only_once(1, **{"rouge-1": 1e308}),
    "values of both extremes": _each(**{"rouge-1": lambda at: 1.7e308 * (-1) ** at}),
    "tiny values": _each(**{"rouge-1": lambda at: 5e-324 * at}),
    "values that are texts of numbers": _each(**{"rouge-1": lambda at: f" {at}.5 "}),
    "values with a decimal comma": _each(**{"rouge-1": lambda at: f"{at},5"}),
    "human scores that are null": _each(**{"human.quality": None}),
    "human scores that are all the same": _each(**{"human.quality": 3}),
    "human scores that are infinite": _each(**{"human.quality": math.inf}),
    "human scores that are texts": _each(**{"human.quality": "good"}),
    "a human score of 400 digits": _only_once(1, **{"human.quality": 10**400}),
    "a human score of 1e308": _only_once(1, **{"human.quality": 1e308}),
    "a human score without a name": _each(**{"human.": 3}),
    "rows twice": lambda rows: [*rows, *rows],
    "a system with no values": lambda rows: [
        {**row, "rouge-1": None} if row["system"] == "poor" else row for row in rows
    ],
    "a system on other documents": lambda rows: [
        {**row, "doc_id": f"x{row['doc_id']}"} if row["system"] == "poor" else row for row in rows
    ],
    "a system for each row": _each(system=lambda at: f"s{at}"),
    "a document for each row": _each(doc_id=lambda at: f"d{at}"),
    "systems that are numbers": _each(system=lambda at: at % 3),
    "systems that are lists": _each(system=lambda at: [at % 3]),
    "systems that are null": _each(system=None),
    "documents that are objects": _each(doc_id=lambda at: {"a": at // 3}),
    "all rows are empty": _each(status="empty", **{"rouge-1": None}),
    "all rows are unreadable": _each(status="unreadable", **{"rouge-1": None}),
    "an unknown status": _each(status="magic"),
    "a status that is a list": _each(status=[]),
    "a measure named like a column": _each(**{"human": 3, "": 2}),
    "an unknown measure": _each(magic=lambda at: at),
    "a measure with a formula for a name": _each(**{"=1+1": lambda at: at}),
    "50 measures": _each(**{f"m{n}": lambda at, n=n: at * n % 7 for n in range(50)}),
}

FILES: dict[str, tuple[str, bytes]] = {
    "empty": ("scores.jsonl", b""),
    "blank lines": ("scores.jsonl", b"\n\n"),
    "not JSON": ("scores.jsonl", b"{"),
    "no objects": ("scores.jsonl", b"1\n2\n"),
    "empty objects": ("scores.jsonl", b"{}\n{}\n"),
    "not UTF-8": ("scores.jsonl", b'{"system": "\xff"}\n' * 5),
    "5000 digits": ("scores.jsonl", b'{"system": "a", "length": ' + b"9" * 5000 + b"}\n"),
    "a deep line": ("scores.jsonl", b'{"system": ' + b"[" * 100_000 + b"}\n"),
    "an empty CSV": ("scores.csv", b""),
    "a header": ("scores.csv", b"doc_id,system,length\n"),
    "ragged rows": ("scores.csv", b"doc_id,system,length\na,b\na,b,1,2\n"),
    "a column twice": ("scores.csv", b"doc_id,system,length,length\na,b,1,2\na,c,2,1\n"),
    "an empty Parquet": ("scores.parquet", b""),
    "half a Parquet": ("scores.parquet", b"PAR1" + bytes(50)),
    "an unknown ending": ("scores.xlsx", b"PK\x03\x04"),
    "no ending": ("scores", b"{}"),
}
REJECTED = set(FILES)

ABOUT: dict[str, str] = {
    "empty": "",
    "not JSON": "{",
    "a list": "[]",
    "null": "null",
    "brackets": "[" * 100_000,
    "5000 digits": '{"bounds": ' + "9" * 5000 + "}",
    "signatures that are null": '{"signatures": null}',
    "signatures that are a list": '{"signatures": ["rouge-1"]}',
    "a signature that is a number": '{"signatures": {"rouge-1": 3}}',
    "signatures of others": '{"signatures": {"magic": {}}}',
    "directions that are null": '{"directions": null}',
    "directions that are a list": '{"directions": []}',
    "a direction that does not exist": '{"directions": {"rouge-1": "sideways"}}',
    "a direction that is a number": '{"directions": {"rouge-1": 3}}',
    "bounds that are null": '{"bounds": null}',
    "bounds that are a list": '{"bounds": []}',
    "bounds that are numbers": '{"bounds": {"rouge-1": 3}}',
    "bounds of one number": '{"bounds": {"rouge-1": [3]}}',
    "bounds of texts": '{"bounds": {"rouge-1": ["a", "b"]}}',
    "bounds in the wrong order": '{"bounds": {"rouge-1": [1, 0]}}',
    "bounds that are NaN": '{"bounds": {"rouge-1": [NaN, NaN]}}',
    "bounds of 400 digits": '{"bounds": {"rouge-1": [0, %s]}}' % ("9" * 400),
}
"""The file beside a table of scores, with signatures, directions and bounds."""
NAMES = ("a high surrogate", "a window title", "a line break", "a bidi override", "markup of rich")
NAMES += ("a formula", "LaTeX", "HTML", "pipes", "10,000 accents", "a NUL", "quotes and commas")
FORMS = ("table", "markdown", "latex", "csv", "json", "html")


def write(folder: Path, rows: Rows) -> None:
    lay_out(folder)
    (folder / "scores.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("name", CHANGES)
def test_an_odd_table(command: str, name: str, tmp_path: Path) -> None:
    write(tmp_path, CHANGES[name](score_rows()))
    done = run(tmp_path, *words_of(command))
    if name == "no change":
        assert done.code == 0
    if done.code == 0:
        assert done.out.strip()


@pytest.mark.parametrize("command", READERS[:2])
@pytest.mark.parametrize("name", FILES)
def test_a_broken_file(command: str, name: str, tmp_path: Path) -> None:
    path, content = FILES[name]
    (tmp_path / path).write_bytes(content)
    done = run(tmp_path, command, path)
    assert done.code == 2, done.out


@pytest.mark.parametrize("command", READERS[:2])
@pytest.mark.parametrize("name", ABOUT)
def test_a_broken_file_beside_the_table(command: str, name: str, tmp_path: Path) -> None:
    lay_out(tmp_path)
    (tmp_path / "scores.jsonl.meta.json").write_text(ABOUT[name])
    run(tmp_path, *words_of(command))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_an_odd_name_in_every_format(name: str, form: str, tmp_path: Path) -> None:
    rename = {"best": TEXTS[name], "good": "good", "poor": "poor"}
    write(tmp_path, [{**row, "system": rename[row["system"]]} for row in score_rows()])
    words = (*words_of("compare"), "--pairs", "--format", form)
    assert run(tmp_path, *words, is_for_people=form == "table").code == 0


@pytest.mark.parametrize("name", NAMES)
def test_an_odd_quality_in_a_plot(name: str, tmp_path: Path) -> None:
    rows = [{**row, f"human.{TEXTS[name]}": row["human.quality"]} for row in score_rows()]
    rows = [{**row, "system": f"{row['system']} {TEXTS[name]}"} for row in rows]
    write(tmp_path, rows)
    words = (*words_of("study ranges"), "-m", "rouge-1", "--plot", "out.svg")
    assert run(tmp_path, *words, outputs=("out.svg",)).code == 0
