"""The files of a model: what identifies them, and whether they are the ones that were packed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from tricolore.models.errors import BrokenModelError, one_line

_READ = ("*.safetensors", "*.json", "*.txt", "*.model", "*/config.json")
"""The files of a directory that a value may depend on: weights, settings, tokenizer, pooling."""
_FileVersion = tuple[Path, int, int, int]
"""A file, when it was changed, its size and its inode."""


def directory_digest(directory: Path) -> str:
    """What identifies a local checkpoint, which has no commit: a digest of all that is read."""
    paths = sorted({path for pattern in _READ for path in directory.glob(pattern)})
    return files_digest((path for path in paths if path.is_file()), directory)


def files_digest(paths: Iterable[Path], directory: Path) -> str:
    """A short digest of the names and contents of some files."""
    digests = {path.relative_to(directory).as_posix(): file_digest(path) for path in paths}
    return hashlib.sha256(json.dumps(digests).encode()).hexdigest()[:12]


def file_digest(path: Path) -> str:
    """The SHA-256 of a file, which is read again only if it has changed."""
    try:
        return _digest_of(_version(path))
    except OSError as problem:
        raise _unreadable(path, problem) from problem


def damaged(directory: Path, digests: Mapping[str, Any]) -> str:
    """The first file whose content is not the one that was packed; empty if there is none."""
    for name, digest in digests.items():
        if not (directory / name).is_file() or file_digest(directory / name) != digest:
            return name
    return ""


def read_json(path: Path) -> Mapping[str, Any]:
    """A JSON object from a file, which is read again only if it has changed."""
    try:
        found = _json_of(_version(path))
    except (OSError, ValueError, RecursionError) as problem:
        raise _unreadable(path, problem) from problem
    if not isinstance(found, dict):
        raise BrokenModelError(str(path.parent), f"{path.name} is not a JSON object")
    return found


def _unreadable(path: Path, problem: Exception) -> BrokenModelError:
    return BrokenModelError(str(path.parent), f"{path.name} cannot be read ({one_line(problem)})")


def _version(path: Path) -> _FileVersion:
    """A stamp that shows whether a file has changed since it was read."""
    state = path.stat()
    return path, state.st_mtime_ns, state.st_size, state.st_ino


@lru_cache(maxsize=1024)
def _digest_of(file: _FileVersion) -> str:
    with file[0].open("rb") as raw:
        return hashlib.file_digest(raw, "sha256").hexdigest()


@lru_cache
def _json_of(file: _FileVersion) -> Any:
    return json.loads(file[0].read_bytes())
