"""The SQLite file of the score cache: opening it, and setting a damaged one aside."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path

NAME = "scores.sqlite"
TABLE = (
    "CREATE TABLE scores (texts BLOB, measure BLOB, day INTEGER, score BLOB,"
    " PRIMARY KEY (texts, measure)) WITHOUT ROWID"
)
"""One row per score. `day` counts the days since 1970 to when it was last known to be used."""

_BESIDE = ("", "-wal", "-shm", "-journal")
"""The endings of the files that SQLite keeps for one database."""
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_DAMAGED = {
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_SCHEMA,
    sqlite3.SQLITE_TOOBIG,
}


class Trouble(Enum):
    """What an error of SQLite means for the cache."""

    LOCKED = "another process has locked it"
    DAMAGED = "the file is damaged or not a cache of this version"
    UNUSABLE = "the file cannot be read or written now: a full disk, no permission"


class FixedConnection(sqlite3.Connection):
    """A connection to a file that cannot be written.

    It looks for no locks, so that what another process writes may look like damage.
    """


class NotACache(sqlite3.DatabaseError):
    """A database whose tables are not those of a cache."""


def trouble_of(error: sqlite3.Error) -> Trouble:
    """What an error means; only a damaged file may be set aside."""
    if isinstance(error, NotACache):
        return Trouble.DAMAGED
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in _LOCKED:
        return Trouble.LOCKED
    return Trouble.DAMAGED if code in _DAMAGED else Trouble.UNUSABLE


def open_database(path: Path, *, wait: float) -> sqlite3.Connection:
    """Open the file, or make it; where it cannot be written, it is opened to read only.

    `wait` is how long an access waits for the lock of another process, in seconds.
    """
    if path.is_dir():
        raise NotACache(f"{path} is a directory")
    try:
        return _checked(str(path), wait)
    except sqlite3.Error as error:
        if trouble_of(error) is not Trouble.UNUSABLE or not os.access(path, os.R_OK):
            raise
        with suppress(sqlite3.Error):
            # Without a place for its other files, SQLite reads one that it takes to be fixed.
            return _checked(f"{path.absolute().as_uri()}?immutable=1", wait, is_fixed=True)
        raise


def _checked(name: str, wait: float, *, is_fixed: bool = False) -> sqlite3.Connection:
    # Several threads may use it, one at a time: `Cache` holds a lock during each access.
    kind = FixedConnection if is_fixed else sqlite3.Connection
    db = sqlite3.connect(name, wait, check_same_thread=False, uri=is_fixed, factory=kind)
    try:
        db.execute("PRAGMA trusted_schema=OFF")
        db.execute("PRAGMA cell_size_check=ON")
        if not is_fixed:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=NORMAL")
            if not _tables(db):
                db.execute(TABLE.replace("TABLE", "TABLE IF NOT EXISTS", 1))
        if _tables(db) != [("scores", TABLE)]:
            raise NotACache("its tables are not those of this version")
        db.execute("SELECT 1 FROM scores LIMIT 1").fetchone()
        db.text_factory = bytes  # text where none belongs is not decoded
    except sqlite3.Error:
        db.close()
        raise
    return db


def _tables(db: sqlite3.Connection) -> list[tuple[object, object]]:
    return db.execute("SELECT name, sql FROM sqlite_master").fetchall()


def set_aside(path: Path) -> Path:
    """Rename a damaged file, with the files that belong to it: the new name."""
    free = (n for n in range(1, 10**9) if not os.path.lexists(f"{path}.bad-{n}"))
    new = Path(f"{path}.bad-{next(free)}")
    for ending in reversed(_BESIDE):
        with suppress(FileNotFoundError):
            os.rename(f"{path}{ending}", f"{new}{ending}")
    return new


def files_of(path: Path) -> list[Path]:
    """The files of the database."""
    return [file for ending in _BESIDE if (file := Path(f"{path}{ending}")).is_file()]


def files_set_aside(path: Path) -> list[Path]:
    """The damaged files that were set aside at any time, with those that belong to them."""
    ours = re.compile(rf"\.bad-\d+({'|'.join(_BESIDE)})")
    found = path.parent.glob(f"{path.name}.bad-*")
    return sorted(f for f in found if ours.fullmatch(f.name[len(path.name) :]) and f.is_file())


@contextmanager
def held(directory: Path, *, wait: float) -> Iterator[None]:
    """Keep other processes from opening, setting aside or removing the file within a block.

    Where directories cannot be locked, and after the wait, nothing keeps them from it.
    """
    try:
        import fcntl  # noqa: F401 (Windows has none)

        handle = os.open(directory, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        deadline = time.monotonic() + wait
        while not _is_locked(handle) and time.monotonic() < deadline:
            time.sleep(0.02)
        yield
    finally:
        os.close(handle)


def _is_locked(handle: int) -> bool:
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
