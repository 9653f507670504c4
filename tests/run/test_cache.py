import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import cached_runs
import pytest
from cached_runs import digest, rows, scores

from tricolore import Example, Run, Score
from tricolore.errors import CacheError
from tricolore.run.cache import Cache
from tricolore.run.cache_keys import MeasureKey

MEASURE = MeasureKey(b"measure8", frozenset(), ())
ROWS = rows()
EXPECTED = scores(ROWS)


def find(cache, keys, measure=MEASURE):
    [found] = cache.look_up([measure], [keys])
    return found


def test_what_is_kept_is_found_by_another_connection(tmp_path):
    problem, number = Score.missing("empty"), Score(0.1 + 0.2)
    with Cache(tmp_path) as cache:
        cache.keep([(MEASURE, b"a", number), (MEASURE, b"b", problem)])
    with Cache(tmp_path) as cache:
        assert repr(find(cache, [b"a", b"b", b"c", b"a"])) == repr([number, problem, None, number])


def test_what_may_succeed_another_time_is_not_kept(tmp_path):
    with Cache(tmp_path) as cache:
        cache.keep([(MEASURE, b"a", Score.missing("no memory", is_final=False))])
        assert find(cache, [b"a"]) == [None]


def test_more_keys_than_one_question_holds(tmp_path):
    keys = [str(n).encode() for n in range(3000)]
    with Cache(tmp_path) as cache:
        cache.keep([(MEASURE, key, Score(float(n))) for n, key in enumerate(keys)])
        assert [score.value for score in find(cache, keys)] == list(range(3000))


def test_more_measures_than_one_question_holds(tmp_path):
    measures = [MeasureKey(b"m%07d" % n, frozenset(), ()) for n in range(1200)]
    with Cache(tmp_path) as cache:
        cache.keep([(measure, b"a", Score(float(n))) for n, measure in enumerate(measures)])
        found = cache.look_up(measures[::2], [[b"a"]] * 600)
    assert [score.value for [score] in found] == list(range(0, 1200, 2))


def test_a_closed_cache(tmp_path):
    with Cache(tmp_path) as cache:
        pass
    with pytest.raises(CacheError, match="is closed"):
        find(cache, [b"a"])
    with pytest.raises(CacheError, match="is closed"):
        cache.keep([(MEASURE, b"a", Score(0.5))])


