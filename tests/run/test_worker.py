"""A worker process: what it logs, and what it leaves to the process that it serves."""

import logging

import pytest
from odd_measures import Deadly, Noisy

from tricolore import Example, Run
from tricolore.run.processes import Processes

pytestmark = pytest.mark.slow


def test_what_a_worker_logs_is_logged_here(caplog):
    with caplog.at_level(logging.INFO, logger="tricolore"):
        rows = [Example(summary="a"), Example(summary="b")]
        list(Run([Noisy()], engine=Processes(1)).score(rows))
    records = [record for record in caplog.records if record.name == "tricolore.noisy"]
    assert [record.getMessage() for record in records] == ["a rare warning"] * 2
    assert records[0].argument == "cache"


def test_ctrl_c_is_left_to_the_driver(tmp_path):
    """A terminal sends it to all processes: workers go on until the driver ends them."""
    measure = Deadly(how="sigint", noted=str(tmp_path / "processes"))
    results = list(Run([measure], engine=Processes(1)).score([Example(summary="die")]))
    assert results[0].scores[measure.label].value == 3
    assert len(set((tmp_path / "processes").read_text().split())) == 1


def test_too_little_memory_is_a_problem_of_the_row(tmp_path):
    measure = Deadly(how="memory", noted=str(tmp_path / "processes"))
    rows = [Example(summary=text) for text in ("a", "die", "bc")]
    results = list(Run([measure], engine=Processes(1)).score(rows))
    scores = [result.scores[measure.label] for result in results]
    assert scores[1].problem == "deadly failed: MemoryError"
    assert not scores[1].is_final
    assert (scores[0].value, scores[2].value) == (1, 2)
