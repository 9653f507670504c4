"""What a command writes: checked against what it reads before anything is computed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tricolore.data.atomic import Target, is_special, locked
from tricolore.data.scores import sidecar
from tricolore.errors import WriteError

STANDARD = ("", "-")
"""Outputs that are no files: none, and standard output."""

_Identity = tuple[int, int]
"""The device and the number of a file, the same by whatever name it is found."""
_NOTHING: _Identity = (-1, -1)


@contextmanager
def reserved(
    outputs: Iterable[tuple[Target, str]], inputs: Iterable[Target] = ()
) -> Iterator[None]:
    """Check the outputs of a command, and keep other processes from writing them within a block.

    An output may not be an input, by whatever name or link, nor lie in a directory that is an
    input, nor be the same as another output.

    Args:
        outputs: Paths, each with the argument that it was given by.
        inputs: Files and directories that are read.
    """
    read = _read(inputs)
    with ExitStack() as locks:
        places: set[Path] = set()
        for path, argument in outputs:
            if str(path) == "-":
                _check_standard_output(read)
            if str(path) in STANDARD:
                continue
            _check_not_read(path, read, argument)
            place = locks.enter_context(locked(path, argument=argument))
            if place in places and not is_special(place):
                raise WriteError(f"{path} would be written twice", argument=argument)
            places.add(place)
        yield


def _read(inputs: Iterable[Target]) -> dict[_Identity, Target]:
    """The inputs that are there, and what was written beside them, by identity."""
    found: dict[_Identity, Target] = {}
    for path in inputs:
        if str(path) in STANDARD:
            continue
        found.setdefault(_identity(path), path)
        if Path(path).name:
            beside = sidecar(Path(path))
            found.setdefault(_identity(beside), beside)
    found.pop(_NOTHING, None)
    return found


def _identity(path: Target) -> _Identity:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return _NOTHING
    return found.st_dev, found.st_ino


def _check_not_read(path: Target, read: Mapping[_Identity, Target], argument: str) -> None:
    identity = _identity(path)
    if identity in read and not _is_device(path):
        given = read[identity]
        same = "" if str(given) == str(path) else f": it is {given}"
        raise WriteError(f"{path} is the input{same}", argument=argument)
    for folder in map(_identity, Path(os.path.realpath(path)).parents):
        if folder in read:
            words = f"{path} lies in {read[folder]}, which is an input"
            raise WriteError(words, argument=argument)


def _is_device(path: Target) -> bool:
    """Whether reading and writing it do not meet, as with a terminal or `/dev/null`."""
    return Path(path).is_char_device()


def _check_standard_output(read: Mapping[_Identity, Target]) -> None:
    try:
        found = os.fstat(sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):  # closed, or no file
        return
    if (given := read.get((found.st_dev, found.st_ino))) and not _is_device(given):
        raise WriteError(f"standard output goes to {given}, which is the input", argument="output")