def test_four_threads_share_one_cache(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    def score(start):
        rows = [Example(source=f"s {n % 60}", summary=f"t {n}") for n in range(start, start + 300)]
        return [r.scores["length"].value for r in Run(["length"], cache=cache).score(rows)]

    with Cache(tmp_path) as cache, ThreadPoolExecutor(4) as pool:
        assert list(pool.map(score, [0, 100, 200, 300])) == [[2.0] * 300] * 4


# Faults. In each case the scores are those of a run without a cache, and the log says it once.


@pytest.fixture
def filled(tmp_path):
    """The file of a cache with all scores."""
    with Cache(tmp_path / "cache") as cache:
        scores(ROWS, cache)
    return cache.path


@pytest.fixture
def no_patience(monkeypatch):
    monkeypatch.setattr("tricolore.run.cache.PATIENCE", 0.1)


def reused(path):
    """How many scores a run takes from the cache."""
    with Cache(path.parent) as cache:
        run = Run([cached_runs.MEASURES], cache=cache)
        assert len(list(run.score(ROWS))) == len(ROWS)
    return run.reused


def execute(path, *statements):
    with closing(sqlite3.connect(path)) as db, db:
        for statement in statements:
            db.execute(statement)


def overwrite(path, start, step, bytes_each):
    """Write noise into the file at regular distances."""
    noise = random.Random(0)
    raw = bytearray(path.read_bytes())
    for at in range(start, len(raw) - bytes_each, step):
        raw[at : at + bytes_each] = noise.randbytes(bytes_each)
    path.write_bytes(raw)


def make_directory(path):
    path.unlink()
    (path / "below").mkdir(parents=True)


OTHER = "CREATE TABLE scores (key BLOB PRIMARY KEY, score TEXT) WITHOUT ROWID"
DAMAGE = {
    "not a database": lambda path: path.write_text("this is not a database " * 100),
    "the header": lambda path: overwrite(path, 0, 10**9, 16),
    "all pages": lambda path: overwrite(path, 4096, 4096, 12),
    "zeros": lambda path: path.write_bytes(path.read_bytes()[:4096] + bytes(4096 * 9)),
    "truncated": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "a few bytes": lambda path: path.write_bytes(path.read_bytes()[:50]),
    "another schema": lambda path: execute(path, "DROP TABLE scores", OTHER),
    "a view": lambda path: execute(
        path, "ALTER TABLE scores RENAME TO t", "CREATE VIEW scores AS SELECT * FROM t"
    ),
    "a directory": make_directory,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_set_aside(damage, filled, caplog):
    DAMAGE[damage](filled)
    with Cache(filled.parent) as cache:
        assert scores(ROWS, cache) == EXPECTED
    [warning] = [record.getMessage() for record in caplog.records]
    assert "set aside as scores.sqlite.bad-1" in warning
    assert filled.with_name("scores.sqlite.bad-1").exists()
    assert reused(filled) == 3 * len(ROWS), "the new file is whole"


def test_an_empty_file_is_a_new_cache(filled, caplog):
    filled.write_bytes(b"")
    assert reused(filled) == 0
    assert reused(filled) == 3 * len(ROWS)
    assert not caplog.records


ROW_DAMAGE = {
    "null": "UPDATE scores SET score = NULL",
    "a number": "UPDATE scores SET score = 0.5",
    "text": "UPDATE scores SET score = CAST('{\"value\": 1}' AS TEXT)",
    "invalid text": "UPDATE scores SET score = CAST(x'ff' AS TEXT)",
    "noise": "UPDATE scores SET score = randomblob(13)",
    "of another row": "UPDATE scores SET score = (SELECT max(score) FROM scores)",
    "no day": "UPDATE scores SET day = NULL",
    "a strange day": "UPDATE scores SET day = 'monday'",
}


@pytest.mark.parametrize("damage", ROW_DAMAGE)
def test_unsound_rows_are_computed_again(damage, filled, caplog):
    execute(filled, ROW_DAMAGE[damage])
    with Cache(filled.parent) as cache:
        assert scores(ROWS, cache) == EXPECTED
    assert reused(filled) == 3 * len(ROWS), "they are overwritten"
    assert not caplog.records
    assert [file.name for file in filled.parent.iterdir()] == ["scores.sqlite"]


def test_a_file_that_is_damaged_again_and_again(filled, caplog, monkeypatch):
    """After the third time a run goes on without."""
    monkeypatch.setattr("tricolore.run.run.BATCH", 50)
    noise, new = filled.with_name("noise"), rows(600, 1200)

    def damaging():
        for at, example in enumerate(new):
            if at % 50 == 0:
                noise.write_text("not a database" * 500)
                noise.replace(filled)
                for ending in ("-wal", "-shm"):  # else SQLite restores the file from its log
                    filled.with_name(filled.name + ending).unlink(missing_ok=True)
            yield example

    with Cache(filled.parent) as cache:
        assert scores(damaging(), cache) == scores(new)
    names = {file.name.removeprefix("scores.sqlite") for file in filled.parent.iterdir()}
    assert {".bad-1", ".bad-2", ".bad-3"} <= names
    assert ".bad-4" not in names
    assert [record.getMessage().count("set aside") for record in caplog.records] == [1, 1, 1, 0]
    assert "goes on without a cache" in caplog.records[-1].getMessage()


def test_a_directory_that_is_removed_in_the_middle(filled, caplog, monkeypatch):
    monkeypatch.setattr("tricolore.run.run.BATCH", 50)
    shutil.rmtree(filled.parent)

    def removing():
        for at, example in enumerate(ROWS):
            if at == 300:
                shutil.rmtree(filled.parent)
            yield example

    with Cache(filled.parent) as cache:
        assert scores(removing(), cache) == EXPECTED
        assert cache.lost == 0
    assert reused(filled) == 3 * 300
    assert not caplog.records


HOLD = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
if sys.argv[2] == "all":
    db.execute("PRAGMA locking_mode=EXCLUSIVE")
db.execute("BEGIN EXCLUSIVE")
db.execute("DELETE FROM scores WHERE 0")
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def locked(filled):
    """Let another process lock the file; call the result to release it."""
    holders = []

    def lock(what):
        command = [sys.executable, "-c", HOLD, filled, what]
        holders.append(
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )
        assert holders[-1].stdout.readline() == "locked\n"
        return lambda: holders[-1].communicate("")

    yield lock
    for holder in holders:
        holder.kill()
        holder.wait()
        holder.stdin.close()
        holder.stdout.close()


def test_a_locked_file_is_read_but_not_written(filled, locked, caplog, no_patience):
    locked("writing")
    more = rows(300, 900)
    with Cache(filled.parent) as cache:
        run = Run([cached_runs.MEASURES], cache=cache)
        assert [repr(dict(r.scores)) for r in run.score(more)] == scores(more)
        assert (run.reused, cache.lost) == (900, 900)
    [warning] = [record.getMessage() for record in caplog.records]
    assert "locked" in warning
    assert not [file for file in filled.parent.iterdir() if "bad" in file.name]


def test_writing_goes_on_when_the_lock_is_released(
    filled, locked, caplog, no_patience, monkeypatch
):
    monkeypatch.setattr("tricolore.run.run.BATCH", 100)
    release = locked("writing")

    def releasing():
        for at, example in enumerate(rows(600, 1200)):
            if at == 300:
                release()
            yield example

    with Cache(filled.parent) as cache:
        assert scores(releasing(), cache) == scores(rows(600, 1200))
        assert cache.lost == 3 * 300
    assert len(caplog.records) == 1


def test_a_file_that_another_process_has_for_itself(filled, locked, caplog, no_patience):
    release = locked("all")
    with Cache(filled.parent) as cache:
        assert scores(ROWS, cache) == EXPECTED
    [warning] = [record.getMessage() for record in caplog.records]
    assert "locked" in warning
    release()
    assert reused(filled) == 3 * len(ROWS), "it was neither set aside nor changed"


PROGRAM = """
import logging, resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import cached_runs
from tricolore import Cache, TricoloreError
logging.basicConfig(level=logging.WARNING, format="%(message)s")
expected = cached_runs.digest(cached_runs.rows(0, 2000))
"""
RUN = """
try:
    with Cache(Path(sys.argv[2])) as cache:
        same = cached_runs.digest(cached_runs.rows(0, 2000), cache) == expected
        print("same" if same else "other", "lost" if cache.lost else "kept")
except TricoloreError as error:
    print(error)
"""
HERE = Path(__file__).parent


def run_program(program, directory):
    command = [sys.executable, "-c", program, HERE, directory]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_full_disk(filled):
    """No file of the process may grow beyond 150 kB."""
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))"
    done = run_program(PROGRAM + limit + RUN, filled.parent)
    assert done.stdout == "same lost\n", done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert not [file for file in filled.parent.iterdir() if "bad" in file.name]
    assert reused(filled) == 3 * len(ROWS), "what was there before is still there"


