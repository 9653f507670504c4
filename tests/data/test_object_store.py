"""Inputs in an object store: a server on loopback, asked by the S3 client of pyarrow."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.s3_server import serve_s3
from tricolore import evaluate
from tricolore.data.object_store import has_pattern, is_stored, matching_addresses, open_stored
from tricolore.data.record_files import expanded_paths
from tricolore.data.records import Records
from tricolore.errors import ReadError

ROWS = [
    {"doc_id": f"d{at // 2}", "source": "A cat sat on a mat.", "summary": f"A cat sat {at} times."}
    for at in range(12)
]


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "reader")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a-secret")
    bucket = tmp_path / "store" / "bucket"
    (bucket / "data" / "more").mkdir(parents=True)
    lines = ["".join(json.dumps(row) + "\n" for row in ROWS[at : at + 6]) for at in (0, 6)]
    (bucket / "data" / "a.jsonl").write_text(lines[0])
    (bucket / "data" / "b.jsonl.gz").write_bytes(gzip.compress(lines[1].encode()))
    (bucket / "data" / "more" / "c.csv").write_text("source,summary\nA cat.,A dog.\n")
    pq.write_table(pa.Table.from_pylist(ROWS), bucket / "rows.parquet", row_group_size=4)
    with serve_s3(tmp_path / "store") as server:
        yield server


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("s3://bucket/a.jsonl", True),
        ("gs://bucket/a", True),
        ("a.jsonl", False),
        ("C:/a.jsonl", False),
        ("file:///a.jsonl", False),
        ("-", False),
        ("", False),
    ],
)
def test_an_address_is_told_from_a_path(path, expected):
    assert is_stored(path) is expected


def test_settings_of_an_address_are_no_pattern():
    assert not has_pattern("s3://bucket/a.jsonl?region=x")
    assert has_pattern("s3://bucket/*.jsonl?region=x")


def test_rows_are_those_of_the_file(store):
    for path in ("bucket/data/a.jsonl", "bucket/data/b.jsonl.gz", "bucket/rows.parquet"):
        here = list(Records(str(store.folder / path)))
        assert list(Records(store.address(path))) == here, path
    assert len(here) == 12


def test_a_stream_is_read_from_any_place(store):
    content = (store.folder / "bucket/rows.parquet").read_bytes()
    with open_stored(store.address("bucket/rows.parquet")) as stream:
        stream.seek(100)
        assert stream.read(50) == content[100:150]
        assert stream.tell() == 150
        stream.seek(-8, 2)
        assert stream.read() == content[-8:]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("data/*.jsonl*", ["data/a.jsonl", "data/b.jsonl.gz"]),
        ("data/*", ["data/a.jsonl", "data/b.jsonl.gz"]),
        ("**/*.csv", ["data/more/c.csv"]),
        ("data/[ac].jsonl", ["data/a.jsonl"]),
        ("data/**/*.jsonl", ["data/a.jsonl"]),
    ],
)
def test_patterns(store, pattern, names):
    expected = [store.address(f"bucket/{name}") for name in names]
    assert matching_addresses(store.address(f"bucket/{pattern}")) == expected
    assert expanded_paths([store.address(f"bucket/{pattern}")]) == expected


def test_a_pattern_without_a_file(store):
    with pytest.raises(ReadError, match="no file matches 's3://bucket/data/x"):
        expanded_paths([store.address("bucket/data/x*.jsonl")])


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("path", ["data/*.jsonl*", "rows.parquet"])
def test_parts_are_the_same_as_those_of_files(store, tmp_path, path, jobs):
    folder = store.folder / "bucket"
    evaluate(str(folder / path), "coverage", output=f"{tmp_path}/here/", part_rows=5)
    address = store.address(f"bucket/{path}")
    evaluate(address, "coverage", output=f"{tmp_path}/stored/", part_rows=5, jobs=jobs)
    here, stored = (sorted((tmp_path / name).glob("*.parquet")) for name in ("here", "stored"))
    assert [each.read_bytes() for each in here] == [each.read_bytes() for each in stored]
    manifest = (tmp_path / "stored" / "manifest.json").read_text()
    assert "endpoint_override" not in manifest, "settings of a store may hold secrets"
    again = evaluate(address, "coverage", output=f"{tmp_path}/stored/", part_rows=5)
    assert again.summary.scored == 0


def test_a_changed_file_is_noticed(store):
    address = store.address("bucket/data/a.jsonl")
    records = Records(address)
    list(records)
    path = store.folder / "bucket/data/a.jsonl"
    path.write_text(path.read_text() + "\n")
    with pytest.raises(ReadError, match="changed while it was read"):
        list(records)


def test_a_missing_file_and_an_unknown_store(store):
    with pytest.raises(ReadError, match=r"^s3://bucket/none.jsonl cannot be read: .* no such file"):
        Records(store.address("bucket/none.jsonl"))
    with pytest.raises(ReadError, match=r"cannot be read: Unrecognized filesystem type"):
        Records("gopher://bucket/a.jsonl")


def test_errors_have_no_secrets(store):
    address = store.address("closed/a.jsonl").replace("s3://", "s3://key:hidden@")
    for path in (address, address.replace("a.jsonl", "*.jsonl")):
        with pytest.raises(ReadError, match=r"s3://closed/") as raised:
            Records(expanded_paths([path])[0])
        assert "hidden" not in str(raised.value)
        assert "endpoint_override" not in str(raised.value)
