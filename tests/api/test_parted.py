"""Scores that are written in parts, from Python."""

import csv
import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.parts import rows, write_rows
from tricolore import compare, evaluate
from tricolore.api.parted import is_directory, score_parts
from tricolore.data.manifest import read_manifest
from tricolore.errors import ReadError, TricoloreError, WriteError
from tricolore.run.part_engines import PartsHere

MEASURES = "coverage,rouge-1"


def written(folder, kind):
    """The same rows in another format; or in three files, of which one is packed."""
    if kind == "jsonl":
        return write_rows(folder / "in.jsonl", 50)
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(rows(50)), folder / "in.parquet", row_group_size=9)
        return folder / "in.parquet"
    if kind == "csv":
        with (folder / "in.csv").open("w") as out:
            writer = csv.writer(out)
            names = ["doc_id", "system", "source", "summary", "references"]
            writer.writerow([*names, "quality"])
            for row in rows(50):
                cells = [json.dumps(c) if isinstance(c, list) else c for c in map(row.get, names)]
                writer.writerow([*cells, row["human"]["quality"]])
        return folder / "in.csv"
    lines = write_rows(folder / "all", 50).read_text().splitlines(keepends=True)
    (folder / "in-1.jsonl").write_text("".join(lines[:11]))
    (folder / "in-2.jsonl.gz").write_bytes(gzip.compress("".join(lines[11:30]).encode()))
    (folder / "in-3.jsonl").write_text("".join(lines[30:]))
    return f"{folder}/in-*"


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "csv", "files"])
def test_parts_have_what_a_file_has(tmp_path, kind):
    path = written(tmp_path, kind)
    options = {"columns": {"human": "quality"}} if kind == "csv" else {}
    whole = evaluate(path, MEASURES, **options)
    parted = evaluate(path, MEASURES, output=f"{tmp_path}/out/", part_rows=8, **options)
    assert parted.to_arrow().equals(whole.to_arrow())
    assert parted.summary.parts == 7 if kind == "jsonl" else parted.summary.parts > 3
    assert parted.summary.rows == 50
    assert len(parted) == 0
    assert parted.systems.notes == whole.systems.notes
    assert parted._repr_html_() == whole._repr_html_()
    assert np.array_equal(parted.table.values["rouge-1"], whole.table.values["rouge-1"])
    assert compare(parted, resamples=50).sheets("csv") is not None


def test_the_same_call_goes_on(tmp_path):
    path = write_rows(tmp_path / "in.jsonl", 50)
    out = tmp_path / "out"

    class Stops:
        """Scores two parts, then stops as if somebody had pressed Ctrl-C."""

        def run_parts(self, work, parts, watcher):
            answers = PartsHere().run_parts(work, parts, watcher)
            yield next(answers)
            yield next(answers)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(path, MEASURES, output=f"{out}/", part_rows=10, engine=Stops())
    assert list(read_manifest(out).finished) == [0, 1]
    done = evaluate(path, MEASURES, output=out, part_rows=10)  # a directory that is there
    assert (done.summary.parts, done.summary.parts_before) == (5, 2)
    assert done.summary.scored == 2 * 30
    assert done.summary.parts_line == "5 parts finished, 2 of them by an earlier run."
    again = evaluate(path, MEASURES, output=out)  # another length of parts does not matter
    assert again.summary.scored == 0
    assert again.summary.parts_before == 5
    assert again.systems.rows == done.systems.rows
    whole = evaluate(path, MEASURES)
    assert again.to_arrow().equals(whole.to_arrow())


def test_a_corpus_is_fitted_to_all_parts(tmp_path):
    path = write_rows(tmp_path / "in.jsonl", 60)
    whole = evaluate(path, "importance")
    out = f"{tmp_path}/out/"
    parted = evaluate(path, "importance", output=out, part_rows=4)
    assert parted.to_arrow().equals(whole.to_arrow())
    (tmp_path / "out" / "part-00003.parquet").unlink()
    again = evaluate(path, "importance", output=out, part_rows=4)
    assert again.summary.scored == 4
    assert again.to_arrow().equals(whole.to_arrow())


def test_problems_are_told_from_all_parts(tmp_path):
    path = write_rows(tmp_path / "in.jsonl", 12)
    lines = path.read_text().splitlines(keepends=True)
    lines[3] = "{\n"
    lines[10] = lines[10].replace('"quality": 0', '"quality": "good"')
    path.write_text("".join(lines))
    for _ in range(2):  # scored, and found again
        found = evaluate(path, "coverage", output=f"{tmp_path}/out/", part_rows=2).summary
        assert found.rows_with_problem == 1
        assert found.first_problem.startswith("line 4 is not JSON")
        assert sum(found.unusable_human.values()) == 1
        assert found.has_problems


def test_no_row_is_readable(tmp_path):
    (tmp_path / "in.jsonl").write_text('{"summary": "s", "source": "x"}\n' + "{\n" * 3)
    done = evaluate(tmp_path / "in.jsonl", "coverage", output=f"{tmp_path}/a/", part_rows=2)
    assert done.summary.rows_with_problem == 3
    (tmp_path / "bad.jsonl").write_text('{"summary": 5, "source": "x"}\n' * 3)
    with pytest.raises(ReadError, match="not a single row"):
        evaluate(tmp_path / "bad.jsonl", "coverage", output=f"{tmp_path}/b/", part_rows=2)
    with pytest.raises(ReadError, match="not a single row"):  # also when it is finished
        evaluate(tmp_path / "bad.jsonl", "coverage", output=f"{tmp_path}/b/", part_rows=2)


def test_what_cannot_be_written_in_parts(tmp_path):
    out = f"{tmp_path}/out/"
    with pytest.raises(TricoloreError, match="only files can be scored in parts"):
        evaluate([{"source": "a", "summary": "a"}], "coverage", output=out)
    path = write_rows(tmp_path / "in.jsonl", 4)
    with pytest.raises(TricoloreError, match="no results are kept"):
        evaluate(path, "coverage", output=out, keep=3)
    with pytest.raises(TricoloreError, match="the output must be a directory"):
        evaluate(path, "coverage", output=tmp_path / "out.jsonl", engine=PartsHere())
    with pytest.raises(WriteError, match=r"has other files \('in.jsonl'\)"):
        evaluate(path, "coverage", output=tmp_path)
    assert not (tmp_path / "out").exists()


def test_progress_counts_rows(tmp_path):
    path = write_rows(tmp_path / "in.jsonl", 20)
    seen = []
    evaluate(
        path,
        "coverage",
        output=f"{tmp_path}/out/",
        part_rows=8,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen[-1] == (20, 20)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_directory_by_its_name(tmp_path):
    assert is_directory(tmp_path)
    assert is_directory("new/")
    assert not is_directory("")
    (tmp_path / "old.parquet").mkdir()
    assert not is_directory(tmp_path / "old.parquet")  # more likely a mistake
    assert is_directory(f"{tmp_path}/old.parquet/")
    assert not is_directory("new.parquet")
    assert callable(score_parts)
