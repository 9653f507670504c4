"""Atomic writing of files and directories: beside the target, then into its place in one step.

Whoever reads the target finds the old one or the whole new one, never a part of it, even if the
writer is killed or the disk is full. A lock beside the target keeps other processes from writing
it at the same time.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import IO, Any

from tricolore.data.locks import LockedError, hold, release
from tricolore.errors import WriteError, WriteFailedError

Target = str | os.PathLike[str]

_NUMBERS = count(1)
_OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}
_LONGEST = 100
"""The longest name that the names of a draft and a lock repeat: they must not be too long."""
_OPEN_FILE = re.compile(r"(?:/dev|/proc/self)/fd/(\d+)")
_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}
_MOST_LINKS = 40
"""Links that are followed, as by the system."""
_SWAP = 2
"""The flag of `renameat2` and `renamex_np` that exchanges two paths."""


def check_target(target: Target, *, argument: str = "output") -> None:
    """Raise an error if a file cannot be written, before anything is computed for it."""
    with locked(target, argument=argument) as place:
        if place.is_dir():
            raise WriteError(f"{target} cannot be written: it is a directory", argument=argument)


@contextmanager
def locked(target: Target, *, argument: str = "output") -> Iterator[Path]:
    """Keep other processes from writing a target within a block; gives what links lead to.

    Within this process, a target may be locked several times.
    """
    place = _place(target, argument)
    if is_special(place):
        yield place
        return
    _lock(target, place, argument)
    try:
        yield place
    finally:
        _unlock(place)


class Draft:
    """A file that replaces its target when it is kept, and is removed if it is not.

    Write to what `open` gives. The draft lies beside the target under a hidden name. A target that
    is not a regular file, such as a named pipe or `/dev/null`, gets a copy of the draft instead.
    """

    def __init__(self, target: Target, *, argument: str = "output") -> None:
        self.target = target
        self._argument = argument
        self._place = _place(target, argument)
        self._is_special = is_special(self._place)
        self._is_open = True
        if self._is_special:
            with self.errors():
                made, name = tempfile.mkstemp()
                os.close(made)
            self.path = Path(name)
            return
        _lock(target, self._place, argument)
        self.path = _draft_path(self._place)
        try:
            with self.errors():
                self.path.touch(exist_ok=False)
        except WriteError:
            _unlock(self._place)
            raise

    def open(self, mode: str = "wb", *, newline: str | None = None) -> IO[Any]:
        """The draft, open for writing bytes (`wb`) or text in UTF-8 (`w`)."""
        with self.errors():
            if "b" in mode:
                return open(self.path, mode)
            # A lone surrogate, which no encoding can write, must not cost the whole file.
            return open(self.path, mode, encoding="utf-8", errors="replace", newline=newline)

    @contextmanager
    def errors(self, only: Callable[[OSError], bool] = lambda _: True) -> Iterator[None]:
        """Say of errors within a block that they are about the target."""
        try:
            yield
        except OSError as error:
            if not only(error):
                raise
            raise _failure(self.target, error, self._argument) from error

    def keep(self) -> None:
        """Put the draft in the target's place."""
        keep([self])

    def discard(self) -> None:
        """Remove the draft, if it is still there."""
        if not self._is_open:
            return
        self._is_open = False
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        if not self._is_special:
            _unlock(self._place)

    def is_about(self, error: OSError) -> bool:
        """Whether an error in a block that writes and reads is about the target."""
        return error.errno in _OF_THE_DISK or error.filename == str(self.path)

    def _sync(self) -> None:
        if not self._is_special:
            if self._place.is_file():
                shutil.copymode(self._place, self.path)
            _sync(self.path)

    def _replace(self) -> None:
        if self._is_special:
            with open(self.path, "rb") as draft, _open_special(self._place) as out:
                shutil.copyfileobj(draft, out)
        else:
            os.replace(self.path, self._place)
            _sync(self._place.parent)


def keep(drafts: Iterable[Draft]) -> None:
    """Put drafts in their targets' places, after all of them are safely on the disk."""
    drafts = list(drafts)
    try:
        for draft in drafts:
            with draft.errors():
                draft._sync()
        for draft in drafts:
            with draft.errors():
                draft._replace()
    finally:
        for draft in drafts:
            draft.discard()


@contextmanager
def open_text(
    target: Target, *, newline: str | None = None, argument: str = "output"
) -> Iterator[IO[str]]:
    """A text file in UTF-8, whole or not at all.

    If the block raises an error, the target stays as it was. `argument` is the name that errors
    give to the argument with the target.
    """
    with _opened(target, "w", newline, argument) as stream:
        yield stream


@contextmanager
def open_binary(target: Target, *, argument: str = "output") -> Iterator[IO[bytes]]:
    """A file of bytes, whole or not at all."""
    with _opened(target, "wb", None, argument) as stream:
        yield stream


def write_text(target: Target, text: str) -> None:
    """Write a text file in UTF-8, whole or not at all."""
    with open_text(target) as stream:
        stream.write(text)


def write_directory(
    target: Target,
    contents: Mapping[str, bytes],
    replaceable: Callable[[Path], Iterable[str]],
    *,
    argument: str = "output",
) -> None:
    """Write a whole directory of files, or nothing.

    `replaceable` gives the names of all files in a directory that is there already; it raises an
    error if that must not be replaced. No other files are removed.
    """
    with locked(target, argument=argument) as place:
        draft = _draft_path(place)
        old: list[str] = []
        try:
            _fill(draft, contents)
            old = list(replaceable(place)) if place.exists() else []
            if place.exists():
                shutil.copymode(place, draft)
                _exchange(draft, place)
            else:
                os.rename(draft, place)
            _sync(place.parent)
        except OSError as error:
            raise _failure(target, error, argument) from error
        finally:
            _remove(draft, {*old, *contents})


