import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tricolore.data.metadata import read_metadata
from tricolore.errors import ReadError

GOOD = {"signatures": {"a": {}}, "directions": {"a": "lower"}, "bounds": {"a": [0, None]}}


def test_beside_a_file_and_inside_a_parquet_file(tmp_path):
    (tmp_path / "x.csv.meta.json").write_text(json.dumps(GOOD))
    schema = pa.schema([("a", pa.int64())], metadata={"tricolore": json.dumps(GOOD)})
    pq.write_table(pa.table({"a": [1]}, schema=schema), tmp_path / "x.parquet")
    assert read_metadata(str(tmp_path / "x.csv")) == GOOD
    assert read_metadata(str(tmp_path / "x.parquet")) == GOOD
    assert read_metadata(str(tmp_path / "none.csv")) == {}


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[1]", '"a"', "\xff", "[" * 100_000, "1" * 5000),
        *('{"signatures": []}', '{"signatures": {"a": 1}}', '{"directions": {"a": "up"}}'),
        *('{"directions": {"a": []}}', '{"bounds": {"a": 1}}', '{"bounds": {"a": [1]}}'),
        *('{"bounds": {"a": [1, "2"]}}', '{"bounds": null}'),
    ],
)
def test_what_is_no_metadata(tmp_path, text):
    (tmp_path / "x.csv.meta.json").write_text(text, encoding="latin1")
    with pytest.raises(ReadError, match=r"x.csv.meta.json cannot be read as the metadata of"):
        read_metadata(str(tmp_path / "x.csv"))
    schema = pa.schema([("a", pa.int64())], metadata={"tricolore": text.encode("latin1")})
    pq.write_table(pa.table({"a": [1]}, schema=schema), tmp_path / "x.parquet")
    with pytest.raises(ReadError, match=r"the metadata in .*x.parquet cannot be read"):
        read_metadata(str(tmp_path / "x.parquet"))


def test_a_file_that_is_not_parquet(tmp_path):
    (tmp_path / "x.parquet").write_bytes(b"PAR1 not really PAR1")
    with pytest.raises(ReadError):
        read_metadata(str(tmp_path / "x.parquet"))
