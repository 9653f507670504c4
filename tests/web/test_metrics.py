"""Figures for Prometheus."""

import threading

import httpx
from conftest import noted, wait_until

from tricolore.web.metrics import Meters


def test_what_is_counted():
    meters = Meters()
    meters.begin_request()
    meters.end_request("/v1/score", "POST", 200, 0.2)
    meters.begin_request()
    meters.batch("rouge-1", 3)
    meters.lost("rouge-1", is_timeout=False)
    meters.rows(2)
    meters.score("rouge-1", has_problem=True)
    meters.score("rouge-1", has_problem=False)
    text = meters.text(waiting=7, is_ready=False).decode()
    for line in (
        'tricolore_requests_total{method="POST",path="/v1/score",status="200"} 1.0',
        'tricolore_request_seconds_sum{path="/v1/score"} 0.2',
        "tricolore_requests_under_way 1.0",
        "tricolore_queue_length 7.0",
        "tricolore_ready 0.0",
        'tricolore_batch_size_sum{measure="rouge-1"} 3.0',
        'tricolore_lost_batches_total{measure="rouge-1",why="crash"} 1.0',
        "tricolore_rows_total 2.0",
        'tricolore_scores_total{measure="rouge-1"} 2.0',
        'tricolore_score_problems_total{measure="rouge-1"} 1.0',
    ):
        assert line in text.splitlines()


def test_two_registries_do_not_share_figures():
    one, other = Meters(), Meters()
    one.rows(5)
    assert "tricolore_rows_total 0.0" in other.text(waiting=0, is_ready=True).decode()


def test_two_clients_are_in_one_batch(server, tmp_path):
    """The worker is busy while they come; then it scores both at once."""
    gate, notes = tmp_path / "gate", tmp_path / "notes"

    def ask(summary, **settings):
        words = ",".join(f"{name}={path}" for name, path in settings.items())
        body = {"examples": [{"summary": summary}], "measures": [f"gated:{words}"]}
        return threading.Thread(
            target=lambda: httpx.post(f"{server.url}/v1/score", json=body, timeout=60)
        )

    name, count = 'tricolore_batch_size_%s{measure="gated"}', lambda: server.metrics()
    before = count()
    threads = [ask("first", gate=gate, noted=notes)]
    threads[0].start()
    wait_until(lambda: noted(notes) == [["first"]])
    threads += [ask("second", noted=notes), ask("third", noted=notes)]
    for thread in threads[1:]:
        thread.start()
    wait_until(lambda: server.server.service.scheduler.waiting == 2)
    gate.touch()
    for thread in threads:
        thread.join()
    after = count()
    assert sorted(noted(notes)[1]) == ["second", "third"]
    assert after[name % "count"] - before.get(name % "count", 0) == 2
    assert after[name % "sum"] - before.get(name % "sum", 0) == 3
