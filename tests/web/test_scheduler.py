"""Batches across requests, fairness, limits, and workers that die or hang."""

from __future__ import annotations

import queue
import threading
import time
from contextlib import contextmanager

import pytest
from conftest import noted, wait_until
from slow_measures import Gated, Mortal

from tricolore import Example
from tricolore.errors import TricoloreError, Unavailable
from tricolore.run.engine import Work
from tricolore.web.limits import Limits
from tricolore.web.metrics import Meters
from tricolore.web.scheduler import Order, QueueFullError, Scheduler, length_of
from tricolore.web.tasks import Measuring

pytestmark = pytest.mark.slow


class Asked:
    """An order whose answers are collected."""

    def __init__(self, measure, summaries, source=""):
        self.arrived = queue.Queue()
        self.order = Order(self.arrived.put, self.arrived.put)
        kind = Measuring(measure, False, measure.label)
        for row, summary in enumerate(summaries):
            self.order.add(kind, Example(source=source, summary=summary), (row, 0))

    def scores(self):
        found = {}
        while len(found) < len(self.order.pieces):
            arrived = self.arrived.get(timeout=60)
            if isinstance(arrived, TricoloreError):
                raise arrived
            found |= {piece.place[0]: score for piece, score in arrived}
        return [found[row] for row in sorted(found)]

    def values(self):
        return [score.value for score in self.scores()]


@contextmanager
def scheduling(workers=1, **limits):
    scheduler = Scheduler(Work(()), workers, Limits(**limits), Meters())
    scheduler.start()
    try:
        wait_until(lambda: scheduler.is_ready)
        yield scheduler
    finally:
        scheduler.stop()


def begin(scheduler, notes, gate):
    """Keep the only worker busy until the gate opens, and wait until it is."""
    first = Asked(Gated(gate=str(gate), noted=str(notes)), ["first"])
    scheduler.submit(first.order)
    wait_until(lambda: noted(notes) == [["first"]])
    return first


def test_what_comes_while_a_worker_is_busy_goes_together(tmp_path):
    gate, notes = tmp_path / "gate", tmp_path / "notes"
    with scheduling() as scheduler:
        first = begin(scheduler, notes, gate)
        measure = Gated(noted=str(notes))
        asked = [Asked(measure, [f"a{n}", f"b{n}"]) for n in range(3)]
        for one in asked:
            scheduler.submit(one.order)
        assert scheduler.waiting == 6
        gate.touch()
        assert first.values() == [5]
        assert [one.values() for one in asked] == [[2, 2]] * 3
        assert scheduler.waiting == 0
    assert noted(notes)[1:] == [["a0", "b0", "a1", "b1", "a2", "b2"]]


def test_other_settings_are_another_batch(tmp_path):
    gate, notes = tmp_path / "gate", tmp_path / "notes"
    with scheduling() as scheduler:
        begin(scheduler, notes, gate)
        gate.touch()
        other = tmp_path / "other"
        one, two = Asked(Gated(noted=str(notes)), "x"), Asked(Gated(noted=str(other)), "y")
        scheduler.submit(one.order)
        scheduler.submit(two.order)
        assert (one.values(), two.values()) == ([1], [1])
    assert (noted(notes)[1:], noted(other)) == ([["x"]], [["y"]])


def test_rows_of_one_source_stay_together(tmp_path):
    gate, notes = tmp_path / "gate", tmp_path / "notes"
    with scheduling() as scheduler:
        begin(scheduler, notes, gate)
        measure = Gated(noted=str(notes))
        for name, source in (("a", "one"), ("b", "two"), ("c", "one")):
            scheduler.submit(Asked(measure, [name], source).order)
        last = Asked(measure, ["d"], "two")
        scheduler.submit(last.order)
        gate.touch()
        last.values()
    assert noted(notes)[1:] == [["a", "c", "b", "d"]]


def test_a_small_request_passes_a_large_one(tmp_path):
    gate, notes = tmp_path / "gate", tmp_path / "notes"
    with scheduling() as scheduler:
        measure = Gated(gate=str(gate), noted=str(notes))
        large = Asked(measure, [f"l{n}" for n in range(24)])
        scheduler.submit(large.order)
        wait_until(lambda: len(noted(notes)) == 1)
        small = Asked(measure, ["small"])
        scheduler.submit(small.order)
        gate.touch()
        assert small.values() == [5]
        assert len(large.values()) == 24
    assert noted(notes)[1][0] == "small", "16 rows of the large one came before it"


