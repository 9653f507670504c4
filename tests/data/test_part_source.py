"""Planning parts, and reading them in another process."""

import json
import os
import pickle

import pytest

from tricolore.data.examples import example_file
from tricolore.data.manifest import Part
from tricolore.data.part_source import PartSource, plan_parts
from tricolore.data.row_positions import RowPosition
from tricolore.errors import ReadError
from tricolore.example import Example, Unreadable


def write(path, documents, bad=()):
    lines = []
    for at, document in enumerate(documents):
        row = {"doc_id": document, "source": "s", "summary": f"row {at}", "human": {"q": "x"}}
        lines.append("{" if at in bad else json.dumps(row))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def lengths(examples, part_rows):
    return [part.rows for part in plan_parts(examples, part_rows).parts]


def test_rows_of_a_document_stay_together(tmp_path):
    examples = example_file([write(tmp_path / "a.jsonl", "aabbbccdddd")])
    assert lengths(examples, 1) == [2, 2, 1, 2, 2, 2]  # never more than twice as long
    assert lengths(examples, 3) == [5, 6]
    assert lengths(examples, 4) == [5, 6]
    assert lengths(examples, 100) == [11]
    examples = example_file([write(tmp_path / "b.jsonl", "aaaaaaaaaab")])
    assert lengths(examples, 3) == [6, 4, 1]  # a long document is cut


def test_parts_follow_each_other(tmp_path):
    paths = [write(tmp_path / "a.jsonl", "abcde"), write(tmp_path / "b.jsonl", "efg", bad={1})]
    planned = plan_parts(example_file(paths), 2)
    assert [part.first_row for part in planned.parts] == [1, 3, 5, 7]
    assert [part.number for part in planned.parts] == [0, 1, 2, 3]
    assert planned.rows == [5, 3]
    # The third part has the last row of the first file and the first of the second: document e.
    assert [part.rows for part in planned.parts] == [2, 2, 2, 2]
    assert planned.parts[3].start.file == 1


def test_a_limit_is_for_all_files(tmp_path):
    paths = [write(tmp_path / "a.jsonl", "abc"), write(tmp_path / "b.jsonl", "def")]
    planned = plan_parts(example_file(paths, limit=4), 2)
    assert [part.rows for part in planned.parts] == [2, 2]
    assert planned.rows == [3, 1]


def test_another_process_reads_the_same_rows(tmp_path):
    path = write(tmp_path / "a.jsonl", "aabbccdd", bad={5})
    examples = example_file([path])
    parts = plan_parts(examples, 2).parts
    reader = pickle.loads(pickle.dumps(PartSource.of(examples))).open()
    assert [row for part in parts for row in reader.rows(part)] == list(examples)
    third = list(reader.rows(parts[2]))
    assert isinstance(third[1], Unreadable)
    assert third[1].problem.startswith("line 6 is not JSON")
    assert isinstance(third[0], Example)
    [(words, count)] = reader.odd_human.items()  # of this part only
    assert "human score 'q'" in words
    assert count == 1
    reader.close()


@pytest.mark.parametrize("change", ["more", "touched", "replaced", "removed"])
def test_a_file_that_changes_is_noticed(tmp_path, change):
    path = tmp_path / "a.jsonl"
    write(path, "aabb")
    examples = example_file([str(path)])
    [part, *_] = plan_parts(examples, 2).parts
    source = PartSource.of(examples)
    reader = source.open()
    if change == "more":
        write(path, "aabbcc")
    elif change == "touched":
        os.utime(path, ns=(1, 1))
    elif change == "replaced":
        state = path.stat()
        write(tmp_path / "new.jsonl", "ccbb")
        os.utime(tmp_path / "new.jsonl", ns=(state.st_atime_ns, state.st_mtime_ns))
        os.replace(tmp_path / "new.jsonl", path)
    else:
        path.unlink()
    with pytest.raises(ReadError, match="changed while it was read"):
        list(reader.rows(part))


def test_fewer_rows_than_planned(tmp_path):
    examples = example_file([write(tmp_path / "a.jsonl", "ab")])
    list(examples)
    reader = PartSource.of(examples).open()
    with pytest.raises(ReadError, match="fewer rows than before"):
        list(reader.rows(Part(0, 1, 5, RowPosition(0))))
    reader.close()


def test_a_stream_cannot_be_divided(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    writer = os.open(tmp_path / "pipe.jsonl", os.O_RDWR)
    try:
        with pytest.raises(ReadError, match="cannot be scored in parts"):
            PartSource.of(example_file([str(tmp_path / "pipe.jsonl")]))
    finally:
        os.close(writer)
