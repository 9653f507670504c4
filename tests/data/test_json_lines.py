"""Rows that are written as JSON Lines are read again."""

import json

import pytest

from tricolore import Example
from tricolore.data.examples import ExampleFile
from tricolore.data.json_lines import write_json_lines
from tricolore.perturb.damage import clean_row


@pytest.mark.parametrize("source", [["a", "b"], ['["looks like", "a list"]'], ["one"], []])
def test_what_is_written_is_read_again(source, tmp_path):
    given = Example(source=source, summary='half a \ud83d letter "', doc_id="d")
    write_json_lines([clean_row(given)], str(tmp_path / "out.jsonl"))
    [read] = ExampleFile(str(tmp_path / "out.jsonl"))
    assert (read.source, read.summary) == (given.source, given.summary)
    assert len(json.loads((tmp_path / "out.jsonl").read_text())["id"]) == 16