@pytest.mark.parametrize("what", ["directory", "file", "unreadable"])
def test_no_permission_to_write(what, filled, without_privileges):
    filled.chmod(0o000 if what == "unreadable" else 0o444)
    filled.parent.chmod(0o555 if what == "directory" else 0o755)
    done = without_privileges(PROGRAM + RUN, HERE, filled.parent)
    filled.parent.chmod(0o755)
    filled.chmod(0o644)
    assert done.stdout == "same lost\n", done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert reused(filled) == 3 * len(ROWS)


def test_a_place_that_cannot_hold_a_cache(tmp_path, without_privileges):
    """The only error: what was asked for cannot be made at all."""
    (tmp_path / "file").write_text("")
    with pytest.raises(CacheError, match="cannot be created"):
        Cache(tmp_path / "file")
    with pytest.raises(CacheError, match="cannot be created"):
        Cache(Path("/proc/x"))
    (tmp_path / "fixed").mkdir(mode=0o555)
    done = without_privileges(PROGRAM + RUN, HERE, tmp_path / "fixed")
    assert "scores.sqlite cannot be created" in done.stdout


# Several processes.


class Other:
    """Another process that scores parts of the rows, one at each `go`."""

    def __init__(self, directory, *parts):
        numbers = [str(number) for part in parts for number in part]
        command = [sys.executable, HERE / "cached_runs.py", directory, *numbers]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        assert self._process.stdout.readline() == "open\n"

    def begin(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def result(self):
        return self._process.stdout.readline().strip()

    def go(self):
        self.begin()
        return self.result()

    def end(self):
        out, err = self._process.communicate("\n")
        assert out == "closed\n", err
        return err


def check(path):
    with closing(sqlite3.connect(path)) as db:
        return db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def count(path):
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT count(*) FROM scores").fetchone()[0]


def test_one_process_sets_aside_what_another_has_open(filled, caplog):
    other = Other(filled.parent, (0, 100), (700, 800))
    assert other.go() == digest(rows(0, 100))
    DAMAGE["all pages"](filled)
    with Cache(filled.parent) as cache:
        assert scores(ROWS, cache) == EXPECTED
        assert len(caplog.records) == 1
        assert other.go() == digest(rows(700, 800))
        other.end()
        assert scores(rows(600, 700), cache) == scores(rows(600, 700))
    assert check(filled)
    assert count(filled) == 3 * (600 + 100 + 100), "both went on with the new file"


def test_closing_a_file_that_was_set_aside_leaves_the_new_one_alone(filled):
    """SQLite removes the log of a database when the last process closes it: not of another one."""
    other = Other(filled.parent, (600, 700))
    assert other.go() == digest(rows(600, 700))
    DAMAGE["all pages"](filled)
    with Cache(filled.parent) as cache:
        scores(ROWS, cache)
        other.end()
        third = Other(filled.parent, (0, 600))
        assert third.go() == digest(ROWS)
        third.end()
        assert scores(rows(700, 800), cache) == scores(rows(700, 800))
    assert check(filled)
    assert count(filled) == 3 * 700


def test_processes_on_one_cache_that_is_damaged_under_them(filled):
    parts = [(0, 500), (300, 800), (0, 1000)]
    expected = [digest(rows(*part)) for part in parts]
    others = [Other(filled.parent, *parts) for _ in range(3)]
    for wanted in expected:
        for other in others:
            other.begin()
        if filled.exists():
            overwrite(filled, 4096 * 3 + 8, 4096 * 5, 12)
        assert [other.result() for other in others] == [wanted] * 3
    for other in others:
        other.end()
