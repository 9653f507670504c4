"""A cache of scores on disk, which lets a killed run continue where it stopped."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self, TypeVar

from tricolore.errors import CacheError
from tricolore.run.cache_file import (
    NAME,
    FixedConnection,
    Trouble,
    held,
    open_database,
    set_aside,
    trouble_of,
)
from tricolore.run.cache_keys import MeasureKey
from tricolore.run.packed_scores import PackedForm
from tricolore.score import Score

PATIENCE = 10.0
"""How many seconds an access waits for the lock of another process. After a wait in vain, the run
waits no more."""
_ASK_AT_ONCE, _MOST_MEASURES = 500, 100
"""Some builds of SQLite take no more than 999 values in one question."""
_MOST_SET_ASIDE = 3
"""So often a run begins a new file; then it goes on without a cache."""
_EXACT_DAYS = 7
"""The last use of a score is known to so many days: noting every use would make reading slow."""

_WITHOUT = "this run goes on without a cache"

_log = logging.getLogger(__name__)
Found = TypeVar("Found")
NewScore = tuple[MeasureKey, bytes, Score]
"""A score with its key: the measure's and that of the texts."""


class Cache:
    """A SQLite file (WAL) from the keys of texts and measure to a score.

    Several runs, threads and processes may share one: a row is written whole or not at all, and
    two runs that find the same score write the same row. Only final scores are kept.

    No fault of the file stops a run. A damaged file is set aside and a new one begun; a score that
    is not sound is computed again; what cannot be written (a full disk, a lock) is not kept. The
    log says so once. Only a cache that cannot be created at all is an error.
    """

    def __init__(self, directory: Path) -> None:
        self.path = directory / NAME
        self.lost = 0
        """Scores that could not be kept."""
        self._lock = threading.Lock()
        self._wait = PATIENCE
        self._told: set[Trouble] = set()
        self._set_aside = 0
        self._is_closed = False
        self._db: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._open()
        except (OSError, sqlite3.Error) as error:
            if not os.path.lexists(self.path):
                raise CacheError(
                    f"the cache {self.path} cannot be created ({error})", argument="cache"
                ) from error
            self._tell(Trouble.UNUSABLE, error, _WITHOUT)

    def look_up(
        self, measures: Sequence[MeasureKey], texts: Sequence[Sequence[bytes]]
    ) -> list[list[Score | None]]:
        """The cached scores: a list per measure, with an entry per key of texts."""
        found: dict[bytes, tuple[PackedForm, dict[bytes, Score]]] = {
            measure.digest: (PackedForm(measure), {}) for measure in measures
        }
        wanted = sorted({key for column in texts for key in column})
        stale: list[tuple[int, bytes, bytes]] = []
        day = today()
        for start in range(0, len(wanted), _ASK_AT_ONCE):
            batch = wanted[start : start + _ASK_AT_ONCE]
            for key, digest, is_stale, packed in self._rows(batch, [*found], day):
                if digest not in found:
                    continue
                form, scores = found[digest]
                score = form.unpack(packed, key)
                if score is not None:  # else it is not sound: the new score takes its place
                    scores[key] = score
                    if is_stale:
                        stale.append((day, key, digest))
        self._write("UPDATE scores SET day = ? WHERE texts = ? AND measure = ?", stale)
        columns = zip(measures, texts, strict=True)
        return [[*map(found[measure.digest][1].get, column)] for measure, column in columns]

    def keep(self, scores: Iterable[NewScore]) -> None:
        """Store the final scores, all in one transaction."""
        forms: dict[bytes, PackedForm] = {}
        rows = []
        for measure, key, score in scores:
            if measure.digest not in forms:
                forms[measure.digest] = PackedForm(measure)
            if score.is_final:
                packed = forms[measure.digest].pack(score, key)
                rows.append((key, measure.digest, today(), packed))
        if rows and not self._write("INSERT OR REPLACE INTO scores VALUES (?, ?, ?, ?)", rows):
            self.lost += len(rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what is in it stays."""
        with self._lock:
            self._close()
            self._is_closed = True

    def _rows(
        self, texts: Sequence[bytes], digests: Sequence[bytes], day: int
    ) -> list[tuple[bytes, bytes, object, object]]:
        """All scores of these texts; with few measures, only theirs."""
        query = (
            f"SELECT texts, measure, day < ?, score FROM scores WHERE texts IN ({_marks(texts)})"
        )
        values = [day - _EXACT_DAYS, *texts]
        if len(digests) <= _MOST_MEASURES:
            # The plus sign keeps SQLite from searching for every pair: the scores of one key of
            # texts are neighbours, and one search finds them all.
            query += f" AND +measure IN ({_marks(digests)})"
            values += digests
        return self._access(lambda db: db.execute(query, values).fetchall(), [])

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> bool:
        """Whether the rows were written."""
        if not rows:
            return True

        def write(db: sqlite3.Connection) -> bool:
            with db:
                db.executemany(statement, rows)
            return True

        with self._lock:
            self._follow()
        return self._access(write, False)

    def _access(self, work: Callable[[sqlite3.Connection], Found], otherwise: Found) -> Found:
        """Do some work on the file; if that is damaged, once more on a new one."""
        if self._is_closed:
            raise CacheError(f"the cache {self.path} is closed")
        with self._lock:
            for _ in range(2):
                if self._db is None:
                    break
                try:
                    return work(self._db)
                except sqlite3.ProgrammingError:
                    raise  # a mistake of ours
                except sqlite3.Error as error:
                    if not self._recover(error):
                        break
            return otherwise

    def _recover(self, error: sqlite3.Error) -> bool:
        """Deal with an error: whether to try again."""
        trouble = trouble_of(error)
        if trouble is Trouble.DAMAGED:
            self._begin_anew(error)
            return True
        if trouble is Trouble.LOCKED and self._db:
            self._wait = 0
            self._db.execute("PRAGMA busy_timeout=0")
        self._tell(trouble, error, "scores are computed, but may not be kept")
        return False

    def _begin_anew(self, error: sqlite3.Error) -> None:
        """Set the file aside, unless another process has done that, and open a new one."""
        is_fixed = isinstance(self._db, FixedConnection)
        self._close()
        try:
            if is_fixed:
                raise OSError("it is read-only")
            with held(self.path.parent, wait=PATIENCE):
                if self._identity == _identity(self.path):
                    self._move_away(error)
        except OSError as problem:
            self._tell(Trouble.DAMAGED, error, f"it is not set aside ({problem}), and {_WITHOUT}")
        else:
            self._reopen()

    def _move_away(self, error: sqlite3.Error) -> None:
        if self._set_aside >= _MOST_SET_ASIDE:
            raise OSError(f"it was damaged more than {_MOST_SET_ASIDE} times")
        self._set_aside += 1
        new = set_aside(self.path)
        _log.warning(
            "the cache %s cannot be used (%s); it is set aside as %s, and a new one is begun",
            *(self.path, error, new.name),
        )

    def _open(self) -> None:
        with held(self.path.parent, wait=self._wait):
            try:
                self._db = open_database(self.path, wait=self._wait)
            except sqlite3.Error as error:
                if trouble_of(error) is not Trouble.DAMAGED:
                    raise
                self._move_away(error)
                self._db = open_database(self.path, wait=self._wait)
            self._identity = _identity(self.path)

    def _follow(self) -> None:
        """Open the file again if it was removed, or if another one has its place."""
        if self._db and self._identity != _identity(self.path):
            self._close()
            self._reopen()

    def _reopen(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._open()
        except (OSError, sqlite3.Error) as error:
            self._tell(Trouble.UNUSABLE, error, _WITHOUT)

    def _close(self) -> None:
        if self._db:
            with suppress(sqlite3.Error):
                self._db.close()
        self._db = None

    def _tell(self, trouble: Trouble, error: Exception, consequence: str) -> None:
        """Say it once per kind of trouble."""
        if trouble in self._told:
            return
        self._told.add(trouble)
        words = f"the cache {self.path}: {error}; {consequence}"
        _log.warning("%s", words, extra={"argument": "cache"})


def user_cache() -> Path:
    """The directory of the cache that the command line uses if no other is named."""
    from platformdirs import user_cache_path

    return user_cache_path("tricolore")


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def today() -> int:
    """The days since 1970."""
    return int(time.time() // 86400)


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
