"""Scoring one part in a process."""

import json
import pickle
from pathlib import Path

import pyarrow.parquet as pq

from tests.parts import write_rows
from tricolore.data.examples import example_file
from tricolore.data.manifest import Part
from tricolore.data.part_source import PartSource, plan_parts
from tricolore.models.placement import Placement
from tricolore.run.engine import Here
from tricolore.run.part_work import PartJob, PartStep, PartWork, with_threads
from tricolore.run.processes import Processes
from tricolore.run.run import Run


def work_of(folder: Path, measures="coverage", **options) -> tuple[PartWork, list[Part]]:
    examples = example_file([str(write_rows(folder / "in.jsonl", 20))])
    parts = list(plan_parts(examples, 8).parts)
    run = Run([measures])
    return PartWork(run.measures, PartSource.of(examples), folder, "{}", **options), parts


def test_a_part_is_read_scored_and_written(tmp_path):
    work, parts = work_of(tmp_path)
    steps = []
    with pickle.loads(pickle.dumps(work)).begun() as score:
        answer = score(PartJob(parts[1]), steps.append)
    assert answer.finished.number == 1
    assert (answer.scored, answer.reused) == (8, 0)
    table = pq.read_table(tmp_path / "part-00001.parquet")
    assert table.column("row").to_pylist() == list(range(9, 17))
    assert steps == [PartStep(0, 0, "", True), PartStep(0, 0, "coverage")]


def test_parts_are_the_same_whatever_engine_scores_their_rows(tmp_path):
    work, parts = work_of(tmp_path)
    files = []
    for engine in (None, Here(), Processes(1)):
        with work.begun() as score:
            score(PartJob(parts[0], engine), lambda _: None)
        files.append((tmp_path / "part-00000.parquet").read_bytes())
    assert files[0] == files[1] == files[2]


def test_a_cache_is_used(tmp_path):
    work, parts = work_of(tmp_path, cache=tmp_path / "cache")
    for wanted in ((8, 0), (0, 8)):
        with work.begun() as score:
            answer = score(PartJob(parts[0]), lambda _: None)
        assert (answer.scored, answer.reused) == wanted
        assert answer.lost == 0


def test_a_fitted_corpus_goes_with_the_work(tmp_path):
    """A part has too few sources to be a corpus of its own."""
    work, parts = work_of(tmp_path, "importance")
    run = Run(["importance"])
    run.fit([json.dumps(at) + " some words of a source" for at in range(30)])
    fitted = PartWork(run.measures, work.source, tmp_path, "{}")
    values = []
    for each in (work, pickle.loads(pickle.dumps(fitted)), fitted):
        with each.begun() as score:
            score(PartJob(parts[0]), lambda _: None)
        values.append(pq.read_table(tmp_path / "part-00000.parquet").column("importance"))
    assert values[1] == values[2]
    assert values[0] != values[1]


def test_threads_are_set_unless_they_are_given(tmp_path):
    work, _ = work_of(tmp_path, placement=Placement(threads=0))
    assert with_threads(work, 3).placement.threads == 3
    work, _ = work_of(tmp_path, placement=Placement(threads=5))
    assert with_threads(work, 3).placement.threads == 5
