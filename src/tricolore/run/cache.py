"""A cache of scores on disk, which lets a killed run continue where it stopped."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Self

from tricolore.errors import CacheError
from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.memo import remembered
from tricolore.score import Score

_ASK_AT_ONCE = 500
_FORMAT = 2
"""Increase this when the stored form of a score changes, so that no old entry is reused."""


class Cache:
    """A SQLite file (WAL) from a digest of texts and signature to a score.

    Several runs, threads and processes may share one: a row is written whole or not at all, and
    two runs that find the same score write the same row. Only final scores are kept.
    """

    def __init__(self, directory: Path) -> None:
        self.path = directory / "scores.sqlite"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._db = _open(self.path)
            self._lock = threading.Lock()
        except (OSError, sqlite3.Error) as error:
            raise CacheError(
                f"the cache {self.path} cannot be opened ({error})", argument="cache"
            ) from error

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Score]:
        """The cached scores of these keys."""
        wanted = list(dict.fromkeys(keys))
        known: dict[bytes, Score] = {}
        for start in range(0, len(wanted), _ASK_AT_ONCE):
            batch = wanted[start : start + _ASK_AT_ONCE]
            marks = ",".join("?" * len(batch))
            query = f"SELECT key, score FROM scores WHERE key IN ({marks})"
            with self._lock:
                rows = self._db.execute(query, batch).fetchall()
            known.update((key, Score.from_json(json.loads(text))) for key, text in rows)
        return known

    def put(self, scores: Mapping[bytes, Score]) -> None:
        """Store the final scores, all in one transaction."""
        rows = [
            (key, json.dumps(score.to_json(), ensure_ascii=False))
            for key, score in scores.items()
            if score.is_final
        ]
        with self._lock, self._db:
            self._db.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what is in it stays."""
        with self._lock:
            self._db.close()


def user_cache() -> Path:
    """The directory of the cache that the command line uses if no other is named."""
    from platformdirs import user_cache_path

    return user_cache_path("tricolore")


def _open(path: Path) -> sqlite3.Connection:
    # Several threads may use it, one at a time: `Cache` holds a lock during each access.
    db = sqlite3.connect(path, timeout=60, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute(
            "CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, score TEXT NOT NULL)"
            " WITHOUT ROWID"
        )
    except sqlite3.Error:
        db.close()
        raise
    return db


def signature_digest(measure: Measure, *, evidence: bool) -> bytes:
    """The part of a key that is the same for all examples of a run."""
    plain = json.dumps([_FORMAT, measure.signature(), evidence], sort_keys=True, ensure_ascii=False)
    return blake2b(plain.encode(), digest_size=16).digest()


def key(measure: Measure, signed: bytes, example: Example) -> bytes:
    """The cache key of an example's score, from the signature and the texts it depends on."""
    reads = measure.reads
    source = _digest(*example.source) if "source" in reads else b""
    references = _digest(*example.references) if "references" in reads else b""
    parts = b"%d %d " % (len(source), len(references)) + source + references
    return blake2b(signed + parts + _digest(example.summary), digest_size=16).digest()


@remembered
def _digest(*texts: str) -> bytes:
    """A digest of texts, memoized since the same texts recur with every measure and summary."""
    digest = blake2b(digest_size=16)
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d " % len(raw) + raw)
    return digest.digest()
