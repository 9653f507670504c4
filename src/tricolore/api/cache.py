"""Look after the cache of scores: how large it is, and making it smaller."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from tricolore.arguments import check_arguments
from tricolore.errors import CacheError, TricoloreError
from tricolore.run.cache import PATIENCE, today, user_cache
from tricolore.run.cache_file import (
    NAME,
    Trouble,
    files_of,
    files_set_aside,
    held,
    open_database,
    trouble_of,
)

_MB = 1_000_000


@dataclass(frozen=True)
class CacheInfo:
    """What is in a cache.

    `first_use` and `last_use` are the days on which the scores were last used, exact to a week.
    """

    path: Path
    bytes: int = 0
    scores: int = 0
    first_use: date | None = None
    last_use: date | None = None
    set_aside: Sequence[Path] = ()
    """Damaged files that were set aside."""


@dataclass(frozen=True)
class CacheRemoval:
    """What was removed from a cache."""

    path: Path
    bytes: int
    """By how much the files are smaller."""
    scores: int | None
    """How many scores were removed; None if a damaged file does not tell."""
    set_aside: int = 0
    """How many damaged files were removed."""


def cache_info(cache: str | Path = "user") -> CacheInfo:
    """How many scores a cache has, and of which time.

    Args:
        cache: The directory of the cache; "user" for the one that the command line uses.
    """
    check_arguments(cache_info, locals())
    path = _path(cache)
    if not path.exists():
        return CacheInfo(path, set_aside=files_set_aside(path))
    with _opened(path) as db:
        return _info(path, db)


def prune_cache(
    cache: str | Path = "user", *, older_than: float = math.inf, max_mb: float = math.inf
) -> CacheRemoval:
    """Remove old scores from a cache. Runs may use it at the same time.

    Args:
        cache: The directory of the cache; "user" for the one that the command line uses.
        older_than: Remove scores that were last used more than so many days ago. Uses are noted to
            the week.
        max_mb: Then remove those that were not used for longest until the file has at most so many
            megabytes.
    """
    check_arguments(prune_cache, locals())
    if not min(older_than, max_mb) >= 0:
        raise TricoloreError("the age of scores and the size of a cache are at least 0")
    if min(older_than, max_mb) == math.inf:
        raise TricoloreError("nothing says which scores to remove", argument="prune")
    path = _path(cache)
    if not path.exists():
        return CacheRemoval(path, 0, 0)
    with _opened(path) as db:
        before = _info(path, db)
        if math.isfinite(older_than):
            db.execute("DELETE FROM scores WHERE day < ?", [today() - older_than])
            _shrink(db)
        if math.isfinite(max_mb):
            _shrink(db)
            _remove_surplus(db, max_mb * _MB)
        after = _info(path, db)
    return CacheRemoval(path, before.bytes - after.bytes, before.scores - after.scores)


def clear_cache(cache: str | Path = "user") -> CacheRemoval:
    """Remove all scores, and all damaged files that were set aside.

    Runs may use the cache at the same time: they go on with a new one.
    """
    check_arguments(clear_cache, locals())
    path = _path(cache)
    try:
        before = cache_info(cache)
        scores: int | None = before.scores
    except CacheError:  # it is damaged, or in use: it can be removed all the same
        scores = None
    with held(path.parent, wait=PATIENCE):
        files, bad = files_of(path), files_set_aside(path)
        size = sum(map(_size, [*files, *bad]))
        try:
            for file in [*bad, *files]:
                file.unlink(missing_ok=True)
        except OSError as error:
            words = f"the cache {path} cannot be removed ({error})"
            raise CacheError(words) from error
    return CacheRemoval(path, size, scores, len(bad))


def _path(cache: str | Path) -> Path:
    return (user_cache() if cache == "user" else Path(cache)) / NAME


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The file; an error of SQLite becomes one that says what to do."""
    try:
        with held(path.parent, wait=PATIENCE):
            db = open_database(path, wait=PATIENCE)
        with closing(db):
            yield db
    except sqlite3.Error as error:
        hints = {
            Trouble.LOCKED: "another process uses it; try again when that has ended",
            Trouble.DAMAGED: "the next run sets it aside, and clearing the cache removes it",
        }
        words = f"the cache {path} cannot be used ({error})"
        raise CacheError(words, hints.get(trouble_of(error), "")) from error


def _info(path: Path, db: sqlite3.Connection) -> CacheInfo:
    count, first, last = db.execute("SELECT count(*), min(day), max(day) FROM scores").fetchone()
    return CacheInfo(
        path,
        sum(map(_size, files_of(path))),
        count,
        _date(first),
        _date(last),
        files_set_aside(path),
    )


def _remove_surplus(db: sqlite3.Connection, most: float) -> None:
    """Remove the scores that were not used for longest until the file is small enough.

    The pages of the database count, not the files: while another process reads, files may stay
    larger for a time.
    """
    oldest = "SELECT texts, measure FROM scores ORDER BY day LIMIT ?"
    while True:
        [size] = db.execute(
            "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        ).fetchone()
        [count] = db.execute("SELECT count(*) FROM scores").fetchone()
        if size <= most or not count:
            return
        surplus = max(math.ceil(count * (1 - most / size)), 1 + count // 100)
        db.execute(f"DELETE FROM scores WHERE (texts, measure) IN ({oldest})", [surplus])
        _shrink(db)


def _shrink(db: sqlite3.Connection) -> None:
    """Give the free space back to the disk."""
    db.commit()
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _date(day: object) -> date | None:
    """The date of a count of days since 1970; none for what is not a day."""
    try:
        return date(1970, 1, 1) + timedelta(days=day) if isinstance(day, int) else None
    except OverflowError:
        return None


def _size(file: Path) -> int:
    """The bytes of a file; shared memory, which is only there while the cache is open, has none."""
    return file.stat().st_size if file.is_file() and not file.name.endswith("-shm") else 0
