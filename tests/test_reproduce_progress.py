"""`make reproduce` goes on where it was stopped, and says how long the rest takes."""

from pathlib import Path

import pytest

from tools.reproduce.progress import Record, chosen, make_all


def test_a_stopped_run_keeps_what_is_made(tmp_path, capsys):
    path = tmp_path / "out" / "progress.json"
    placed = {}

    def stop():
        raise KeyboardInterrupt

    tables = {"a": lambda: "table a", "b": stop, "c": lambda: "table c"}
    record = Record.read(path)
    record.seconds["b"] = 90.0
    with pytest.raises(KeyboardInterrupt):
        make_all(tables, record, placed.__setitem__)
    assert placed == {"a": "table a"}
    said = capsys.readouterr().err.splitlines()
    assert said[1] == "[2 of 3] b; left: about 2 minutes, and 1 of unknown time"
    again = Record.read(path)
    assert list(again.finished) == ["a"]
    assert again.seconds["b"] == 90.0


def test_times():
    record = Record.read(Path("nowhere"))
    assert record.left(["a"]) == "1 of unknown time"
    assert record.left([]) == "nothing"
    record.seconds["a"] = 30.0
    assert record.left(["a"]) == "about 30 seconds"
    record.finished["a"] = "today"
    assert record.lines(["a", "b"]) == ["a: 30 seconds, finished today", "b: unknown time"]


def test_a_record_that_cannot_be_read_is_a_new_one(tmp_path):
    (tmp_path / "p.json").write_text('{"seconds": 3}')
    assert Record.read(tmp_path / "p.json").finished == {}


def test_parts():
    names = ["estime", "blanc", "blanc-tune"]
    assert chosen([], names) == names
    assert chosen(["blanc*"], names) == ["blanc", "blanc-tune"]
    with pytest.raises(SystemExit, match="no table nothing"):
        chosen(["nothing"], names)
