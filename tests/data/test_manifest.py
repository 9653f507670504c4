"""The manifest of a run in parts."""

import json
from dataclasses import replace

import pytest

from tricolore.data.manifest import (
    FinishedPart,
    Manifest,
    Part,
    RunIdentity,
    ScoredInput,
    digest_of,
    is_parted,
    read_manifest,
)
from tricolore.data.row_positions import RowPosition
from tricolore.errors import ReadError

IDENTITY = RunIdentity(
    [ScoredInput("a.jsonl", 10, "abc", 5)],
    {"roles": {"summary": "summary"}},
    None,
    {"coverage": {"measure": "coverage", "lowercase": True}},
    evidence=False,
    version="1.0",
)
PARTS = [Part(0, 1, 3, RowPosition(0)), Part(1, 4, 2, RowPosition(0, 3, 99, 4))]
FINISHED = FinishedPart(1, "part-00001.parquet", 2, 7, "d", 1, "why", 1, 2, {"odd": 1})


def test_a_manifest_is_read_as_it_was_written(tmp_path):
    manifest = Manifest(IDENTITY, 3, PARTS, {1: FINISHED})
    assert not is_parted(tmp_path)
    manifest.write(tmp_path)
    assert is_parted(tmp_path)
    found = read_manifest(tmp_path)
    assert found == manifest
    assert found.rows == 5
    assert found.missing == PARTS[:1]
    assert not found.is_complete
    assert found.in_order() == [FINISHED]
    plain = json.loads((tmp_path / "manifest.json").read_text())
    assert plain["rows"] == 5
    assert plain["is_complete"] is False
    assert [part["first_row"] for part in plain["parts"]] == [1, 4]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": "1.1"}, "tricolore was 1.0 and is 1.1 now"),
        ({"inputs": [ScoredInput("a.jsonl", 10, "xyz")]}, "a.jsonl has changed"),
        ({"inputs": []}, "there were 1 input files and are 0 now"),
        ({"columns": {}}, "the columns"),
        ({"limit": 3}, "the limit was None and is 3 now"),
        ({"signatures": {"length": {}}}, "the measures were coverage and are length now"),
        (
            {"signatures": {"coverage": {"measure": "coverage", "lowercase": False}}},
            "the signature of coverage is another: lowercase was True and is False now",
        ),
        ({"evidence": True}, "evidence is written now"),
    ],
)
def test_what_differs_is_said(change, words):
    [found] = IDENTITY.differences(replace(IDENTITY, **change))
    assert found.startswith(words)


def test_an_input_may_be_moved():
    moved = replace(IDENTITY, inputs=[ScoredInput("b.jsonl", 10, "abc")])
    assert IDENTITY.differences(moved) == []


def test_a_part_is_verified_by_its_digest(tmp_path):
    path = tmp_path / "part-00001.parquet"
    path.write_bytes(b"1234567")
    part = replace(FINISHED, digest=digest_of(path))
    assert part.is_whole_in(tmp_path)
    path.write_bytes(b"1234568")
    assert not part.is_whole_in(tmp_path)
    path.write_bytes(b"12345678")
    assert not part.is_whole_in(tmp_path)
    path.unlink()
    assert not part.is_whole_in(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": "other"}', "[" * 100_000])
def test_what_is_not_a_manifest(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(ReadError, match=r"manifest\.json"):
        read_manifest(tmp_path)


def test_there_is_no_manifest(tmp_path):
    with pytest.raises(ReadError, match="No such file"):
        read_manifest(tmp_path)
