"""Atomic writing of files: first beside the target, then into its place in one step.

Whoever reads the target finds the old file or the whole new one, never a part of it, even if the
writer is killed or the disk is full.
"""

from __future__ import annotations

import errno
import glob
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO

from tricolore.errors import WriteError

_NUMBERS = count(1)
_OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}


def check_target(target: str | Path) -> None:
    """Raise an error if a file cannot be written, before anything is computed for it."""
    path = Path(target)
    if path.is_dir():
        raise _cannot(target, "it is a directory")
    if _is_special(path):
        return
    if not path.parent.is_dir():
        raise _cannot(target, f"there is no directory {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise _cannot(target, f"{path.parent} takes no new files")


class Draft:
    """A file that replaces its target when it is kept, and is removed if it is not.

    Write to `path`, which lies beside the target under a hidden name. A target that is not a
    regular file, such as a named pipe or `/dev/null`, gets a copy of the draft instead.
    """

    def __init__(self, target: str | Path, *, argument: str = "output") -> None:
        self.target = target
        self._argument = argument
        # What a link points to is replaced, not the link.
        self._place = Path(os.path.realpath(target))
        self._is_special = _is_special(self._place)
        folder = Path(tempfile.gettempdir()) if self._is_special else self._place.parent
        _clear_away(folder, self._place.name)
        name = f".{self._place.name}.{os.getpid()}-{next(_NUMBERS)}.draft"
        self.path = folder / name
        try:
            self.path.touch(exist_ok=False)
        except OSError as error:
            raise _cannot(target, _words(error), argument) from error

    def keep(self) -> None:
        """Put the draft in the target's place."""
        try:
            if self._is_special:
                with open(self.path, "rb") as draft, open(self._place, "wb") as out:
                    shutil.copyfileobj(draft, out)
                return
            if self._place.is_file():
                shutil.copymode(self._place, self.path)
            _sync(self.path)
            os.replace(self.path, self._place)
        except OSError as error:
            raise _cannot(self.target, _words(error), self._argument) from error
        finally:
            self.discard()

    def discard(self) -> None:
        """Remove the draft, if it is still there."""
        self.path.unlink(missing_ok=True)


@contextmanager
def draft(target: str | Path, *, argument: str = "output") -> Iterator[Path]:
    """A path to write to; what is there takes the target's place at the end of the block.

    If the block raises an error, the target stays as it was. `argument` is the name that errors
    give to the argument with the target.
    """
    made = Draft(target, argument=argument)
    try:
        yield made.path
        made.keep()
    except OSError as error:
        # An error in reading inside the block is not about the target.
        if error.errno in _OF_THE_DISK:
            raise _cannot(target, _words(error), argument) from error
        raise
    finally:
        made.discard()


@contextmanager
def open_text(target: str | Path, *, newline: str | None = None) -> Iterator[IO[str]]:
    """A text file in UTF-8, whole or not at all."""
    with draft(target) as path, open(path, "w", encoding="utf-8", newline=newline) as stream:
        yield stream


def write_text(target: str | Path, text: str) -> None:
    """Write a text file in UTF-8, whole or not at all."""
    with open_text(target) as stream:
        stream.write(text)


def _cannot(target: str | Path, why: str, argument: str = "output") -> WriteError:
    return WriteError(f"{target} cannot be written: {why}", argument=argument)


def _words(error: OSError) -> str:
    return error.strerror or str(error)


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def _sync(path: Path) -> None:
    with open(path, "rb") as stream:
        os.fsync(stream.fileno())


def _clear_away(folder: Path, name: str) -> None:
    """Remove the drafts of a file that killed processes have left behind."""
    for left in folder.glob(f".{glob.escape(name)}.*.draft"):
        with suppress(ValueError, OSError):
            writer = int(left.name.split(".")[-2].split("-")[0])
            if not _lives(writer):
                left.unlink()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
