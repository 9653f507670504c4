"""Rows from JSON: one object per line, or one array of objects."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, count, islice
from typing import IO, Any

from tricolore.data.encodings import check_not_utf_16, not_utf_8
from tricolore.data.unusable import (
    REPEATED,
    TOO_MANY_DIGITS,
    UnusableFileError,
    UnusableValue,
    too_long,
)

JsonRow = dict[str, Any] | str
"""A row; or, for a row that cannot be read, the reason."""

_HEAD = 100
"""The number of lines of which most must be UTF-8."""
_CHUNK = 2**18
_MAX_DEPTH = 100
"""How deeply a row may be nested. Python itself fails at about 1000."""
_ARRAY = re.compile(rb"\s*\[\s*(?:\{|\Z)")
_BLANKS = re.compile(r"[ \t\n\r]*")
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u[dD][89a-fA-F]..|.)", re.DOTALL)
"""An escape in JSON; the two halves of a surrogate pair are one."""


class _Undecodable(str):
    """The error for a line that is not UTF-8."""


def json_rows(stream: IO[bytes], max_size: int) -> Iterator[JsonRow]:
    """The rows of a stream in UTF-8, each of at most `max_size` bytes."""
    size = min(_CHUNK, max_size + 1)
    first = stream.readline(size)
    check_not_utf_16(first)
    begun = first.removeprefix(codecs.BOM_UTF8)
    if _ARRAY.match(begun):
        yield from _array_rows(begun, stream, max_size)
        return
    lines = _bounded_lines(stream, max_size)
    if len(first) == size and not first.endswith(b"\n"):
        rest = next(_bounded_lines(stream, max(0, max_size - len(first))), b"")
        yield from _rows_of_lines(chain([rest if rest is None else begun + rest], lines), max_size)
    else:
        yield from _rows_of_lines(chain([begun], lines), max_size)


def is_array(stream: IO[bytes]) -> bool:
    """Whether a stream, of which nothing has been read, is one array and not lines of JSON."""
    head = stream.readline(_CHUNK).removeprefix(codecs.BOM_UTF8)
    return _ARRAY.match(head) is not None


def json_rows_from(stream: IO[bytes], max_size: int, line: int) -> Iterator[JsonRow]:
    """The rows of a stream of lines that is at the beginning of a line with this number."""
    return _each_line(_bounded_lines(stream, max_size), max_size, line)


def json_line_marks(stream: IO[bytes], max_size: int) -> Iterator[tuple[int, int, bytes]]:
    """Of every row in lines of JSON: the offset and the number of its line, and the line.

    Nothing is parsed. The line is empty if it is too long.
    """
    offset = 0
    for number in count(1):
        line = stream.readline(max_size + 1)
        if not line:
            return
        size = len(line)
        if size > max_size and not line.endswith(b"\n"):
            while (rest := stream.readline(_CHUNK)) and not rest.endswith(b"\n"):
                size += len(rest)
            size += len(rest)
            yield offset, number, b""
        elif line.strip():
            yield offset, number, line
        offset += size


def json_row(line: bytes) -> JsonRow:
    """One line as a row; or, if it cannot be read, the reason."""
    return next(_each_line([line.removeprefix(codecs.BOM_UTF8)], len(line)), "the line is empty")


def _bounded_lines(stream: IO[bytes], max_size: int) -> Iterator[bytes | None]:
    """The lines of a stream; None for one that is too long."""
    while line := stream.readline(max_size + 1):
        if len(line) <= max_size or line.endswith(b"\n"):
            yield line
            continue
        while (rest := stream.readline(_CHUNK)) and not rest.endswith(b"\n"):
            pass
        yield None


def _rows_of_lines(lines: Iterable[bytes | None], max_size: int) -> Iterator[JsonRow]:
    """The rows; a file whose first lines are mostly not UTF-8 is rejected as a whole."""
    rows = _each_line(lines, max_size)
    head = list(islice(rows, _HEAD))
    bad = [row for row in head if isinstance(row, _Undecodable)]
    if 2 * len(bad) > len(head):
        raise not_utf_8(bad[0])
    yield from chain(head, rows)


def _each_line(lines: Iterable[bytes | None], max_size: int, first: int = 1) -> Iterator[JsonRow]:
    for number, line in enumerate(lines, first):
        if line is None:
            yield too_long(f"line {number}", max_size)
            continue
        if not line.strip():
            continue
        try:
            text = line.decode("utf-8")
            row = _checked(_DECODER.decode(text), text)
        except UnicodeDecodeError as error:
            byte = line[error.start]
            yield _Undecodable(f"line {number} is not UTF-8 (byte 0x{byte:02x} at {error.start})")
        except json.JSONDecodeError as error:
            yield f"line {number} is not JSON: {error}"
        except RecursionError:
            yield f"line {number} is nested too deeply"
        else:
            yield row if isinstance(row, dict) else f"line {number} is not a JSON object"


def _array_rows(begun: bytes, stream: IO[bytes], max_size: int) -> Iterator[JsonRow]:
    """The objects of one array, of which only a part is in memory at a time."""
    text = _ArrayText(begun, stream, max_size)
    number = 0
    text.skip("[")
    while not text.skip("]"):
        if text.is_over():
            raise UnusableFileError(f"is not a whole JSON array: it ends after item {number}")
        if number and not text.skip(","):
            raise UnusableFileError(f"is not a JSON array: no comma follows item {number}")
        number += 1
        item = text.next_item(number)
        yield item if isinstance(item, dict) else f"item {number} is not a JSON object"
    if not text.is_over():
        raise UnusableFileError(f"is not one JSON array: it goes on after item {number}")


class _ArrayText:
    """The text of an array, read as far as needed."""

    def __init__(self, begun: bytes, stream: IO[bytes], max_size: int) -> None:
        self._stream = stream
        self._max_size = max_size
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text = self._decoded(begun)
        self._at = 0
        self._is_whole = False

    def skip(self, mark: str) -> bool:
        """Whether this mark comes next; if so, it is skipped."""
        is_next = not self.is_over() and self._text[self._at] == mark
        self._at += is_next
        return is_next

    def is_over(self) -> bool:
        """Whether nothing but blanks is left."""
        while True:
            self._at = _BLANKS.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._text) or self._is_whole:
                return self._at == len(self._text)
            self._read_on()

    def next_item(self, number: int) -> Any:
        """Read on to the end of the next item."""
        self.is_over()
        while True:
            try:
                item, end = _DECODER.raw_decode(self._text, self._at)
                self._want_size(number, end - self._at)
                if end < len(self._text) or self._is_whole:
                    begin, self._at = self._at, end
                    return _checked(item, self._text[begin:end])
            except json.JSONDecodeError as error:
                if self._is_whole or not self._may_go_on(error):
                    words = f"is not a JSON array: item {number} is not JSON: {error.msg}"
                    raise UnusableFileError(words) from error
            except RecursionError:
                words = f"cannot be read: item {number} is nested too deeply"
                raise UnusableFileError(words) from None
            self._want_size(number, len(self._text) - self._at)
            self._read_on()

    def _want_size(self, number: int, size: int) -> None:
        if size > self._max_size:
            words = f"cannot be read: {too_long(f'item {number}', self._max_size)}"
            raise UnusableFileError(words, argument="max_row_mb")

    def _may_go_on(self, error: json.JSONDecodeError) -> bool:
        """Whether the item may only be cut off at the end of what has been read."""
        return error.msg.startswith("Unterminated") or error.pos > len(self._text) - 12

    def _read_on(self) -> None:
        left = self._text[self._at :]
        chunk = self._stream.read(max(_CHUNK, len(left)))  # doubling keeps the time linear
        self._is_whole = not chunk
        self._text = left + self._decoded(chunk)
        self._at = 0

    def _decoded(self, chunk: bytes) -> str:
        try:
            return self._decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            raise not_utf_8(f"it has the byte 0x{error.object[error.start]:02x}") from None


def _from_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        made |= {key: REPEATED for key, _ in pairs if key in seen or seen.add(key)}  # type: ignore[func-returns-value]
    return made


def _integer(digits: str) -> int | UnusableValue:
    try:
        return int(digits)
    except ValueError:
        return TOO_MANY_DIGITS


# strict=False: a raw tab or NUL inside a string is odd, but it is readable.
_DECODER = json.JSONDecoder(object_pairs_hook=_from_pairs, parse_int=_integer, strict=False)


def _checked(value: Any, text: str) -> Any:
    """A value that is not nested too deeply, without halves of surrogate pairs."""
    # To look for one character is quick.
    if "\\" in text and ("\\ud" in text or "\\uD" in text):
        value = _DECODER.decode(_without_halves(text))
    if text.count("[") + text.count("{") > _MAX_DEPTH and _is_too_deep(value):
        raise RecursionError
    return value


def _without_halves(text: str) -> str:
    """The same JSON with the replacement character for half of a surrogate pair."""

    def replaced(found: re.Match[str]) -> str:
        return r"\ufffd" if len(found[0]) == 6 else found[0]

    return _ESCAPE.sub(replaced, text)


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_MAX_DEPTH + 1):
        level = [outer for outer in level if type(outer) in (list, dict)]
        if not level:
            return False
        inner = (outer.values() if type(outer) is dict else outer for outer in level)
        level = list(chain.from_iterable(inner))
    return True
