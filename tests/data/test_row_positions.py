"""Rows from any position on: the same as from the beginning."""

import csv
import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tricolore.data.record_files import RecordFiles
from tricolore.data.row_positions import RowPosition, RowReader, position_of, row_marks
from tricolore.errors import ReadError

ROWS = [{"doc_id": str(at // 3), "summary": f"café {at} " * (1 + at % 4)} for at in range(250)]
LINES = [json.dumps(row, ensure_ascii=False) for row in ROWS]
ODD = [LINES[0], "", "   ", "{broken", *LINES[1:120], "\t", "[1]", *LINES[120:]]
USED = {"doc_id", "summary"}


def written(folder, kind):
    path = folder / f"rows.{kind}"
    if kind == "jsonl":
        path.write_bytes(b"\xef\xbb\xbf" + "\n".join(ODD).encode())  # without a last line feed
    elif kind == "jsonl.gz":
        path.write_bytes(gzip.compress(("\r\n".join(ODD) + "\r\n").encode()))
    elif kind == "json":
        path.write_text(json.dumps(ROWS))
    elif kind == "csv":
        with path.open("w", newline="") as out:
            writer = csv.DictWriter(out, ["doc_id", "summary"])
            writer.writeheader()
            writer.writerows(ROWS)
    else:
        pq.write_table(pa.Table.from_pylist(ROWS), path, row_group_size=40)
    return str(path)


KINDS = ["jsonl", "jsonl.gz", "json", "csv", "parquet"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("starts", [(0, 1, 2, 99, 100, 101, 239, 249), (249, 7, 130, 0)])
def test_rows_from_any_position(tmp_path, kind, starts):
    files = RecordFiles([written(tmp_path, kind)])
    wanted = list(files)
    marks = list(row_marks(files, USED))
    assert len(marks) == len(wanted)
    reader = RowReader(files, USED)
    for at in starts:
        assert list(reader.rows(marks[at].position, 5)) == wanted[at : at + 5]
    reader.close()


@pytest.mark.parametrize("kind", KINDS)
def test_marks_know_their_rows(tmp_path, kind):
    files = RecordFiles([written(tmp_path, kind)])
    wanted = list(files)
    for mark, record in zip(row_marks(files, USED), wanted, strict=True):
        if isinstance(record, dict):
            assert mark.record() == record
        else:
            assert isinstance(mark.record(), str)


def test_lines_of_json_are_not_parsed_to_be_counted(tmp_path):
    (tmp_path / "bad.jsonl").write_text("{\n" * 3)
    marks = list(row_marks(RecordFiles([str(tmp_path / "bad.jsonl")]), USED))
    assert [mark.position for mark in marks] == [
        RowPosition(0, 0, 0, 1),
        RowPosition(0, 1, 2, 2),
        RowPosition(0, 2, 4, 3),
    ]


def test_a_line_that_is_too_long_is_one_row(tmp_path):
    path = tmp_path / "long.jsonl"
    path.write_text("\n".join([LINES[0], json.dumps({"summary": "x" * 700_000}), LINES[1]]))
    files = RecordFiles([str(path)], max_row_mb=0.1)
    wanted = list(files)
    marks = list(row_marks(files, USED))
    assert [type(row) for row in wanted] == [dict, str, dict]
    reader = RowReader(files, USED)
    for at, mark in enumerate(marks):
        assert list(reader.rows(mark.position, 9)) == wanted[at:]
    reader.close()


def test_rows_go_on_in_the_next_file(tmp_path):
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        folder.mkdir()
    paths = [written(folder, kind) for folder, kind in zip(folders, KINDS[:3], strict=True)]
    files = RecordFiles(paths)
    wanted = list(files)
    marks = list(row_marks(files, USED))
    reader = RowReader(files, USED)
    assert list(reader.rows(marks[245].position, 300)) == wanted[245:545]
    assert list(reader.rows(marks[-2].position, 300)) == wanted[-2:]
    reader.close()


def test_another_encoding_is_read_in_sequence(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes("\n".join(LINES).encode("utf-16"))
    files = RecordFiles([str(path)], encoding="utf-16")
    wanted = list(files)
    marks = list(row_marks(files, USED))
    assert marks[7].position == RowPosition(0, 7)
    assert list(RowReader(files, USED).rows(marks[7].position, 2)) == wanted[7:9]


def test_a_packed_file_that_is_cut_off(tmp_path):
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(LINES).encode())[:-40])
    with pytest.raises(ReadError, match="not a whole gzip file"):
        list(row_marks(RecordFiles([str(path)]), USED))


def test_positions_as_plain_values():
    position = RowPosition(1, 2, 3, 4)
    assert position_of(json.loads(json.dumps(position.to_json()))) == position
