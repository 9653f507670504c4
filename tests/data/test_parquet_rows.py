import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tricolore.data.parquet_rows import arrow_rows, parquet_rows
from tricolore.data.unusable import NOT_UTF_8, REPEATED, UnusableFileError, UnusableValue


def not_utf_8():
    raw = pa.array([b"ok", b"\xff\xfe"], pa.binary())
    return pa.Array.from_buffers(pa.string(), 2, raw.buffers())


def test_values_that_python_cannot_hold():
    far = pa.array([0, 10**15], pa.timestamp("s"))
    first, second = arrow_rows(pa.RecordBatch.from_arrays([far, not_utf_8()], ["when", "text"]))
    assert (first["when"].year, first["text"], second["text"]) == (1970, "ok", NOT_UTF_8)
    assert str(second["when"]).startswith("a value that cannot be read (")


def test_a_column_that_is_given_twice_is_unusable():
    batch = pa.RecordBatch.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"])
    assert list(arrow_rows(batch)) == [{"a": REPEATED}]


def test_rows_without_columns():
    assert list(arrow_rows(pa.RecordBatch.from_pylist([{"a": 1}] * 3).select([]))) == [{}] * 3


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["x", None], pa.large_string()),
        pa.array(["x", None]).dictionary_encode(),
        pa.array(["x", None], pa.string_view()),
    ],
)
def test_all_kinds_of_text(tmp_path, column):
    pq.write_table(pa.table({"a": column}), tmp_path / "x.parquet")
    assert list(parquet_rows(str(tmp_path / "x.parquet"))) == [{"a": "x"}, {"a": None}]


def test_only_some_columns(tmp_path):
    row = {"a": 1, "c": {"d": 3, "e": 4}, "ab": 5, "human.q": 6}
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "x")
    assert list(parquet_rows(str(tmp_path / "x"))) == [row]
    del row["ab"]
    assert list(parquet_rows(str(tmp_path / "x"), {"a", "c.d", "human.q", "none"})) == [row]
    assert list(parquet_rows(str(tmp_path / "x"), ())) == [{}]


def damaged(tmp_path, column):
    """A file of which all bytes of one column are wrong."""
    path = tmp_path / f"{column}.parquet"
    table = pa.table({"a": ["x" * 50] * 3, "b": ["y" * 50] * 3})
    pq.write_table(table, path, compression="snappy", use_dictionary=False)
    place = pq.ParquetFile(path).metadata.row_group(0).column("ab".index(column))
    content = bytearray(path.read_bytes())
    for at in range(place.data_page_offset, place.data_page_offset + place.total_compressed_size):
        content[at] ^= 0x5A
    path.write_bytes(content)
    return str(path)


def test_a_damaged_column_matters_only_if_it_is_used(tmp_path):
    path = damaged(tmp_path, "b")
    for row in parquet_rows(path):
        assert row["a"] == "x" * 50
        assert isinstance(row["b"], UnusableValue)
    assert list(parquet_rows(path, {"a"})) == [{"a": "x" * 50}] * 3
    with pytest.raises(UnusableFileError, match="cannot be read as Parquet"):
        list(parquet_rows(path, {"b"}))


@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"PAR1" * 3, b"PAR1\xff\xff\xff\x7fPAR1", b"PAR1\0\0\0\0PARE"]
)
def test_what_is_not_parquet(tmp_path, content):
    (tmp_path / "x.parquet").write_bytes(content)
    with pytest.raises(UnusableFileError, match="cannot be read as Parquet") as error:
        list(parquet_rows(str(tmp_path / "x.parquet")))
    assert "\n" not in str(error.value)
