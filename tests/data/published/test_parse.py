"""Published files that are not what they should be."""

import gzip

import pytest

from tricolore.data.published.parse import field, only_file, rows_of
from tricolore.errors import ReadError


def test_a_list_plain_and_gzipped(tmp_path):
    (tmp_path / "x.json").write_text('[{"a": 1}]')
    (tmp_path / "x.json.gz").write_bytes(gzip.compress(b'[{"a": 1}]'))
    for name in ("x.json", "x.json.gz"):
        assert list(rows_of(tmp_path / name)) == [{"a": 1}]


@pytest.mark.parametrize("text", ["{", "[1]", '[{"a": 1}, 2]', '[{"a": 1}'])
def test_what_is_no_list_of_objects(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(ReadError, match="JSON"):
        list(rows_of(tmp_path / "x.json"))
    with pytest.raises(ReadError, match="cannot be read"):
        list(rows_of(tmp_path / "none.json"))


def test_a_field_that_is_there_twice(tmp_path):
    (tmp_path / "x.csv").write_text("a,b,a\n1,2,3\n")
    [row] = rows_of(tmp_path / "x.csv")
    assert field(row, "b", tmp_path) == "2"
    with pytest.raises(ReadError, match="'a' is given more than once"):
        field(row, "a", tmp_path)


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
