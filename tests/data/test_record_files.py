"""Rows of several files."""

import json

import pytest

from tricolore.data.record_files import RecordFiles, expanded_paths
from tricolore.errors import ReadError


def write(path, *summaries):
    path.write_text("".join(json.dumps({"summary": words}) + "\n" for words in summaries))
    return str(path)


def test_patterns_are_expanded_in_order_of_name(tmp_path):
    two, one = write(tmp_path / "b.jsonl", "2"), write(tmp_path / "a.jsonl", "1")
    assert expanded_paths([f"{tmp_path}/*.jsonl"]) == [one, two]
    assert expanded_paths([two, one]) == [two, one]
    with pytest.raises(ReadError, match="no file matches"):
        expanded_paths([f"{tmp_path}/*.csv"])


def test_a_path_that_exists_is_no_pattern(tmp_path):
    odd = write(tmp_path / "a[1].jsonl", "odd")
    write(tmp_path / "a1.jsonl", "other")
    assert expanded_paths([odd]) == [odd]


def test_rows_come_one_file_after_the_other(tmp_path):
    one = write(tmp_path / "a.jsonl", "1", "2")
    (tmp_path / "b.csv").write_text("summary\n3\n")
    files = RecordFiles([one, str(tmp_path / "b.csv")])
    assert files.name == "2 files"
    assert [row["summary"] for row in files] == ["1", "2", "3"]
    assert [row["summary"] for row in files.rows()] == ["1", "2", "3"]
    assert files.is_repeatable
    assert not files.is_guessed


def test_a_bad_row_says_in_which_file_it_is(tmp_path):
    (tmp_path / "a.jsonl").write_text("{\n")
    (tmp_path / "b.jsonl").write_text("5\n")
    files = RecordFiles([str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")])
    bad = list(files)
    assert bad[0].startswith(f"{tmp_path}/a.jsonl: line 1 is not JSON")
    assert bad[1] == f"{tmp_path}/b.jsonl: line 1 is not a JSON object"
    alone = RecordFiles([str(tmp_path / "b.jsonl")])
    assert list(alone) == ["line 1 is not a JSON object"]


def test_a_file_is_given_once(tmp_path):
    one = write(tmp_path / "a.jsonl", "1")
    with pytest.raises(ReadError, match="more than once"):
        RecordFiles([one, one])
