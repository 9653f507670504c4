"""The encodings of text files: everything is turned into UTF-8 before it is read."""

from __future__ import annotations

import codecs
import io
from typing import IO, cast

from tricolore.data.unusable import UnusableFileError
from tricolore.errors import ReadError

_UTF_8 = ("utf-8", "utf-8-sig")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CHUNK = 2**16


def checked_encoding(encoding: str) -> str:
    """The usual name of an encoding of text; UTF-8 for an empty name."""
    try:
        name = codecs.lookup(encoding or "utf-8").name
        io.TextIOWrapper(io.BytesIO(), name)  # some codecs are not for text
    except (LookupError, ValueError):
        raise ReadError(f"there is no encoding '{encoding}'", argument="encoding") from None
    return name


def is_utf_8(encoding: str) -> bool:
    """Whether an encoding, by its usual name, is UTF-8."""
    return encoding in _UTF_8


def in_utf_8(stream: IO[bytes], encoding: str) -> IO[bytes]:
    """A stream of text in some encoding, as UTF-8."""
    if is_utf_8(encoding):
        return stream
    return cast(IO[bytes], io.BufferedReader(_InUtf8(stream, encoding), _CHUNK))


def check_not_utf_16(head: bytes) -> None:
    """Raise an error if the first bytes of a file are those of UTF-16."""
    if head.startswith(_UTF_16):
        hint = "name the encoding utf-16"
        raise UnusableFileError("is UTF-16, not UTF-8", hint, argument="encoding")


def not_utf_8(words: str) -> UnusableFileError:
    """The error for a whole file that is not UTF-8."""
    hint = "name its encoding, often cp1252 if it comes from a spreadsheet on Windows"
    return UnusableFileError(f"is not UTF-8: {words}", hint, argument="encoding")


class _InUtf8(io.RawIOBase):
    def __init__(self, stream: IO[bytes], encoding: str) -> None:
        self._text = io.TextIOWrapper(stream, encoding, newline="")
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._rest:
            # Half of a surrogate pair, which some codecs let through, is an invalid byte then.
            text = self._text.read(_CHUNK)
            self._rest = memoryview(text.encode("utf-8", "surrogatepass"))
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def close(self) -> None:
        self._text.close()
        super().close()
