import gzip
import io
import json
import os
import threading

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tricolore.data.records import Records
from tricolore.errors import ReadError


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def test_json_lines_plain_and_gzipped(tmp_path):
    lines = '{"a": 1}\n\n{"a": "ü"}\n'
    plain = write(tmp_path / "x.jsonl", lines)
    packed = write(tmp_path / "x.jsonl.gz", gzip.compress(lines.encode()))
    assert list(Records(plain)) == list(Records(packed)) == [{"a": 1}, {"a": "ü"}]


def test_bad_lines_stay_in_their_place(tmp_path):
    content = b'{"a": 1}\nnot json\n[1, 2]\n"text"\n{"a": "\xff"}\n{"a": "b\x00c"}\n'
    rows = list(Records(write(tmp_path / "x.jsonl", content)))
    assert rows[0] == {"a": 1}
    assert rows[1].startswith("line 2 is not JSON")
    assert rows[2] == "line 3 is not a JSON object"
    assert rows[3] == "line 4 is not a JSON object"
    assert rows[4] == "line 5 is not UTF-8 (byte 0xff at 7)"
    assert rows[5] == {"a": "b\x00c"}


def test_json_nested_deeper_than_python_goes(tmp_path):
    content = "[" * 200_000 + "\n" + '{"a": 1}\n'
    rows = list(Records(write(tmp_path / "x.jsonl", content)))
    assert rows == ["line 1 is nested too deeply", {"a": 1}]


def test_a_byte_order_mark_is_not_text(tmp_path):
    assert list(Records(write(tmp_path / "x.jsonl", b'\xef\xbb\xbf{"a": 1}\n'))) == [{"a": 1}]
    assert list(Records(write(tmp_path / "x.csv", b"\xef\xbb\xbfa\n1\n"))) == [{"a": "1"}]


def test_csv_and_tsv(tmp_path):
    comma = write(tmp_path / "x.csv", 'a,b\n"one, two","line\nbreak"\n')
    tab = write(tmp_path / "x.tsv", 'a\tb\n"one, two"\t"line\nbreak"\n')
    semicolon = write(tmp_path / "y.csv", 'a;b\n"one, two";"line\nbreak"\n')
    assert (
        list(Records(semicolon))
        == list(Records(comma))
        == list(Records(tab))
        == [{"a": "one, two", "b": "line\nbreak"}]
    )


def test_a_line_break_in_a_column_name_and_an_empty_file(tmp_path):
    odd = write(tmp_path / "x.csv", '"a\nb",c\n1,2\n')
    assert list(Records(odd)) == [{"a\nb": "1", "c": "2"}]
    assert list(Records(write(tmp_path / "y.csv", ""))) == []


def test_bad_csv_rows(tmp_path):
    rows = list(Records(write(tmp_path / "x.csv", b"a,b\n1\n3,4\n")))
    assert rows == [
        "the row that ends in line 2 has 1 cells where the header has 2",
        {"a": "3", "b": "4"},
    ]


def test_parquet(tmp_path):
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"a": ["x", None], "r": [["1", "2"], []]}), path)
    assert list(Records(str(path))) == [{"a": "x", "r": ["1", "2"]}, {"a": None, "r": []}]


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"a": 1}\n')))
    assert list(Records("-")) == [{"a": 1}]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.parquet", b"not parquet", "cannot be read as Parquet"),
        (
            "x.jsonl.gz",
            gzip.compress(b'{"a": 1}\n' * 1000, mtime=0)[:-20],
            "is not a whole gzip file",
        ),
        ("x.jsonl.gz", b'{"a": 1}\n', "is not a whole gzip file"),
        ("x.txt", b"", "names no known format; known are .jsonl"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, name, content, words):
    with pytest.raises(ReadError, match=words):
        list(Records(write(tmp_path / name, content)))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ReadError, match="No such file"):
        list(Records(str(tmp_path / "x.jsonl")))
    # said before anything is said of formats
    with pytest.raises(ReadError, match="nosuchfile cannot be read: No such file"):
        Records(str(tmp_path / "nosuchfile"))
    (tmp_path / "folder").mkdir()
    with pytest.raises(ReadError, match="folder cannot be read: it is a directory"):
        Records(str(tmp_path / "folder"))


@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_an_array_of_objects(tmp_path, name):
    array = '[\n {"a": 1},\n {"a": "ü"},\n 3\n]\n'
    rows = [{"a": 1}, {"a": "ü"}, "item 3 is not a JSON object"]
    assert list(Records(write(tmp_path / name, array))) == rows
    assert list(Records(write(tmp_path / name, b"\xef\xbb\xbf" + array.encode()))) == rows


def test_what_only_begins_like_an_array_is_read_line_by_line(tmp_path):
    rows = list(Records(write(tmp_path / "x.jsonl", '[1, 2]\n{"a": 1}\n')))
    assert rows == ["line 1 is not a JSON object", {"a": 1}]


