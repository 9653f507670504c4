"""Scores in a directory are read like those in a file."""

import os
import shutil

import numpy as np
import pytest

from tests.parts import write_rows
from tricolore import compare, evaluate
from tricolore.data.metadata import read_metadata
from tricolore.data.results import read_results
from tricolore.data.score_files import parts_table, score_files
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """The same scores as a file and as a directory of parts, with what was scored."""
    folder = tmp_path_factory.mktemp("scored")
    path = write_rows(folder / "in.jsonl", 30)
    measures = "coverage,bleu:level=corpus"
    evaluate(path, measures, output=folder / "out.parquet", evidence=True)
    evaluate(path, measures, output=f"{folder}/out/", evidence=True, part_rows=7)
    return folder


def test_the_table_is_the_same(scored):
    file, directory = ScoreTable.read(scored / "out.parquet"), ScoreTable.read(scored / "out")
    assert len(score_files(scored / "out")) == 4
    assert directory.measures == file.measures
    assert directory.signatures == file.signatures
    assert directory.grid.documents == file.grid.documents
    for name, values in file.values.items():
        assert np.array_equal(directory.values[name], values, equal_nan=True), name
    assert np.array_equal(directory.human["quality"], file.human["quality"])
    assert read_metadata(str(scored / "out")) == read_metadata(str(scored / "out.parquet"))


def test_results_are_the_same(scored):
    path = str(scored / "in.jsonl")
    found = list(read_results(str(scored / "out"), path))
    assert found == list(read_results(str(scored / "out.parquet"), path))
    assert len(found) == 30
    assert found[-1][1]["coverage"].evidence


def test_systems_are_compared_from_a_directory(scored):
    of_file = compare(scored / "out.parquet", resamples=100)
    of_parts = compare(scored / "out", resamples=100)
    assert str(of_parts.sheets("csv")) == str(of_file.sheets("csv"))


def test_all_parts_as_one_table(scored):
    table = parts_table(scored / "out")
    assert table.column("row").to_pylist() == list(range(1, 31))
    assert "coverage.evidence" not in table.column_names
    assert "coverage.evidence" in parts_table(scored / "out", evidence=True).column_names


def test_a_directory_that_is_not_complete(scored, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(scored / "out", out)
    (out / "part-00002.parquet").unlink()
    with pytest.raises(ReadError, match=r"part-00002\.parquet is missing or damaged"):
        ScoreTable.read(out)
    os.truncate(out / "part-00001.parquet", 5)
    with pytest.raises(ReadError, match=r"part-00001\.parquet is missing or damaged"):
        ScoreTable.read(out)
    text = (out / "manifest.json").read_text()
    at = text.rindex('"finished": {')
    (out / "manifest.json").write_text(text[:at] + '"finished": null}]}')
    with pytest.raises(ReadError, match="is not complete: 1 part of 4 missing"):
        ScoreTable.read(out)


def test_a_directory_without_scores(tmp_path):
    with pytest.raises(ReadError, match=r"without manifest\.json"):
        ScoreTable.read(tmp_path)