def test_a_full_queue_refuses_more(tmp_path):
    gate, notes = tmp_path / "gate", tmp_path / "notes"
    with scheduling(queue=3, queue_characters=50) as scheduler:
        first = begin(scheduler, notes, gate)
        measure = Gated(noted=str(notes))
        waiting = Asked(measure, ["a", "b"])
        scheduler.submit(waiting.order)
        for too_many in (["c", "d"], ["x" * 50]):
            with pytest.raises(QueueFullError) as caught:
                scheduler.submit(Asked(measure, too_many).order)
            assert 1 <= caught.value.retry_after <= 60
        gate.touch()
        first.values(), waiting.values()
        wait_until(lambda: not scheduler._orders)
        again = Asked(measure, ["c", "d"])
        scheduler.submit(again.order)
        assert again.values() == [1, 1]


def test_what_is_cancelled_is_not_begun(tmp_path):
    gate, notes = tmp_path / "gate", tmp_path / "notes"
    with scheduling() as scheduler:
        first = begin(scheduler, notes, gate)
        gone, stays = (Asked(Gated(noted=str(notes)), [name]) for name in ("gone", "stays"))
        scheduler.submit(gone.order)
        scheduler.submit(stays.order)
        scheduler.cancel(gone.order)
        scheduler.cancel(first.order)
        assert scheduler.waiting == 1
        gate.touch()
        assert stays.values() == [5]
        assert gone.arrived.empty()
        assert first.arrived.empty(), "it was under way, and is dropped"
    assert noted(notes)[1:] == [["stays"]]


def test_a_worker_that_dies_takes_only_the_row_at_fault_with_it():
    with scheduling() as scheduler:
        one, two = Asked(Mortal(), ["ab", "die"]), Asked(Mortal(), ["abc"])
        scheduler.submit(one.order)
        scheduler.submit(two.order)
        good, bad = one.scores()
        assert good.value == 2
        assert bad.problem == "mortal: the process that scored this row was killed by SIGKILL"
        assert not bad.is_final
        assert two.values() == [3]


def test_a_worker_that_hangs_is_ended_and_replaced():
    with scheduling(seconds=6) as scheduler:
        asked = Asked(Mortal(), ["ab", "hang", "abc"])
        began = time.monotonic()
        scheduler.submit(asked.order)
        scores = asked.scores()
        assert [score.problem for score in scores] == [None, "mortal: took longer than 2 s", None]
        assert time.monotonic() - began < 60
        text = scheduler._meters.text(waiting=0, is_ready=True).decode()
        assert 'tricolore_lost_batches_total{measure="mortal",why="timeout"} 2.0' in text


def test_a_measure_that_is_not_available_is_a_problem_of_its_scores():
    with scheduling() as scheduler:
        asked = Asked(Mortal(), ["missing"])
        scheduler.submit(asked.order)
        [score] = asked.scores()
        assert score.problem == "no key is set"
        after = Asked(Mortal(), ["abc"])
        scheduler.submit(after.order)
        assert after.values() == [3]


def test_several_workers_work_at_the_same_time(tmp_path):
    gate = tmp_path / "gate"
    with scheduling(workers=2) as scheduler:
        wait_until(lambda: scheduler._ready == 2)
        held = Asked(Gated(gate=str(gate)), ["held"])
        scheduler.submit(held.order)
        free = Asked(Gated(), ["free"])
        scheduler.submit(free.order)
        assert free.values() == [4]
        assert held.arrived.empty()
        gate.touch()
        assert held.values() == [4]


def test_stopping_ends_workers_at_once_and_lets_orders_fail(tmp_path):
    before = threading.active_count()
    with scheduling() as scheduler:
        held = Asked(Gated(gate=str(tmp_path / "never")), ["held"])
        scheduler.submit(held.order)
        wait_until(lambda: scheduler.waiting == 0)
        began = time.monotonic()
        scheduler.stop()
        assert time.monotonic() - began < 5
        with pytest.raises(Unavailable, match="shutting down"):
            held.scores()
        with pytest.raises(Unavailable, match="shutting down"):
            scheduler.submit(Asked(Gated(), ["late"]).order)
    assert threading.active_count() == before


def test_a_pool_that_cannot_start_is_an_answer_and_not_silence(monkeypatch):
    def refuse(*_):
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("tricolore.run.pool._Worker", refuse)
    monkeypatch.setattr("tricolore.web.scheduler._PAUSE", 0.1)
    scheduler = Scheduler(Work(()), 1, Limits(), Meters())
    asked = Asked(Gated(), ["a"])
    scheduler.submit(asked.order)
    scheduler.start()
    with pytest.raises(Unavailable, match="no worker process could start"):
        asked.scores()
    assert not scheduler.is_ready
    monkeypatch.undo()
    wait_until(lambda: scheduler.is_ready)
    scheduler.stop()


def test_the_length_of_an_example():
    assert length_of(Example(source=["ab", "c"], summary="d", references="ef")) == 6
