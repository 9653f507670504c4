"""Files in object stores, such as `s3://bucket/rows.parquet`, read through pyarrow."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from glob import has_magic
from typing import IO, TYPE_CHECKING, Any, cast

from tricolore.errors import ReadError

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

_ADDRESS = re.compile(r"(?!file:)[a-z][a-z0-9+.-]+://")
_BUFFER = 2**20


def is_stored(path: str) -> bool:
    """Whether a path is the address of a file in an object store.

    >>> is_stored("s3://bucket/rows.jsonl"), is_stored("rows.jsonl")
    (True, False)
    """
    return bool(_ADDRESS.match(path))


def shown_address(address: str) -> str:
    """An address without what may be secret: the user, and the settings of its store.

    >>> shown_address("s3://key:word@bucket/rows.csv?region=eu-west-1")
    's3://bucket/rows.csv'
    """
    scheme, _, rest = address.partition("?")[0].partition("://")
    store, slash, path = rest.partition("/")
    return f"{scheme}://{store.rpartition('@')[2]}{slash}{path}"


def stored_state(address: str) -> tuple[int, int]:
    """The size of a file, and when it was changed in nanoseconds; an error if it is not there."""
    with _errors(address):
        store, path = _store(address)
        found = store.get_file_info(path)
    if not found.is_file:
        raise ReadError(f"{shown_address(address)} cannot be read: there is no such file")
    return found.size, found.mtime_ns or 0


def open_stored(address: str) -> IO[bytes]:
    """Open a file for reading from any place."""
    with _errors(address):
        store, path = _store(address)
        file = store.open_input_file(path)
    return cast(IO[bytes], io.BufferedReader(cast(Any, _Seekable(file, address)), _BUFFER))


def matching_addresses(pattern: str) -> list[str]:
    """The files that a pattern such as `s3://bucket/data/*.jsonl` matches, in order of name."""
    from pyarrow.fs import FileSelector

    address, mark, query = pattern.partition("?")
    scheme, _, rest = address.partition("://")
    user, at, _ = rest.partition("/")[0].rpartition("@")
    folder = "/".join(_until_pattern(rest.split("/")))
    with _errors(pattern):
        store, base = _store(f"{scheme}://{folder}{mark}{query}")
        wanted = base.rstrip("/") + rest.removeprefix(folder)
        found = store.get_file_info(FileSelector(base, recursive=True, allow_not_found=True))
    paths = sorted(each.path for each in found if each.is_file and _matches(each.path, wanted))
    return [f"{scheme}://{user}{at}{path}{mark}{query}" for path in paths]


def has_pattern(address: str) -> bool:
    """Whether an address has the signs of a pattern; its settings do not count."""
    return has_magic(shown_address(address))


def _until_pattern(names: list[str]) -> Iterator[str]:
    for name in names[:-1]:
        if has_magic(name):
            return
        yield name


def _matches(path: str, pattern: str) -> bool:
    """Whether a path matches, name by name; `**` stands for any number of folders."""
    return _names_match(path.split("/"), pattern.split("/"))


def _names_match(names: list[str], patterns: list[str]) -> bool:
    if not patterns or not names:
        return not patterns and not names
    if patterns[0] == "**":
        return _names_match(names, patterns[1:]) or _names_match(names[1:], patterns)
    return fnmatchcase(names[0], patterns[0]) and _names_match(names[1:], patterns[1:])


def _store(address: str) -> tuple[FileSystem, str]:
    from pyarrow.fs import FileSystem

    return cast("tuple[FileSystem, str]", FileSystem.from_uri(address))


@contextmanager
def _errors(address: str) -> Iterator[None]:
    """Say of errors within a block which file they are about; settings may hold secrets."""
    import pyarrow as pa

    try:
        yield
    except (OSError, ValueError, pa.ArrowException, NotImplementedError) as error:
        reason = str(error).strip().partition("\n")[0].replace(address, shown_address(address))
        raise ReadError(f"{shown_address(address)} cannot be read: {reason[:300]}") from error


class _Seekable(io.RawIOBase):
    """A file of pyarrow as a raw stream of Python."""

    def __init__(self, file: Any, address: str) -> None:
        self._file = file
        self._address = address

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _errors(self._address):
            return int(self._file.readinto(buffer))

    def seek(self, offset: int, whence: int = 0) -> int:
        return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
