"""Where rows come from: a file, standard input or a pipe, plain or gzipped."""

from __future__ import annotations

import gzip
import io
import logging
import os
import select
import shutil
import stat
import sys
import tempfile
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import IO, Any, cast

from tricolore.data.object_store import is_stored, open_stored, shown_address, stored_state
from tricolore.errors import ReadError

_BUFFER = 2**16
_PATIENCE = 3000
"""Milliseconds without data from a pipe after which a message says so."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class FileState:
    """What differs after a file has been written to or replaced."""

    size: int
    changed_at: int
    place: tuple[int, int]

    @staticmethod
    def of(path: str) -> FileState | None:
        """The state of a file; none if it is gone."""
        try:
            if is_stored(path):
                return FileState(*stored_state(path), (0, 0))
            found = os.stat(path)
        except (OSError, ReadError):
            return None
        return FileState(found.st_size, found.st_mtime_ns, (found.st_dev, found.st_ino))


class InputFile:
    """A source of bytes, which can be opened again unless it is a stream that is not copied.

    A stream is standard input (`-`), a named pipe, a process substitution or a device.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.is_stored = is_stored(path)
        """Whether it is in an object store."""
        self.name = "standard input" if path == "-" else path
        if self.is_stored:
            self.name = shown_address(path)
            stored_state(path)
        self.is_stream = path == "-" or (not self.is_stored and _is_stream(path))
        self.is_gzipped = self.name.endswith(".gz")
        self.has_changed = False
        """Whether the file was written to or replaced after it was first opened."""
        self._first_state: FileState | None = None
        self._copy: tempfile._TemporaryFileWrapper[bytes] | None = None
        self._raw: IO[bytes] | None = None
        self._size = 0

    @property
    def is_repeatable(self) -> bool:
        """Whether it can be read from the beginning again."""
        return not self.is_stream or self._copy is not None

    @property
    def fraction(self) -> float | None:
        """How much of the file has been read since it was opened."""
        if self._raw is None or not self._size or self._raw.closed:
            return None
        return self._raw.tell() / self._size

    def copy_stream(self) -> None:
        """Copy a stream to a temporary file, so that it can be read again."""
        if self.is_repeatable:
            return
        try:
            with self._opened_stream() as stream:
                self._copy = tempfile.NamedTemporaryFile()  # noqa: SIM115 (`close` closes it)
                shutil.copyfileobj(stream, self._copy)
                self._copy.flush()
        except OSError as error:
            words = f"{self.name} cannot be copied to a temporary file: {error.strerror}"
            raise ReadError(words) from error

    def close(self) -> None:
        """Remove the copy of a stream."""
        if self._copy:
            self._copy.close()

    def begin(self) -> str:
        """The path to read from; an error if the file has changed since it was first read."""
        if not self.is_stream:
            state = FileState.of(self.path)
            self._first_state = self._first_state or state
            if state != self._first_state:
                raise self.changed_error()
        return self._copy.name if self._copy else self.path

    def digest(self) -> str:
        """The SHA-256 of its bytes, packed if they are."""
        path = self.begin()
        with open_stored(path) if self.is_stored else open(path, "rb") as stream:
            return file_digest(cast(Any, stream), "sha256").hexdigest()

    def random_access(self) -> str | IO[bytes]:
        """What Parquet is read from: the path, or an open file in an object store."""
        path = self.begin()
        return open_stored(path) if self.is_stored else path

    def finish(self) -> None:
        """Note, and log, whether the file has changed while it was read."""
        if not self.has_changed and self.differs():
            self.has_changed = True
            _log.warning("%s changed while it was read", self.name)

    def differs(self) -> bool:
        """Whether the file is not as it was when it was first opened."""
        return not self.is_stream and FileState.of(self.path) != self._first_state

    def expect(self, state: FileState) -> None:
        """Take a state for that in which the file was first opened, in another process perhaps."""
        self._first_state = state

    @property
    def first_state(self) -> FileState | None:
        """The state in which the file was first opened."""
        return self._first_state

    def want_unchanged(self) -> None:
        """Raise an error if the file is not as it was when it was first opened."""
        if self.differs():
            raise self.changed_error()

    def changed_error(self) -> ReadError:
        """The error for a file that was changed too early."""
        return ReadError(f"{self.name} changed while it was read", "read it when it is complete")

    def open(self) -> IO[bytes]:
        """Open it for one pass: a buffered stream that can be peeked into."""
        path = self.begin()
        try:
            if self.is_stored:
                self._raw = open_stored(path)
                self._size = self._first_state.size if self._first_state else 0
            elif self.is_repeatable:
                self._raw = open(path, "rb", buffering=_BUFFER)  # noqa: SIM115 (the caller closes)
                self._size = Path(path).stat().st_size
            else:
                self._raw = self._opened_stream()
        except OSError as error:
            raise ReadError(f"{self.name} cannot be read: {error.strerror}") from error
        return cast(IO[bytes], _Gunzipped(self._raw)) if self.is_gzipped else self._raw

    def _opened_stream(self) -> IO[bytes]:
        if self.path != "-":
            return _open_pipe(self.path, self.name)
        if sys.stdin is None:
            raise ReadError("standard input is closed")
        stream = sys.stdin.buffer
        # Tests and notebooks put other kinds of streams in its place.
        return stream if hasattr(stream, "peek") else cast(IO[bytes], io.BufferedReader(stream))


class _Gunzipped(gzip.GzipFile):
    """The content of a gzip file, which is closed with it."""

    def __init__(self, packed: IO[bytes]) -> None:
        super().__init__(fileobj=packed)
        self._packed = packed

    def close(self) -> None:
        super().close()
        self._packed.close()


def _open_pipe(path: str, name: str) -> IO[bytes]:
    """Open a pipe or a device; a message says so if nobody writes to a pipe."""
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    stream = open(number, "rb", buffering=_BUFFER)  # noqa: SIM115 (the caller closes it)
    if stat.S_ISFIFO(os.fstat(number).st_mode):
        data = select.poll()
        data.register(number, select.POLLIN)
        if not data.poll(_PATIENCE):
            _log.warning("waiting for %s: nothing has been written to it yet", name)
            data.poll()
    os.set_blocking(number, True)
    return stream


def _is_stream(path: str) -> bool:
    """Whether it is a pipe or a device; an error if it is nothing that can be read."""
    if not path:
        raise ReadError("the path of the input is empty")
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:  # a NUL character
        raise ReadError(f"{path!r} cannot be the path of a file: {error}") from error
    if stat.S_ISDIR(mode):
        raise ReadError(f"{path} cannot be read: it is a directory, not a file")
    return not stat.S_ISREG(mode)
