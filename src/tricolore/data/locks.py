"""Locks between processes: a file that says which process holds it, and is gone afterwards."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]


class LockedError(Exception):
    """Another process holds the lock; the words name it."""


@dataclass
class _Held:
    descriptor: int
    times: int = 1


_held: dict[Path, _Held] = {}
"""The locks that this process holds, by path."""
_changing = Lock()


def hold(path: Path, then: Callable[[], None] = lambda: None) -> None:
    """Take a lock, or raise `LockedError`; within this process it may be taken repeatedly.

    `then` is called if this process did not hold it before. The system lets go of the lock of a
    process that dies.
    """
    with _changing:
        if path in _held:
            _held[path].times += 1
            return
        _held[path] = _Held(_take(path))
        then()


def release(path: Path) -> None:
    """Let go of a lock, as often as it was taken."""
    with _changing:
        held = _held[path]
        held.times -= 1
        if held.times:
            return
        del _held[path]
        # First unlinked, then unlocked: whoever opened it meanwhile sees that it is not the lock.
        with suppress(OSError):
            path.unlink()
        os.close(held.descriptor)


def _take(path: Path) -> int:
    """Make and lock the file; gives its descriptor."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        try:
            _flock(descriptor)
            if _is_at(descriptor, path):
                os.truncate(descriptor, 0)
                os.write(descriptor, str(os.getpid()).encode())
                return descriptor
        except BlockingIOError:
            holder = os.read(descriptor, 20).decode(errors="replace")
            os.close(descriptor)
            raise LockedError(f"process {holder}" if holder else "another process") from None
        except OSError:  # a full disk
            path.unlink(missing_ok=True)
            os.close(descriptor)
            raise
        os.close(descriptor)


def _flock(descriptor: int) -> None:
    try:
        if fcntl:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.ENOTSUP):  # a file system without locks
            raise


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False
