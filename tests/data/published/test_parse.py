"""Published files that are not what they should be."""

import gzip

import pytest

from tricolore.data.published.parse import field, json_list, only_file, rows_of
from tricolore.errors import ReadError


def test_a_list_plain_and_gzipped(tmp_path):
    (tmp_path / "x.json").write_text('[{"a": 1}]')
    (tmp_path / "x.json.gz").write_bytes(gzip.compress(b'[{"a": 1}]'))
    assert json_list(tmp_path / "x.json") == json_list(tmp_path / "x.json.gz") == [{"a": 1}]


@pytest.mark.parametrize(
    ("text", "problem"),
    [("{", "is not JSON"), ("{}", "not a JSON list of objects"), ("[1]", "not a JSON list of")],
)
def test_what_is_no_list_of_objects(tmp_path, text, problem):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(ReadError, match=problem):
        json_list(tmp_path / "x.json")
    with pytest.raises(ReadError, match="cannot be read"):
        json_list(tmp_path / "none.json")


def test_a_row_that_cannot_be_read_is_an_error(tmp_path):
    (tmp_path / "x.jsonl").write_text('{"a": 1}\n{oops\n')
    with pytest.raises(ReadError, match="line 2 is not JSON"):
        list(rows_of(tmp_path / "x.jsonl"))


def test_a_field_and_a_file_by_name(tmp_path):
    assert field({"a": 1}, "a", tmp_path) == 1
    with pytest.raises(ReadError, match=r"has no 'b' in a row \(it has a\); take the newer file"):
        field({"a": 1}, "b", tmp_path, "take the newer file")
    assert only_file(tmp_path, "x.csv") == tmp_path / "x.csv"
    assert only_file(tmp_path / "mine.csv", "x.csv") == tmp_path / "mine.csv"
