import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import date

import pytest

from tricolore import TricoloreError, cache_info, clear_cache, evaluate, prune_cache
from tricolore.errors import CacheError
from tricolore.run.cache import today

ROWS = [{"source": f"a b c {n // 4}", "summary": f"a b {n}"} for n in range(2000)]


@pytest.fixture
def directory(tmp_path):
    evaluate(ROWS, "coverage,length", cache=tmp_path)
    return tmp_path


def set_days(directory):
    """Let every second score be a hundred days old."""
    with closing(sqlite3.connect(directory / "scores.sqlite")) as db, db:
        keys = db.execute("SELECT texts, measure FROM scores").fetchall()[::2]
        db.executemany(
            f"UPDATE scores SET day = {today() - 100} WHERE texts = ? AND measure = ?", keys
        )


def days(directory):
    with closing(sqlite3.connect(directory / "scores.sqlite")) as db:
        found = db.execute("SELECT day, count(*) FROM scores GROUP BY day").fetchall()
    return {today() - day: count for day, count in found}


def test_info(directory):
    info = cache_info(directory)
    assert (info.scores, info.set_aside) == (4000, [])
    assert info.bytes == sum(file.stat().st_size for file in directory.iterdir())
    assert 0 <= (date.today() - info.first_use).days <= 1
    assert info.last_use == info.first_use
    set_days(directory)
    assert (cache_info(directory).last_use - cache_info(directory).first_use).days == 100


def test_no_cache_is_no_error_and_stays_none(tmp_path):
    place = tmp_path / "none"
    assert cache_info(place).scores == 0
    assert prune_cache(place, max_mb=1).scores == 0
    assert clear_cache(place).scores == 0
    assert not place.exists()


def test_old_scores_are_pruned(directory):
    set_days(directory)
    removed = prune_cache(directory, older_than=100)
    assert removed.scores == 0
    removed = prune_cache(directory, older_than=99)
    assert removed.scores == 2000
    assert removed.bytes > 0
    assert days(directory) == {0: 2000}
    again = evaluate(ROWS, "coverage,length", cache=directory).summary
    assert (again.reused, again.scored) == (2000, 2000)


def test_the_oldest_are_pruned_first(directory):
    set_days(directory)
    size = cache_info(directory).bytes
    removed = prune_cache(directory, max_mb=size * 0.6 / 1e6)
    after = cache_info(directory)
    assert after.bytes <= size * 0.6
    assert removed.bytes == size - after.bytes
    assert days(directory)[0] == 2000, "none of the new ones"
    assert prune_cache(directory, max_mb=0).scores == after.scores
    assert cache_info(directory).scores == 0


def test_nothing_is_pruned_unless_it_is_said_what(directory):
    with pytest.raises(TricoloreError, match="nothing says which"):
        prune_cache(directory)
    for wrong in (-1, float("nan")):
        with pytest.raises(TricoloreError, match="at least 0"):
            prune_cache(directory, older_than=wrong)


def test_a_use_is_noted_after_a_week(directory):
    for ago, expected in ((7, 7), (8, 0)):
        with closing(sqlite3.connect(directory / "scores.sqlite")) as db, db:
            db.execute("UPDATE scores SET day = ?", [today() - ago])
        evaluate(ROWS, "coverage,length", cache=directory)
        assert days(directory) == {expected: 4000}


def test_clear_removes_only_what_is_ours(directory):
    (directory / "data").mkdir()
    for name in ("scores.sqlite.bad-1", "scores.sqlite.bad-1-wal", "scores.sqlite.bad-x", "mine"):
        (directory / name).write_text("x")
    assert len(cache_info(directory).set_aside) == 2
    removed = clear_cache(directory)
    assert (removed.scores, removed.set_aside) == (4000, 2)
    assert removed.bytes > 100_000
    assert {f.name for f in directory.iterdir()} == {"data", "mine", "scores.sqlite.bad-x"}


def test_a_damaged_cache_can_be_cleared(directory):
    (directory / "scores.sqlite").write_text("damaged " * 100)
    with pytest.raises(CacheError, match="clearing the cache removes it"):
        cache_info(directory)
    with pytest.raises(CacheError, match="cannot be used"):
        prune_cache(directory, older_than=1)
    assert clear_cache(directory).scores is None
    assert list(directory.iterdir()) == []


def test_a_locked_cache_is_not_pruned(directory, monkeypatch):
    monkeypatch.setattr("tricolore.api.cache.PATIENCE", 0.1)
    with closing(sqlite3.connect(directory / "scores.sqlite")) as db:
        db.execute("BEGIN EXCLUSIVE")
        with pytest.raises(CacheError, match="try again when that has ended"):
            prune_cache(directory, max_mb=0)
    assert cache_info(directory).scores == 4000


RUN = """
import sys
from tricolore import Cache, evaluate
from pathlib import Path
ROWS = [{"source": f"a b c {n // 4}", "summary": f"a b {n}"} for n in range(4000)]
with Cache(Path(sys.argv[1])) as cache:
    for part in range(0, 4000, 1000):
        print(sys.stdin.readline().strip(), flush=True)
        evaluate(ROWS[part : part + 1000], "coverage,length", cache=cache)
"""


def test_a_run_goes_on_while_the_cache_is_pruned_and_cleared(tmp_path):
    run = subprocess.Popen(
        [sys.executable, "-c", RUN, tmp_path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

    def go(word):
        run.stdin.write(f"{word}\n")
        run.stdin.flush()
        assert run.stdout.readline() == f"{word}\n", run.stderr.read()

    go("first")
    go("second")  # the first thousand rows are in the cache
    assert prune_cache(tmp_path, max_mb=0).scores >= 2000
    go("third")
    clear_cache(tmp_path)
    go("fourth")
    assert run.communicate() == ("", "")
    assert run.returncode == 0
    with closing(sqlite3.connect(tmp_path / "scores.sqlite")) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert cache_info(tmp_path).scores >= 2000
    assert evaluate(ROWS[:100], "coverage", cache=tmp_path).summary.rows_with_problem == 0
