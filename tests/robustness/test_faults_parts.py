"""Faults while scores are written in parts: no finished part is lost, and no row is there twice."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.robustness.bench import POISONED, ROWS, rows
from tests.robustness.parted_bench import PARTS, PartedBench
from tests.robustness.test_faults_files import read_only_disk, small_disk
from tests.robustness.test_faults_inputs import BACKWARDS, CHANGES, encoder
from tests.robustness.test_faults_signals import default_signals

pytestmark = pytest.mark.slow
__all__ = ["encoder", "read_only_disk", "small_disk"]
Contents = dict[str, bytes]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[PartedBench]:
    made = PartedBench(tmp_path)
    yield made
    made.end_all()


@pytest.fixture(scope="module")
def undisturbed_parts(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """What a run leaves to which nothing happens."""
    made = PartedBench(tmp_path_factory.mktemp("undisturbed"))
    done = made.run()
    assert done.code == 0, done.err
    found = made.contents()
    assert len(found) == PARTS + 1
    assert [row["row"] for row in made.rows_of_parts()] == list(range(1, ROWS + 1))
    return found


@pytest.mark.fault(
    injected="a run in parts is killed (SIGKILL) and started again",
    outcome="its workers end by themselves; finished parts stay as they are, only the others are "
    "scored, and the output is as if nothing had happened",
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_in_parts_that_is_killed(
    bench: PartedBench, undisturbed_parts: Contents, jobs: int
) -> None:
    driver = bench.start(bench.words("--jobs", jobs), fault="gate")
    bench.wait_for_the_row(driver)
    driver.kill()
    assert bench.finish(driver).code == -signal.SIGKILL
    kept = bench.finished()
    assert kept, "nothing was finished before"
    assert len(kept) < PARTS
    bench.resume("--jobs", jobs, kept=kept)
    assert bench.contents() == undisturbed_parts


@pytest.mark.fault(
    injected="Ctrl-C, SIGTERM or SIGHUP during a run in parts",
    outcome="exit code 130, 143 or 129 and a line that says how to go on; no draft is left, "
    "finished parts stay, and the same command goes on",
)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_in_parts_that_is_stopped(
    bench: PartedBench, undisturbed_parts: Contents, number: int
) -> None:
    driver = bench.start(bench.words("--jobs", 2), fault="gate", preexec_fn=default_signals)
    bench.wait_for_the_row(driver)
    os.kill(driver.pid, number)
    done = bench.finish(driver)
    assert done.code == 128 + number
    assert "the same command goes on where it was" in done.err
    bench.contents()  # there are no drafts
    bench.resume(kept=bench.finished())
    assert bench.contents() == undisturbed_parts


@pytest.mark.fault(
    injected="a worker that scores a part is killed (SIGKILL)",
    outcome="the part is scored again; the output is as if nothing had happened",
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_worker_of_a_part_that_is_killed(
    bench: PartedBench, undisturbed_parts: Contents, jobs: int
) -> None:
    done = bench.run("--jobs", jobs, fault="kill", once=True)
    assert done.code == 0, done.err
    assert bench.contents() == undisturbed_parts


@pytest.mark.fault(
    injected="a row of a part kills every worker that scores it (abort, segmentation fault, "
    "`os._exit`)",
    outcome="the row gets a problem, all others a score, each once",
)
@pytest.mark.parametrize("fault", ["abort", "segfault", "hard exit"])
def test_a_row_of_a_part_that_kills_its_worker(
    bench: PartedBench, undisturbed_parts: Contents, fault: str
) -> None:
    done = bench.run("--jobs", 2, fault=fault)
    assert done.code == 0, done.err
    check_only_the_poison_row(bench, undisturbed_parts, "the process that scored this row")


@pytest.mark.fault(
    injected="a measure hangs on a row of a part, with `--timeout`",
    outcome="the row gets a problem, all others a score, each once",
)
def test_a_measure_that_hangs_in_a_part(bench: PartedBench, undisturbed_parts: Contents) -> None:
    done = bench.run("--timeout", 4, fault="hang")
    assert done.code == 0, done.err
    check_only_the_poison_row(bench, undisturbed_parts, "took longer than 4 s")


def check_only_the_poison_row(
    bench: PartedBench, undisturbed_parts: Contents, problem: str
) -> None:
    found = bench.contents()
    other = {name for name in found if found[name] != undisturbed_parts[name]}
    assert other == {"manifest.json", "part-00002.parquet"}
    rows_now = bench.rows_of_parts()
    assert [row["row"] for row in rows_now] == list(range(1, ROWS + 1))
    poisoned = rows_now[POISONED - 1]
    assert problem in poisoned["problem"]
    assert poisoned["coverage"] is not None
    assert [row["row"] for row in rows_now if row["faulty"] is None] == [POISONED]


DAMAGES: dict[str, Callable[[Path], object]] = {
    "removed": lambda path: path.unlink(),
    "cut off": lambda path: os.truncate(path, path.stat().st_size // 2),
    "empty": lambda path: path.write_bytes(b""),
    "one bit": lambda path: path.write_bytes(flipped(path.read_bytes())),
    "another part": lambda path: shutil.copy(path.with_name("part-00000.parquet"), path),
}


def flipped(raw: bytes) -> bytes:
    """The same bytes with one bit changed in the middle."""
    at = len(raw) // 3
    return raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]


@pytest.mark.fault(
    injected="a finished part is damaged: removed, cut off, emptied, one bit flipped, or replaced "
    "by another part",
    outcome="its digest tells; a warning names it, it alone is scored again, and the output is as "
    "if nothing had happened",
)
@pytest.mark.parametrize("name", DAMAGES)
def test_a_part_that_is_damaged(bench: PartedBench, undisturbed_parts: Contents, name: str) -> None:
    assert bench.run().code == 0
    kept = bench.finished()
    del kept[1]
    DAMAGES[name](bench.folder / "out" / "part-00001.parquet")
    done = bench.resume(kept=kept)
    assert "part-00001.parquet is missing or damaged" in done.err
    assert bench.contents() == undisturbed_parts


@pytest.mark.fault(
    injected="the manifest of a run in parts is damaged",
    outcome="exit code 2 and one line that says what to do; nothing is removed",
)
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": "tricolore parts 1"}'])
def test_a_manifest_that_is_damaged(bench: PartedBench, content: bytes) -> None:
    assert bench.run().code == 0
    (bench.folder / "out" / "manifest.json").write_bytes(content)
    before = bench.contents()
    done = bench.run()
    assert done.code == 2
    assert "manifest.json" in done.err
    assert bench.contents() == before


@pytest.mark.fault(
    injected="a run in parts is started again with another input, measure, limit or setting",
    outcome="exit code 2 and a line that says what differs; finished parts are untouched",
)
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-m", "coverage"], "the measures were faulty, coverage and are coverage now"),
        (["-m", "faulty,coverage:lowercase=false"], "the measures were"),
        (["--limit", "7"], "the limit was None and is 7 now"),
        (["--evidence"], "evidence is written now"),
        (["--summary", "source", "--source", "summary"], "the columns"),
        ([], "in.jsonl has changed"),
    ],
)
def test_a_run_in_parts_that_is_another_one(
    bench: PartedBench, options: list[str], words: str
) -> None:
    assert bench.run().code == 0
    before = bench.contents()
    if not options:
        bench.write([*rows()[:-1], rows()[0]])
    done = bench.run(*options)
    assert done.code == 2
    assert "has scores of another run" in done.err
    assert words in done.err
    assert bench.contents() == before


@pytest.mark.fault(
    injected="the input of a run in parts is changed in the middle: rows are added, removed or "
    "replaced",
    outcome="exit code 2 and a line that says so; finished parts stay, and with the old input the "
    "run goes on",
)
@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_input_of_parts_that_changes(
    bench: PartedBench, undisturbed_parts: Contents, name: str, jobs: int
) -> None:
    path = bench.folder / "in.jsonl"
    before = path.read_bytes()
    driver = bench.start(bench.words("--jobs", jobs), fault="gate")
    bench.wait_for_the_row(driver)
    CHANGES[name](path)
    bench.open_gate()
    done = bench.finish(driver)
    assert done.code == 2
    assert "in.jsonl changed while it was read" in done.err
    kept = bench.finished()
    assert 0 < len(kept) < PARTS
    path.write_bytes(before)
    bench.resume(kept=kept)
    assert bench.contents() == undisturbed_parts


@pytest.mark.fault(
    injected="a model is removed during a run in parts, and its worker is killed",
    outcome="exit code 2: the model cannot be loaded again; finished parts stay, and when it is "
    "back the run goes on",
)
def test_a_model_of_parts_that_is_removed(bench: PartedBench, encoder: Path) -> None:
    model = bench.folder / "model"
    shutil.copytree(encoder, model)
    measures = ("-m", "faulty,sbert:model=model")
    wanted = bench.run(*measures)
    assert wanted.code == 0, wanted.err
    whole = bench.contents()
    shutil.rmtree(bench.folder / "out")
    driver = bench.start(bench.words(*measures), fault="gate")
    worker = bench.wait_for_the_row(driver)
    model.rename(bench.folder / "away")
    os.kill(worker, signal.SIGKILL)
    bench.open_gate()
    done = bench.finish(driver)
    assert done.code == 2, done.err
    assert "model" in done.err
    kept = bench.finished()
    assert 0 < len(kept) < PARTS
    (bench.folder / "away").rename(model)
    bench.resume(*measures, kept=kept)
    assert bench.contents() == whole


@pytest.mark.fault(
    injected="the disk of parts is full (a small tmpfs)",
    outcome="exit code 1 and one line; finished parts stay and no draft is left, and when there is "
    "room the same command goes on",
)
def test_a_small_disk_for_parts(
    bench: PartedBench, undisturbed_parts: Contents, small_disk: Path
) -> None:
    (small_disk / "other").write_bytes(bytes(24_000))
    (bench.folder / "out").symlink_to(small_disk / "out")
    (small_disk / "out").mkdir()
    done = bench.run()
    assert done.code == 1, done.out
    assert "No space left" in done.err
    kept = bench.finished()
    assert 0 < len(kept) < PARTS
    bench.contents()  # there are no drafts
    (small_disk / "other").unlink()
    bench.resume(kept=kept)
    assert bench.contents() == undisturbed_parts


@pytest.mark.fault(
    injected="the directory of parts is on a read-only disk",
    outcome="exit code 1 and one line, before anything is scored",
)
def test_a_read_only_directory_of_parts(bench: PartedBench, read_only_disk: Path) -> None:
    done = bench.finish(bench.start(bench.words(output=f"{read_only_disk}/out/"), fault="gate"))
    assert done.code == 1
    assert "cannot be written" in done.err


@pytest.mark.fault(
    injected="a second run writes to the directory of a run in parts that is under way",
    outcome="the second stops before it scores anything, and says which process writes it; the "
    "output is that of the first",
)
def test_two_runs_on_one_directory(bench: PartedBench, undisturbed_parts: Contents) -> None:
    driver = bench.start(bench.words(), fault="gate")
    bench.wait_for_the_row(driver)
    words = bench.words()
    second = bench.start(words)
    out, err = second.communicate(timeout=60)
    assert second.returncode == 2, out
    assert f"process {driver.pid} is writing it" in err
    bench.open_gate()
    assert bench.finish(driver).code == 0
    assert bench.contents() == undisturbed_parts


@pytest.mark.fault(
    injected="the clock goes back an hour whenever it is asked during a run in parts, which is "
    "killed and started again",
    outcome="the output is as if nothing had happened",
)
def test_a_clock_that_goes_back_for_parts(
    bench: PartedBench, undisturbed_parts: Contents, tmp_path: Path
) -> None:
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock" / "sitecustomize.py").write_text(BACKWARDS)
    clock = {"PYTHONPATH": f"{tmp_path / 'clock'}{os.pathsep}{bench.environment['PYTHONPATH']}"}
    driver = bench.start(bench.words("--jobs", 2), fault="gate", env=clock)
    bench.wait_for_the_row(driver)
    driver.kill()
    bench.finish(driver)
    bench.resume("--jobs", 2, kept=bench.finished(), env=clock)
    assert bench.contents() == undisturbed_parts


@pytest.mark.fault(
    injected="the cache of a run in parts is locked by another process, or damaged",
    outcome="a warning; the output is right",
)
@pytest.mark.parametrize("is_locked", [True, False])
def test_a_cache_of_parts(bench: PartedBench, undisturbed_parts: Contents, is_locked: bool) -> None:
    assert bench.run(cache=bench.cache).code == 0
    shutil.rmtree(bench.folder / "out")
    path = bench.cache / "scores.sqlite"
    lock = sqlite3.connect(path, isolation_level=None)
    if is_locked:
        lock.execute("BEGIN EXCLUSIVE")
        lock.execute("UPDATE scores SET day = 1")
    else:
        path.write_bytes(b"garbage" * 1000)
    done = bench.run(cache=bench.cache)
    lock.close()
    assert done.code == 0, done.err
    assert bench.contents() == undisturbed_parts
