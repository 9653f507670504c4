"""Faults of worker processes: the row that causes them gets a problem, and all others a score."""

from __future__ import annotations

import json
import os
import signal

import pytest

from tests.robustness.bench import POISONED, ROWS, Bench, Finished

pytestmark = pytest.mark.slow


def check_only_the_row(bench: Bench, done: Finished, undisturbed: bytes, words: str) -> None:
    """The poisoned row has a problem with these words; all others are as in an undisturbed run."""
    assert done.code == 0, done.err
    wanted = [json.loads(line) for line in undisturbed.splitlines()]
    found = bench.scores()
    assert len(found) == ROWS
    row = found.pop(POISONED - 1)
    assert row["faulty"] is None
    assert words in row["problem"]
    expected = wanted.pop(POISONED - 1)
    assert row["coverage"] == expected["coverage"], "the other measure of the row is scored"
    assert found == wanted
    assert bench.files() == {"in.jsonl", "out.jsonl", "out.jsonl.meta.json"}


def check_rerun(bench: Bench, undisturbed: bytes) -> None:
    """Without the fault, the same command scores the row that is missing, and no other."""
    done = bench.run("--jobs", 2)
    assert done.reused == 2 * ROWS - 1, "a failure was kept, or a score was lost"
    assert (bench.folder / "out.jsonl").read_bytes() == undisturbed


@pytest.mark.fault(
    injected="a worker process is killed (SIGKILL), as the system does when memory runs out",
    outcome="its rows are scored by another worker; the output is as if nothing had happened",
)
def test_a_worker_that_is_killed(bench: Bench, undisturbed: bytes) -> None:
    driver = bench.start(bench.words("--jobs", 2), fault="gate", once=True)
    os.kill(bench.wait_for_the_row(driver), signal.SIGKILL)
    assert bench.finish(driver).code == 0
    assert (bench.folder / "out.jsonl").read_bytes() == undisturbed


@pytest.mark.fault(
    injected="a row kills every worker that scores it (abort, segmentation fault, `os._exit`)",
    outcome="the row gets a problem, all others a score; a rerun scores only this row again",
)
@pytest.mark.parametrize("fault", ["kill", "abort", "segfault", "hard exit"])
def test_a_row_that_kills_its_worker(bench: Bench, undisturbed: bytes, fault: str) -> None:
    done = bench.run("--jobs", 2, fault=fault)
    check_only_the_row(bench, done, undisturbed, "the process that scored this row")
    if fault == "kill":
        check_rerun(bench, undisturbed)


@pytest.mark.fault(
    injected="a row needs more memory than its process may have (RLIMIT_AS)",
    outcome="the row gets a problem that is not cached; a rerun with more memory scores it",
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_row_that_needs_too_much_memory(bench: Bench, undisturbed: bytes, jobs: int) -> None:
    done = bench.run("--jobs", jobs, fault="memory")
    check_only_the_row(bench, done, undisturbed, "emory")
    if jobs == 2:
        check_rerun(bench, undisturbed)


@pytest.mark.fault(
    injected="a measure calls `sys.exit(0)`",
    outcome="the row gets a problem; the run does not end as if it had succeeded",
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_measure_that_exits(bench: Bench, undisturbed: bytes, jobs: int) -> None:
    done = bench.run("--jobs", jobs, fault="exit")
    check_only_the_row(bench, done, undisturbed, "faulty")


@pytest.mark.fault(
    injected="a measure hangs on a row, with `--timeout`",
    outcome="the row gets a problem, all others a score; a rerun scores only this row again",
)
def test_a_measure_that_hangs(bench: Bench, undisturbed: bytes) -> None:
    done = bench.run("--jobs", 2, "--timeout", 3, fault="hang")
    check_only_the_row(bench, done, undisturbed, "longer than 3")
    check_rerun(bench, undisturbed)