def is_special(path: Path) -> bool:
    """Whether it is a pipe, a device or an open file, which cannot be replaced by a file."""
    if _descriptor(path) is not None:
        return True
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def _opened(target: Target, mode: str, newline: str | None, argument: str) -> Iterator[IO[Any]]:
    made = Draft(target, argument=argument)
    try:
        # An error in reading inside the block is not about the target.
        with made.errors(made.is_about), made.open(mode, newline=newline) as stream:
            yield stream
        made.keep()
    finally:
        made.discard()


def _failure(target: Target, error: OSError, argument: str) -> WriteFailedError:
    words = error.strerror or str(error)
    return WriteFailedError(f"{os.fspath(target)} cannot be written: {words}", argument=argument)


def _place(target: Target, argument: str) -> Path:
    """What is written: what a link points to is replaced, not the link."""
    path = Path(target)
    try:
        mode = _mode(path)
    except OSError as error:
        raise _failure(target, error, argument) from error
    is_device = mode and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
    if is_device or _descriptor(path) is not None:
        return path
    place = Path(os.path.realpath(path))
    if not place.name:
        words = f"{target} cannot be written: it is the root directory"
        raise WriteError(words, argument=argument)
    if not place.parent.is_dir():
        words = f"{target} cannot be written: there is no directory {path.parent}"
        raise WriteError(words, argument=argument)
    return place


def _mode(path: Path) -> int:
    """What kind of file is there; 0 if there is none."""
    try:
        return os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _descriptor(path: Path) -> int | None:
    """The open file of this process that a path such as `/dev/stdout` or `/dev/fd/3` stands for.

    It may be a file that the shell opened for appending, and others may write to it as well.

    >>> _descriptor(Path("/dev/fd/3")), _descriptor(Path("scores.csv"))
    (3, None)
    """
    here = os.path.abspath(path)
    for _ in range(_MOST_LINKS):
        if found := _OPEN_FILE.fullmatch(here):
            return int(found[1])
        if here in _STREAMS:
            return _STREAMS[here]
        if not os.path.islink(here):
            return None
        here = os.path.abspath(os.path.join(os.path.dirname(here), os.readlink(here)))
    return None


def _open_special(path: Path) -> IO[bytes]:
    """A pipe, a device or an open file, for writing where it stands."""
    descriptor = _descriptor(path)
    return open(path, "wb") if descriptor is None else os.fdopen(os.dup(descriptor), "wb")


def _beside(place: Path, ending: str) -> Path:
    name = place.name
    if len(os.fsencode(name)) > _LONGEST:
        name = sha256(os.fsencode(name)).hexdigest()[:16]
    return place.with_name(f".{name}.{ending}")


def _draft_path(place: Path) -> Path:
    return _beside(place, f"{os.getpid()}-{next(_NUMBERS)}.draft")


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a directory, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some file systems cannot sync directories.
        if not path.is_dir() or error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def _lock(target: Target, place: Path, argument: str) -> None:
    try:
        hold(_lock_path(place), lambda: _clear_away(place))
    except LockedError as error:
        words = f"{target} cannot be written: {error} is writing it"
        raise WriteError(words, argument=argument) from None
    except OSError as error:
        raise _failure(target, error, argument) from error


def _unlock(place: Path) -> None:
    release(_lock_path(place))


def _lock_path(place: Path) -> Path:
    return _beside(place, "draft.lock")


def _clear_away(place: Path) -> None:
    """Remove the drafts that killed processes have left behind; only who has the lock may do so."""
    draft = re.escape(_beside(place, "").name)
    with suppress(OSError):
        for left in list(place.parent.iterdir()):
            if not re.fullmatch(rf"{draft}\d+-\d+\.draft(\.old)?", left.name):
                continue
            if left.name.endswith(".old") and not place.exists():
                os.rename(left, place)  # killed between the two steps of `_exchange`
            elif left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink()


# Directories.


def _fill(directory: Path, contents: Mapping[str, bytes]) -> None:
    directory.mkdir()
    for name, raw in contents.items():
        with open(directory / name, "wb") as out:
            out.write(raw)
        _sync(directory / name)
    _sync(directory)


def _remove(directory: Path, files: Iterable[str]) -> None:
    """Remove files, and their directory if there is nothing else in it."""
    for name in files:
        with suppress(OSError):
            (directory / name).unlink(missing_ok=True)
    with suppress(OSError):
        directory.rmdir()


def _exchange(one: Path, two: Path) -> None:
    """Exchange two directories: in one step where the system can do that."""
    library = ctypes.CDLL(None, use_errno=True)
    names = os.fsencode(one), os.fsencode(two)
    here = -100  # relative paths start from the current directory
    if hasattr(library, "renameat2"):  # Linux
        done = library.renameat2(here, names[0], here, names[1], _SWAP)
    elif hasattr(library, "renamex_np"):  # macOS
        done = library.renamex_np(*names, _SWAP)
    else:
        done = -1
        ctypes.set_errno(errno.ENOSYS)
    if done == 0:
        return
    code = ctypes.get_errno()
    if code not in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
        raise OSError(code, os.strerror(code))
    aside = one.with_name(f"{one.name}.old")
    os.rename(two, aside)
    try:
        os.rename(one, two)
    except OSError:
        os.rename(aside, two)
        raise
    os.rename(aside, one)
