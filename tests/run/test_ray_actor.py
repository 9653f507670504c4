"""The actor, without Ray: it is a plain class. `test_ray_parts.py` runs it in a real Ray."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tricolore import evaluate
from tricolore.errors import ReadError, Unavailable
from tricolore.run.part_work import PartJob
from tricolore.run.pool import setup_of
from tricolore.run.ray_actor import PartActor
from tricolore.run.worker import Setup


@pytest.fixture(autouse=True)
def logging_and_path_of_another_process() -> Iterator[None]:
    """An actor changes both for its process."""
    root, ours = logging.getLogger(), logging.getLogger("tricolore")
    before = root.handlers, root.level, ours.level, list(sys.path)
    yield
    root.handlers, level, our_level, sys.path[:] = before
    root.setLevel(level)
    ours.setLevel(our_level)


class Captured:
    """An engine for parts that does nothing but note what it was given."""

    def run_parts(self, work, parts, watcher):
        self.work, self.parts = work, list(parts)
        raise ReadError("enough")
        yield


@pytest.fixture
def planned(tmp_path: Path) -> Captured:
    """The work of a run with two parts."""
    path = tmp_path / "in.jsonl"
    path.write_text('{"source": "A cat sat.", "summary": "A cat."}\n' * 2)
    engine = Captured()
    with pytest.raises(ReadError, match="enough"):
        evaluate(path, "coverage", output=f"{tmp_path / 'out'}/", part_rows=1, engine=engine)
    return engine


def test_it_scores_and_writes_a_part(planned: Captured) -> None:
    actor = PartActor()
    assert actor.begin(setup_of(planned.work), ["/no/such/place"]) is None
    assert "/no/such/place" in sys.path
    part = planned.parts[-1]
    done = actor.score(PartJob(part))
    assert done.error is None
    assert done.answer is not None
    assert done.answer.finished.is_whole_in(planned.work.output)
    status = actor.status()
    assert status.step is not None
    assert status.step.measure == "coverage"
    assert 0 <= status.seconds < 60


def test_an_error_is_an_answer(planned: Captured) -> None:
    actor = PartActor()
    actor.begin(setup_of(planned.work), [])
    Path(planned.work.source.paths[0]).write_text("changed")
    done = actor.score(PartJob(planned.parts[0]))
    assert done.answer is None
    assert isinstance(done.error, ReadError)


def test_work_that_cannot_be_unpacked() -> None:
    found = PartActor().begin(Setup(b"nonsense", {}), [])
    assert isinstance(found, Unavailable)
    assert "no Ray actor could start" in str(found)


def test_log_records_are_handed_over_once(planned: Captured) -> None:
    actor = PartActor()
    actor.begin(setup_of(planned.work), [])
    logging.getLogger("tricolore.run").warning("careful")
    assert [record.getMessage() for record in actor.status().records] == ["careful"]
    assert actor.status().records == []
