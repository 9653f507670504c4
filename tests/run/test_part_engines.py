"""Engines that score whole parts."""

import pytest

from tests.run.test_part_work import work_of
from tricolore.errors import ReadError, WriteError
from tricolore.run.engine import Here
from tricolore.run.part_engines import PartEngine, PartProcesses, PartsHere, part_engine
from tricolore.run.processes import PluginsApart, Processes


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.glob("part-*")}


@pytest.mark.slow
@pytest.mark.parametrize("engine", [PartProcesses(1), PartProcesses(2), PartsHere(Processes(1))])
def test_every_engine_writes_the_same(tmp_path, engine):
    work, parts = work_of(tmp_path)
    wanted = [answer.finished for answer in PartsHere().run_parts(work, parts, lambda *_: None)]
    files = contents(tmp_path)
    for path in tmp_path.glob("part-*"):
        path.unlink()
    seen = []
    answers = list(engine.run_parts(work, iter(parts), lambda part, _: seen.append(part.number)))
    assert sorted(answer.finished.number for answer in answers) == [0, 1, 2]
    assert sorted((a.finished for a in answers), key=lambda part: part.number) == wanted
    assert contents(tmp_path) == files
    assert set(seen) == {0, 1, 2}


def test_an_error_ends_the_run(tmp_path):
    work, parts = work_of(tmp_path)
    answers = PartsHere().run_parts(work, parts, lambda *_: None)
    next(answers)
    (tmp_path / "in.jsonl").write_text("{}\n")
    with pytest.raises(ReadError, match="changed while it was read"):
        list(answers)
    assert list(contents(tmp_path)) == ["part-00000.parquet"]


@pytest.mark.slow
def test_an_error_of_a_worker_is_the_same_error(tmp_path):
    work, parts = work_of(tmp_path)
    (tmp_path / "part-00000.parquet").mkdir()
    with pytest.raises(WriteError, match=r"part-00000\.parquet cannot be written"):
        list(PartProcesses(1).run_parts(work, parts, lambda *_: None))


def test_the_engine_for_parts_that_does_the_same(tmp_path):
    work, _ = work_of(tmp_path)
    assert part_engine(Processes(3, 7.0), work) == PartProcesses(3, 7.0)
    assert part_engine(Here(), work) == PartsHere()
    assert part_engine(PluginsApart(), work) == PartsHere()
    assert isinstance(PartsHere(), PartEngine)
    assert not isinstance(Processes(1), PartEngine)

    class Threads:
        def run(self, work, jobs):
            return iter(())

    other = Threads()
    assert part_engine(other, work) == PartsHere(other)
