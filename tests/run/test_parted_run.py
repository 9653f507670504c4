"""A run in parts that goes on where it was."""

import json
import logging

import pytest

from tests.run.test_part_work import work_of
from tricolore.data.manifest import Manifest, RunIdentity, ScoredInput, read_manifest
from tricolore.errors import ReadError, WriteError, WriteFailedError
from tricolore.run.part_engines import PartsHere
from tricolore.run.parted_run import PartedRun, begin_directory, known_manifest

IDENTITY = RunIdentity([ScoredInput("a", 1, "x")], {}, None, {"coverage": {}}, evidence=False)


def run_of(folder, parts_done=0):
    work, parts = work_of(folder)
    manifest = Manifest(IDENTITY, 8, parts)
    run = PartedRun(folder, manifest, work, PartsHere())
    answers = run.run()
    for _ in range(parts_done):
        next(answers)
    answers.close()
    return run


def test_every_part_is_noted_at_once(tmp_path):
    run_of(tmp_path, 1)
    assert list(read_manifest(tmp_path).finished) == [0]
    run_of(tmp_path, 2)
    assert list(read_manifest(tmp_path).finished) == [0, 1]


def test_only_what_is_missing_is_scored(tmp_path, caplog):
    run = run_of(tmp_path, 2)
    before = (tmp_path / "part-00000.parquet").stat().st_mtime_ns
    with caplog.at_level(logging.INFO):
        known = known_manifest(tmp_path, IDENTITY)
    assert "2 of 3 parts are finished already" in caplog.text
    again = PartedRun(tmp_path, known, run.work, PartsHere())
    assert [answer.finished.number for answer in again.run()] == [2]
    assert (again.scored, again.reused) == (4, 0)
    assert known.is_complete
    assert (tmp_path / "part-00000.parquet").stat().st_mtime_ns == before


def test_a_damaged_part_is_missing(tmp_path, caplog):
    run_of(tmp_path, 3)
    (tmp_path / "part-00001.parquet").write_bytes(b"damaged")
    known = known_manifest(tmp_path, IDENTITY)
    assert [part.number for part in known.missing] == [1]
    assert "part-00001.parquet is missing or damaged; it is scored again" in caplog.text


def test_another_run_is_an_error(tmp_path):
    run_of(tmp_path, 1)
    other = RunIdentity([ScoredInput("a", 1, "y")], {}, None, {"coverage": {}}, evidence=False)
    with pytest.raises(ReadError, match="has scores of another run: a has changed"):
        known_manifest(tmp_path, other)
    assert known_manifest(tmp_path / "none", IDENTITY) is None


def test_drafts_of_ended_processes_are_removed(tmp_path):
    (tmp_path / ".part-00002.parquet.123-1.draft").write_bytes(b"half")
    run_of(tmp_path, 1)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_directory_is_made_but_not_one_with_other_files(tmp_path):
    begin_directory(tmp_path / "out")
    begin_directory(tmp_path / "out")
    (tmp_path / "out" / ".hidden").touch()
    begin_directory(tmp_path / "out")
    (tmp_path / "out" / "thesis.txt").touch()
    with pytest.raises(WriteError, match=r"has other files \('thesis.txt'\)"):
        begin_directory(tmp_path / "out")
    (tmp_path / "out" / "manifest.json").write_text(json.dumps({}))
    begin_directory(tmp_path / "out")
    with pytest.raises(WriteFailedError, match="cannot be written"):
        begin_directory(tmp_path / "no" / "out")
