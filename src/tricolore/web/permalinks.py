"""Permalinks: requests that are kept in a SQLite file under an id that nobody can guess."""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tricolore.errors import TricoloreError
from tricolore.web.problems import ApiError

_TABLE = "CREATE TABLE IF NOT EXISTS permalinks (id TEXT PRIMARY KEY, made REAL, body BLOB)"
_ID_BYTES = 16
_WAIT = 5.0
"""Seconds to wait for another process that writes the file."""


class Permalinks:
    """Bodies of requests by id. One that is kept is never removed to make place for another.

    Args:
        path: The SQLite file; it is made if it is not there.
        most: The number of permalinks that are kept.
        most_bytes: The bytes of all of them together.
    """

    def __init__(self, path: Path, *, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)  # texts of users: for nobody else on this machine
            self._db = sqlite3.connect(path, _WAIT, check_same_thread=False, isolation_level=None)
            self._db.execute("PRAGMA trusted_schema=OFF")
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute(_TABLE)
            self._db.execute("SELECT id, made, body FROM permalinks LIMIT 1").fetchone()
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise TricoloreError(
                f"permalinks cannot be kept in {path}: {reason}",
                "name another file with --permalinks FILE, or keep none with --permalinks off",
            ) from error

    def keep(self, body: bytes) -> str:
        """Keep a body: its new id."""
        made = secrets.token_urlsafe(_ID_BYTES)
        with self._used() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                count, size = db.execute(
                    "SELECT count(*), coalesce(sum(length(body)), 0) FROM permalinks"
                ).fetchone()
                if count >= self._most or size + len(body) > self._most_bytes:
                    raise ApiError(507, "this server has no place for another permalink")
                db.execute("INSERT INTO permalinks VALUES (?, ?, ?)", (made, time.time(), body))
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")
        return made

    def find(self, id: str) -> bytes | None:
        """The body that was kept under an id."""
        with self._used() as db:
            row = db.execute("SELECT body FROM permalinks WHERE id = ?", (id,)).fetchone()
        return None if row is None else bytes(row[0])

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._db
            except sqlite3.Error as error:
                raise ApiError(
                    503, "the permalinks of this server cannot be used now", retry_after=10
                ) from error
