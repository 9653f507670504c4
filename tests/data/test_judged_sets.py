"""Judged sets are found in files and directories."""

import json

import pytest

from tricolore.data.judged_sets import find_judged_sets
from tricolore.errors import ReadError


def rows(human=True, count=4):
    return [
        {
            "doc_id": f"d{n // 2}",
            "system": "ab"[n % 2],
            "source": "One dog ran.",
            "summary": f"Dog {n}.",
            **({"human": {"quality": n}} if human else {}),
        }
        for n in range(count)
    ]


def put(path, given):
    path.write_text("".join(json.dumps(row) + "\n" for row in given))


def test_a_directory_with_all_that_is_in_it(tmp_path):
    (tmp_path / "more").mkdir()
    put(tmp_path / "one.jsonl", rows())
    put(tmp_path / "more" / "two.jsonl", rows(count=2))
    put(tmp_path / "plain.jsonl", rows(human=False))
    put(tmp_path / ".hidden.jsonl", rows())
    (tmp_path / "notes.txt").write_text("nothing")
    (tmp_path / "one.jsonl.meta.json").write_text("{}")
    found = find_judged_sets([tmp_path])
    assert {each.name: len(each.examples) for each in found.sets} == {"one": 4, "two": 2}
    [(name, why)] = found.skipped
    assert name == "plain.jsonl"
    assert "no human scores" in why


def test_documents_and_limits(tmp_path):
    put(tmp_path / "one.jsonl", rows(count=8))
    [one] = find_judged_sets([tmp_path / "one.jsonl"], limit=6).sets
    assert one.documents == ["d0", "d1", "d2"]
    assert [example.summary for example in one.of_documents(["d2", "d0"])] == [
        *("Dog 0.", "Dog 1.", "Dog 4.", "Dog 5.")
    ]


def test_the_same_name_twice(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        put(tmp_path / folder / "one.jsonl", rows())
    found = find_judged_sets([tmp_path / "a", tmp_path / "b"])
    assert [each.name for each in found.sets] == ["one", "one (2)"]


def test_published_files(tmp_path):
    """FRANK is published as two files, which are one set."""
    key = {"hash": "h", "model_name": "m"}
    texts = [{**key, "article": "A dog ran.", "summary": "A dog.", "reference": "Dog."}]
    scores = [{**key, "split": "test", "Factuality": 0.5}]
    (tmp_path / "benchmark_data.json").write_text(json.dumps(texts))
    (tmp_path / "human_annotations.json").write_text(json.dumps(scores))
    (tmp_path / "other.json").write_text(json.dumps([{"a": 1}]))
    found = find_judged_sets([tmp_path])
    [one] = found.sets
    assert (one.name, one.examples[0].human["factuality"]) == (tmp_path.name, 0.5)
    assert [name for name, _ in found.skipped] == ["other.json"]


@pytest.mark.parametrize("name", ["nowhere", "plain.jsonl", "."])
def test_what_a_user_can_mend(name, tmp_path):
    put(tmp_path / "plain.jsonl", rows(human=False))
    with pytest.raises(ReadError, match=r"is not there|no human scores|no set of summaries"):
        find_judged_sets([tmp_path / name])