@pytest.mark.parametrize("name", ["x.jsonl", "x.csv"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_utf_16_is_named(tmp_path, name, encoding):
    content = "\ufeff" * (encoding == "utf-16-be") + 'a,b\n"x","y"\n'
    with pytest.raises(ReadError, match="is UTF-16, not UTF-8; name the encoding utf-16"):
        list(Records(write(tmp_path / name, content.encode(encoding))))


def test_a_header_that_is_not_utf_8_is_an_error(tmp_path):
    with pytest.raises(ReadError, match="is not UTF-8: its header has the byte 0xe9"):
        list(Records(write(tmp_path / "x.csv", "résumé,b\n1,2\n".encode("latin1"))))


def test_how_far_it_has_come(tmp_path):
    records = Records(write(tmp_path / "x.jsonl", '{"a": 1}\n' * 100_000))
    seen = [records.fraction for _ in records]
    assert seen == sorted(seen)
    assert 0 < seen[0] < 0.1
    assert seen[-1] == 1.0


def test_an_array_without_objects_is_a_line_that_is_no_row(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text("[1, 2]\n")
    assert list(Records(str(path))) == ["line 1 is not a JSON object"]


EXCEL = "source;summary\nDas Café;Café\nplain;plain\n"


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.json", "x.csv.gz"])
@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-16-le", "utf-8"])
def test_an_encoding_that_is_given(tmp_path, name, encoding):
    rows = [{"source": "Das Café", "summary": "Café"}, {"source": "plain", "summary": "plain"}]
    text = EXCEL if ".csv" in name else "\n".join(json.dumps(r, ensure_ascii=False) for r in rows)
    text = json.dumps(rows, ensure_ascii=False) if name == "x.json" else text
    raw = text.encode(encoding)
    path = write(tmp_path / name, gzip.compress(raw) if name.endswith(".gz") else raw)
    assert list(Records(path, encoding=encoding)) == rows


@pytest.mark.parametrize("name", ["x.csv", "x.json"])
def test_a_file_that_is_not_utf_8_is_refused_as_a_whole(tmp_path, name):
    text = "source,summary\n" + "plain,plain\n" * 200 + "a,é\n"
    if name == "x.json":
        text = '[{"source": "plain"}, {"source": "é"}]'
    with pytest.raises(ReadError, match=r"is not UTF-8.*byte 0xe9.*often cp1252") as error:
        list(Records(write(tmp_path / name, text.encode("cp1252"))))
    assert error.value.argument == "encoding"


def test_json_lines_of_which_most_are_not_utf_8_are_refused(tmp_path):
    good, bad = b'{"a": "b"}\n', b'{"a": "\xe9"}\n'
    rows = list(Records(write(tmp_path / "x.jsonl", good * 2 + bad * 2)))
    assert rows[2] == "line 3 is not UTF-8 (byte 0xe9 at 7)"
    # What is decided by the first lines stays so, whatever comes later.
    rows = list(Records(write(tmp_path / "x.jsonl", good * 60 + bad * 200)))
    assert len(rows) == 260
    with pytest.raises(ReadError, match="is not UTF-8: line 3 "):
        list(Records(write(tmp_path / "x.jsonl", good * 2 + bad * 3)))


def test_an_encoding_that_does_not_fit_or_is_none(tmp_path):
    path = write(tmp_path / "x.csv", b"a\n\x81\n")
    for encoding, words in {"cp1252": "cannot be read as cp1252", "ascii": "read as ascii"}.items():
        with pytest.raises(ReadError, match=words) as error:
            list(Records(path, encoding=encoding))
        assert error.value.argument == "encoding"
    for encoding in ("klingon", "base64"):
        with pytest.raises(ReadError, match=f"there is no encoding '{encoding}'"):
            Records(path, encoding=encoding)


def test_line_separators_of_unicode_do_not_end_a_row(tmp_path):
    path = write(tmp_path / "x.csv", "a,b\none\u2028two\x85three,x\n")
    assert list(Records(path)) == [{"a": "one\u2028two\x85three", "b": "x"}]


@pytest.mark.parametrize("name", ["pipe", "x.csv", "x.parquet"])
def test_a_pipe_is_read_twice(tmp_path, name):
    contents = {"pipe": b'{"a": "1"}\n', "x.csv": b"a\n1\n"}
    pq.write_table(pa.table({"a": ["1"]}), tmp_path / "there")
    contents["x.parquet"] = (tmp_path / "there").read_bytes()
    os.mkfifo(tmp_path / name)
    writer = threading.Thread(target=(tmp_path / name).write_bytes, args=[contents[name]])
    writer.start()
    records = Records(str(tmp_path / name), twice=True)
    writer.join()
    assert list(records) == list(records) == [{"a": "1"}]
    records.close()
