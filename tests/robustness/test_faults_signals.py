"""Signals to a run: what is finished is kept, no process stays, and the same command goes on."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from tests.robustness.bench import POISONED, ROWS, Bench, Finished, wait_until
from tricolore import cache_info

pytestmark = pytest.mark.slow
FINISHED = 2 * (POISONED - 1 - (POISONED - 1) % 4)
"""The scores of the jobs before the poison row: four rows a job, two measures."""


def default_signals() -> None:
    """Where tests run in the background of a shell, Ctrl-C would be ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def wait_for_the_jobs_before(bench: Bench, driver: Any) -> None:
    """Wait for the poison row, and for other workers that are still at a job before it."""
    bench.wait_for_the_row(driver)
    wait_until(lambda: cache_info(bench.cache).scores >= FINISHED)


def stop(bench: Bench, jobs: int, *signals: int) -> Finished:
    """Send signals to a run in the middle, to its first process alone."""
    words = bench.words("--jobs", jobs)
    driver = bench.start(words, fault="gate", preexec_fn=default_signals)
    wait_for_the_jobs_before(bench, driver)
    for number in signals:
        os.kill(driver.pid, number)
    return bench.finish(driver)


def check_resumed(bench: Bench, undisturbed: bytes, jobs: int) -> None:
    assert not (bench.folder / "out.jsonl").exists(), "there is half an output"
    done = bench.run("--jobs", jobs)
    assert done.code == 0, done.err
    assert FINISHED <= done.reused < 2 * ROWS, "what was finished is lost"
    assert (bench.folder / "out.jsonl").read_bytes() == undisturbed
    assert bench.files() == {"in.jsonl", "out.jsonl", "out.jsonl.meta.json"}


@pytest.mark.fault(
    injected="the run is killed (SIGKILL) and started again",
    outcome="its workers end by themselves; finished scores come from the cache, the output is as "
    "if nothing had happened, and the draft that was left is removed",
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_is_killed(bench: Bench, undisturbed: bytes, jobs: int) -> None:
    assert stop(bench, jobs, signal.SIGKILL).code == -signal.SIGKILL
    check_resumed(bench, undisturbed, jobs)


@pytest.mark.fault(
    injected="SIGTERM (a shutdown, a cluster's scheduler) or SIGHUP (a closed terminal)",
    outcome="exit code 143 or 129, a line that says how to go on, no process and no draft left; "
    "the same command goes on where it was",
)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_is_told_to_end(
    bench: Bench, undisturbed: bytes, number: int, jobs: int
) -> None:
    done = stop(bench, jobs, number)
    assert done.code == 128 + number
    assert "the same command goes on where it was" in done.err
    assert bench.files() == {"in.jsonl"}
    check_resumed(bench, undisturbed, jobs)


@pytest.mark.fault(
    injected="SIGINT twice while a worker hangs and ignores it",
    outcome="exit code 130, and no process is left",
)
def test_ctrl_c_twice_while_a_worker_hangs(bench: Bench, undisturbed: bytes) -> None:
    words = bench.words("--jobs", 2)
    driver = bench.start(words, fault="hang", preexec_fn=default_signals)
    wait_for_the_jobs_before(bench, driver)
    os.kill(driver.pid, signal.SIGINT)
    os.kill(driver.pid, signal.SIGINT)
    # A second signal that comes late ends the program at once. A shell shows 130 both ways.
    assert bench.finish(driver).code in (130, -signal.SIGINT)
    check_resumed(bench, undisturbed, 2)
