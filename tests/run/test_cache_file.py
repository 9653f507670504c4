import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from tricolore.run.cache_file import (
    FixedConnection,
    NotACache,
    Trouble,
    files_of,
    files_set_aside,
    held,
    open_database,
    set_aside,
    trouble_of,
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "scores.sqlite"
    open_database(path, wait=1).close()
    return path


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE scores",
        "ALTER TABLE scores ADD COLUMN more",
        "CREATE TABLE other (x)",
        "CREATE TRIGGER t AFTER INSERT ON scores BEGIN DELETE FROM scores; END",
        "CREATE INDEX i ON scores (day)",
    ],
)
def test_other_tables_are_not_a_cache(path, statement):
    with closing(sqlite3.connect(path)) as db:
        db.execute(statement)
        db.execute("CREATE TABLE IF NOT EXISTS another (x)")
    with pytest.raises(NotACache):
        open_database(path, wait=1)


def test_a_view_is_not_the_table(path):
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE scores RENAME TO hidden")
        db.execute("CREATE VIEW scores AS SELECT * FROM hidden")
    with pytest.raises(NotACache):
        open_database(path, wait=1)


def test_what_an_error_means(path):
    assert trouble_of(NotACache()) is Trouble.DAMAGED
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(sqlite3.DatabaseError) as found:
        open_database(path, wait=1)
    assert trouble_of(found.value) is Trouble.DAMAGED
    with pytest.raises(sqlite3.OperationalError) as found:
        open_database(path / "below", wait=1)
    assert trouble_of(found.value) is Trouble.UNUSABLE


def test_a_locked_file_is_not_damaged(path):
    with closing(sqlite3.connect(path)) as other, closing(open_database(path, wait=0)) as db:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError) as found:
            db.execute("DELETE FROM scores")
        assert trouble_of(found.value) is Trouble.LOCKED


def test_set_aside_with_all_that_belongs_to_it(path):
    (path.parent / "scores.sqlite-wal").write_text("w")
    (path.parent / "scores.sqlite.bad-notes.txt").write_text("not ours")
    assert set_aside(path).name == "scores.sqlite.bad-1"
    path.write_text("again")
    assert set_aside(path).name == "scores.sqlite.bad-2"
    assert files_of(path) == []
    names = [file.name.removeprefix("scores.sqlite.") for file in files_set_aside(path)]
    assert names == ["bad-1", "bad-1-wal", "bad-2"]


def test_only_one_process_holds_a_directory(tmp_path):
    program = (
        "import sys; from pathlib import Path; from tricolore.run.cache_file import held\n"
        "with held(Path(sys.argv[1]), wait=60):\n print('held', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", program, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert other.stdout.readline() == b"held\n"
    import fcntl
    import os

    mine = os.open(tmp_path, os.O_RDONLY)
    with pytest.raises(BlockingIOError):
        fcntl.flock(mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with held(tmp_path, wait=0.05):
        pass  # it does not wait for ever
    other.communicate(b"")
    fcntl.flock(mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(mine)


def test_a_directory_that_is_not_there_holds_nobody_up(tmp_path):
    with held(tmp_path / "none", wait=60):
        pass


READ_ONLY = """
import sys
from pathlib import Path
from tricolore.run.cache_file import FixedConnection, open_database
db = open_database(Path(sys.argv[1]), wait=1)
print(isinstance(db, FixedConnection), db.execute("SELECT count(*) FROM scores").fetchall())
"""


def test_a_file_in_a_directory_without_write_permission_is_read(path, without_privileges):
    with closing(open_database(path, wait=1)) as db, db:
        db.execute("INSERT INTO scores VALUES (x'01', x'02', 3, x'04')")
    path.chmod(0o444)
    path.parent.chmod(0o555)
    done = without_privileges(READ_ONLY, path)
    path.parent.chmod(0o755)
    assert done.stdout == "True [(1,)]\n", done.stderr
    assert issubclass(FixedConnection, sqlite3.Connection)
