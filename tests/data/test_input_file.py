import gzip
import json
import logging
import os
import sys
import threading
import time

import pytest

from tricolore import evaluate
from tricolore.data.frames import examples_from
from tricolore.data.input_file import InputFile
from tricolore.data.records import Records
from tricolore.data.results import read_results
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError

ROW = '{"source": "a b c", "summary": "a b"}\n'


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("", "the path of the input is empty"),
        ("a\0b.jsonl", "cannot be the path of a file: embedded null byte"),
        ("x" * 5000 + ".jsonl", "File name too long"),
        (".", "it is a directory"),
        ("none.jsonl", "No such file"),
    ],
)
def test_paths_that_cannot_be_read(path, words):
    with pytest.raises(ReadError, match=words):
        InputFile(path)


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    for twice in (False, True):
        with pytest.raises(ReadError, match="standard input is closed"):
            list(Records("-", twice=twice))


@pytest.mark.slow
def test_a_pipe_that_nobody_writes_to(tmp_path, caplog):
    os.mkfifo(tmp_path / "pipe")

    def write():
        while "waiting for" not in caplog.text:
            time.sleep(0.05)
        (tmp_path / "pipe").write_text(ROW)

    writer = threading.Thread(target=write)
    writer.start()
    assert len(list(Records(str(tmp_path / "pipe")))) == 1
    writer.join()
    assert "pipe: nothing has been written to it yet" in caplog.text


def test_a_pipe_that_is_gzipped(tmp_path):
    path = tmp_path / "pipe.jsonl.gz"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=[gzip.compress(ROW.encode())])
    writer.start()
    assert len(list(Records(str(path)))) == 1
    writer.join()


def test_no_room_for_the_copy_of_a_stream(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=[ROW])
    writer.start()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with pytest.raises(ReadError, match="pipe cannot be copied to a temporary file: No such"):
        Records(str(tmp_path / "pipe"), twice=True)
    writer.join()


def append(path):
    with open(path, "a") as out:
        out.write(ROW)


def overwrite(path):
    """Other bytes, as many as before."""
    later = os.stat(path).st_mtime_ns + 1_000_000
    with open(path, "r+") as out:
        out.write(ROW.replace("a b c", "x y z"))
    os.utime(path, ns=(later, later))


def replace(path):
    """Another file with the same bytes and times."""
    old = os.stat(path)
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    os.utime(other, ns=(old.st_atime_ns, old.st_mtime_ns))
    other.rename(path)


def remove(path):
    path.unlink()


CHANGES = [append, overwrite, replace, remove]


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_between_two_passes(tmp_path, change):
    path = tmp_path / "x.jsonl"
    path.write_text(ROW * 3)
    rows = examples_from(path)
    assert len(list(rows)) == len(list(rows)) == 3
    change(path)
    with pytest.raises(ReadError, match=r"x.jsonl changed while it was read; read it when"):
        list(rows)


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_during_the_last_pass(tmp_path, caplog, change):
    path = tmp_path / "x.jsonl"
    path.write_text(ROW * 600)

    def progress(done, total):
        if done == 1:
            change(path)

    found = evaluate(path, "coverage", progress=progress)
    assert f"{path} changed while it was read." in found.summary.notes
    [warning] = [r for r in caplog.records if r.levelno == logging.WARNING]
    assert warning.getMessage() == f"{path} changed while it was read"
    unchanged = tmp_path / "y.jsonl"
    unchanged.write_text(ROW)
    assert len(evaluate(unchanged, "coverage").summary.notes) == 1


def test_a_file_that_is_cut_short_while_it_is_read(tmp_path):
    path = tmp_path / "x.jsonl.gz"
    lines = [json.dumps({"source": os.urandom(500).hex(), "summary": "a"}) for _ in range(1000)]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    rows = iter(Records(str(path)))
    next(rows)
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(ReadError, match="changed while it was read"):
        list(rows)


def test_parquet_and_scores_that_change(tmp_path):
    examples = [{"source": "a b", "summary": "a", "doc_id": "1"}] * 300
    for name in ("x.parquet", "s.jsonl"):
        path = tmp_path / name
        evaluate(examples, "coverage", output=path)
        assert len(ScoreTable.read(path)) == 300
        for rows in (Records(str(path)).complete(), read_results(str(path), examples)):
            next(rows)
            os.utime(path, ns=(1, os.stat(path).st_mtime_ns + 1))
            with pytest.raises(ReadError, match="changed while it was read"):
                list(rows)


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz", "x.csv"])
def test_two_passes_at_once(tmp_path, name):
    content = b"a\n" + b"1\n" * 50_000 if name == "x.csv" else b'{"a": 1}\n' * 50_000
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    records = Records(str(tmp_path / name))
    slow = iter(records)
    next(slow)
    assert len(list(records)) == 50_000
    assert len(list(slow)) == 49_999
