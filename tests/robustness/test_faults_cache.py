"""Faults of the cache: none of them stops a run or changes a score."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.robustness.bench import Bench, Finished
from tests.robustness.commands import lay_out
from tests.robustness.running import run

pytestmark = pytest.mark.slow
Harm = Callable[[Path], object]
"""Does harm to a cache file."""


def _overwrite(start: float, end: float) -> Harm:
    """Garbage in a part of the file, given by its ends from 0 to 1."""

    def harm(path: Path) -> None:
        raw = bytearray(path.read_bytes())
        first, last = int(start * len(raw)), int(end * len(raw))
        raw[first:last] = os.urandom(last - first)
        path.write_bytes(raw)

    return harm


def _cut(share: float) -> Harm:
    return lambda path: path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])


def _sql(*statements: str) -> Harm:
    def harm(path: Path) -> None:
        with closing(sqlite3.connect(path)) as db:
            for statement in statements:
                db.execute(statement)
            db.commit()

    return harm


def _tables(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        found = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return [name for (name,) in found]


def _every_table(statement: str) -> Harm:
    return lambda path: _sql(*(statement.format(name) for name in _tables(path)))(path)


DAMAGES: dict[str, Harm] = {
    "garbage in the header": _overwrite(0, 0.01),
    "garbage in the middle": _overwrite(0.4, 0.8),
    "garbage everywhere": _overwrite(0, 1),
    "the first half": _cut(0.5),
    "the first page": lambda path: path.write_bytes(path.read_bytes()[:4096]),
    "ten bytes": lambda path: path.write_bytes(path.read_bytes()[:10]),
    "another schema": _every_table("ALTER TABLE {0} RENAME COLUMN score TO other"),
    "another table": _sql("DROP TABLE scores", "CREATE TABLE scores (a, b, c)"),
    "a view": _sql("DROP TABLE scores", "CREATE VIEW scores AS SELECT 1 AS key, 2 AS score"),
    "scores that are not JSON": _sql("UPDATE scores SET score = '{'"),
    "scores of another form": _sql("UPDATE scores SET score = '[1, 2]'"),
    "scores that are texts": _sql("""UPDATE scores SET score = '{"value": "x"}'"""),
    "scores that are NaN": _sql("""UPDATE scores SET score = '{"value": NaN}'"""),
    "scores that are bytes": _sql("UPDATE scores SET score = x'ff00ff'"),
    "an application of another": _sql("PRAGMA user_version = 999"),
}
"""Those in SQL know that there is a table `scores` with a column `score`."""


def filled(bench: Bench) -> Path:
    """The file of a cache that has all scores."""
    assert bench.run(output="first.jsonl").code == 0
    return _the_file(bench.cache)


def _the_file(cache: Path) -> Path:
    [path] = cache.glob("*.sqlite")
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def check_unharmed(bench: Bench, done: Finished, undisturbed: bytes) -> None:
    assert done.code == 0, done.err
    assert (bench.folder / "out.jsonl").read_bytes() == undisturbed


@pytest.mark.fault(
    injected="the cache is damaged: garbage, cut off, another schema, rows that are not scores",
    outcome="the output is right; the next run is, too, and has a cache again",
)
@pytest.mark.parametrize("name", DAMAGES)
def test_a_cache_that_is_damaged(tmp_path: Path, name: str) -> None:
    lay_out(tmp_path)

    def score() -> tuple[bytes, str]:
        words = ("score", "judged.jsonl", "-m", "coverage,length", "--cache", "cache")
        outputs = ("out.jsonl", "out.jsonl.meta.json")
        done = run(tmp_path, *words, "-o", "out.jsonl", outputs=outputs)
        assert done.code == 0, done.err
        written = (tmp_path / "out.jsonl").read_bytes()
        for output in outputs:
            (tmp_path / output).unlink()
        return written, done.out

    wanted, _ = score()
    DAMAGES[name](_the_file(tmp_path / "cache"))
    assert score()[0] == wanted
    again, words = score()
    assert again == wanted
    assert "24 scores from the cache" in words


@pytest.mark.fault(
    injected="another process holds a lock on the cache",
    outcome="a warning; the run goes on without the cache, and its output is right",
)
def test_a_cache_that_is_locked(bench: Bench, undisturbed: bytes) -> None:
    path = filled(bench)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("BEGIN EXCLUSIVE")
        done = bench.run()
    check_unharmed(bench, done, undisturbed)
    assert "cache" in done.err


@pytest.mark.fault(
    injected="the directory of the cache is removed during a run",
    outcome="the run goes on, and its output is right",
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_cache_that_is_removed(bench: Bench, undisturbed: bytes, jobs: int) -> None:
    driver = bench.start(bench.words("--jobs", jobs), fault="gate")
    bench.wait_for_the_row(driver)
    shutil.rmtree(bench.cache)
    bench.open_gate()
    check_unharmed(bench, bench.finish(driver), undisturbed)


@pytest.mark.fault(
    injected="the place of the cache is a file, a device or a directory that does not exist",
    outcome="a warning, or an error before anything is scored; never a wrong score",
)
@pytest.mark.parametrize("place", ["in.jsonl", "/dev/null", "/proc/none"])
def test_a_place_that_cannot_hold_a_cache(bench: Bench, undisturbed: bytes, place: str) -> None:
    done = bench.run(cache=place)
    assert "cache" in done.err
    if done.code != 2:
        check_unharmed(bench, done, undisturbed)


@pytest.mark.fault(
    injected="two runs at once share a cache",
    outcome="both outputs are right",
)
def test_two_runs_on_one_cache(bench: Bench, undisturbed: bytes) -> None:
    outputs = ("one.jsonl", "two.jsonl")
    started = [bench.start(bench.words("--jobs", 2, output=name), fault="gate") for name in outputs]
    bench.wait_for_the_row(started[0])
    bench.open_gate()
    for process in started:
        process.wait()
    assert [bench.finish(process).code for process in started] == [0, 0]
    for name in outputs:
        assert (bench.folder / name).read_bytes() == undisturbed


@pytest.mark.fault(
    injected="a second run writes to the output of a run that is under way",
    outcome="the second stops before it scores anything, and says which process writes the file; "
    "the output is that of the first",
)
def test_two_runs_on_one_output(bench: Bench, undisturbed: bytes) -> None:
    first = bench.start(bench.words(cache="off"), fault="gate")
    bench.wait_for_the_row(first)
    second = bench.start(bench.words(cache="off"))
    out, err = second.communicate()
    assert second.returncode == 2
    assert f"process {first.pid} is writing it" in err
    assert not out
    bench.open_gate()
    assert bench.finish(first).code == 0
    assert (bench.folder / "out.jsonl").read_bytes() == undisturbed
    assert bench.files() == {"in.jsonl", "out.jsonl", "out.jsonl.meta.json"}
