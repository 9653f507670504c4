"""JSON Lines and JSON arrays that are not what they should be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

from tests.robustness.cases import (
    GOOD,
    Case,
    Expected,
    between,
    either,
    error,
    line,
    lines,
    problem,
    sound,
    told,
)

DIGITS_400, DIGITS_5000 = "9" * 400, "9" * 5000
NOT_JSON = "not JSON"
NOT_OBJECT = "not a JSON object"


def raw(**values: str) -> bytes:
    """A good row in which some values are replaced by JSON as it is written here."""
    row = {name: json.dumps(value) for name, value in GOOD.items()} | values
    return ("{" + ", ".join(f'"{name}": {value}' for name, value in row.items()) + "}").encode()


LINES: dict[str, tuple[bytes, Expected]] = {
    "an open brace": (b"{", problem(NOT_JSON)),
    "an object that is cut off": (line()[:-20], problem(NOT_JSON)),
    "an open string": (line()[:40], problem(NOT_JSON)),
    "single quotes": (b"{'summary': 'a'}", problem(NOT_JSON)),
    "a trailing comma": (line()[:-1] + b",}", problem(NOT_JSON)),
    "Python's None": (raw(system="None"), problem(NOT_JSON)),
    "a comment": (b"// " + line(), problem(NOT_JSON)),
    "two objects": (line() + b" " + line(), problem(NOT_JSON)),
    "a bare word": (b"summary", problem(NOT_JSON)),
    "a bad escape": (line().replace(b"cat", b"\\cat"), problem(NOT_JSON)),
    "half an escape": (line().replace(b"cat", b"\\u12"), problem(NOT_JSON)),
    "NUL bytes": (b"\0\0\0", problem(NOT_JSON)),
    "a byte order mark in the middle": (b"\xef\xbb\xbf" + line(), either()),
    "an array": (b"[1, 2, 3]", problem(NOT_OBJECT)),
    "an array of an object": (b"[" + line() + b"]", problem(NOT_OBJECT)),
    "a number": (b"3", problem(NOT_OBJECT)),
    "a text": (b'"summary"', problem(NOT_OBJECT)),
    "null": (b"null", problem(NOT_OBJECT)),
    "true": (b"true", problem(NOT_OBJECT)),
    "NaN": (b"NaN", problem("JSON")),
    "an empty object": (b"{}", problem("no 'summary'")),
    "5000 digits": (DIGITS_5000.encode(), problem("JSON")),
    "an object with other names": (b'{"a": "b"}', problem("no 'summary'")),
    "invalid UTF-8": (line().replace(b"cat", b"c\xfft"), problem("not UTF-8")),
    "overlong UTF-8": (line().replace(b"cat", b"c\xc0\xaft"), problem("not UTF-8")),
    "UTF-8 of a surrogate": (line().replace(b"cat", b"c\xed\xa0\x80t"), problem("not UTF-8")),
    "UTF-8 that is cut off": (line().replace(b"cat", b"c\xe2\x82"), problem("not UTF-8")),
    "UTF-8 beyond Unicode": (line().replace(b"cat", b"\xf5\x80\x80\x80"), problem("not UTF-8")),
    "raw control characters": (line().replace(b"cat", b"c\x01\x1b\x7ft"), sound()),
    "a raw tab": (line().replace(b"cat", b"c\tt"), sound()),
    "a raw carriage return": (line().replace(b"cat", b"c\rt"), either()),
    "CR LF": (line() + b"\r", sound()),
    "spaces around": (b"  " + line() + b"  ", sound()),
    "a blank line": (b"", sound(2)),
    "a line of spaces": (b"   ", sound(2)),
    "a line of tabs": (b"\t\t", sound(2)),
    "a line with a form feed": (b"\f", sound(2)),
    "a key twice": (
        line()[:-1] + b', "summary": "Quite other words stand here."}',
        told("summary"),
    ),
    "the source twice": (
        line()[:-1] + b', "source": "Quite other words stand here."}',
        told("source"),
    ),
    "an unrelated key twice": (line()[:-1] + b', "x": 1, "x": 2}', either()),
    "an empty key": (line(**{"": "x"}), sound()),
    "a key that is a surrogate": (line(**{"\ud800": "x"}), sound()),
    "a key of 100,000 letters": (line(**{"k" * 100_000: 1}), sound()),
    "1000 keys": (line(**{f"k{at}": at for at in range(1000)}), sound()),
}

FILES: dict[str, tuple[bytes, Expected]] = {
    "a first line that is not JSON": (lines(b"{", line(), line()), problem(NOT_JSON, 1)),
    "a last line without an end": (between(line())[:-1], sound()),
    "a last line that is cut off": (between(line())[:-30], problem(NOT_JSON, 3)),
    "a byte order mark": (b"\xef\xbb\xbf" + between(line()), sound()),
    "blank lines first": (b"\n\n" + between(line()), sound()),
    "carriage returns only": (between(line()).replace(b"\n", b"\r"), error("")),
    "nothing but garbage": (bytes(range(128, 256)) * 20, error("UTF-8")),
    "a PNG": (b"\x89PNG\r\n\x1a\n" + bytes(500), error("")),
    "an HTML page": (b"<!doctype html>\n<html>\n</html>\n", error(NOT_JSON)),
    "a CSV file": (b"source,summary\na b c,a b\n", error(NOT_JSON)),
    "a Parquet file": (b"PAR1" + bytes(100) + b"PAR1", error("")),
    "a gzip file": (b"\x1f\x8b\x08\x00" + bytes(60), error("")),
    "one object over several lines": (json.dumps(GOOD, indent=2).encode(), error(NOT_JSON)),
    "JSON text sequences": (b"\x1e" + line() + b"\n", error(NOT_JSON)),
}

ARRAYS: dict[str, tuple[bytes, Expected]] = {
    "no items": (b"[]", error("")),
    "an open bracket": (b"[", error("")),
    "an item that is null": (b"[%s, null, %s]" % (line(), line()), problem(NOT_OBJECT)),
    "an item that is a number": (b"[%s, 3, %s]" % (line(), line()), problem(NOT_OBJECT)),
    "an item that is a list": (b"[%s, [], %s]" % (line(), line()), problem(NOT_OBJECT)),
    "an item that is empty": (b"[%s, {}, %s]" % (line(), line()), problem("no 'summary'")),
    "only numbers": (b"[1, 2, 3]", error(NOT_OBJECT)),
    "only empty objects": (b"[{}, {}]", error("column")),
    "no closing bracket": (b"[%s, %s" % (line(), line()), error("")),
    "a comma at the end": (b"[%s, %s,]" % (line(), line()), error("")),
    "something after the end": (b"[%s]\n]" % line(), error("")),
    "two arrays": (b"[%s]\n[%s]" % (line(), line()), error("")),
    "an array in an array": (b"[[%s]]" % line(), error("")),
    "over several lines": (b"[\n%s,\n%s,\n%s\n]\n" % (line(), line(), line()), sound()),
    "invalid UTF-8": (b"[%s]" % line().replace(b"cat", b"c\xff"), error("UTF-8")),
    "5000 digits": (b"[%s, %s]" % (line(), raw(x=DIGITS_5000)), told("", 2)),
    "a byte order mark": (b"\xef\xbb\xbf[%s]" % line(), sound(1)),
    "a key twice": (b"[%s, %s]" % (line(), LINES["a key twice"][0]), told("summary", 2)),
    "an object of objects": (b'{"rows": [%s]}' % line(), error("column")),
}

ANY, TEXT, EMPTY = "any", "text", "empty"
VALUES: dict[str, str] = {
    "null": "null",
    "a number": "3",
    "a fraction": "3.5",
    "true": "true",
    "false": "false",
    "an empty list": "[]",
    "an empty object": "{}",
    "an empty text": '""',
    "blanks": '" \\n\\t"',
    "a list in a list": '[["a b c"]]',
    "an empty list in a list": "[[]]",
    "an object": '{"a": "b"}',
    "an object with a text": '{"text": "a b c"}',
    "an object whose text is a number": '{"text": 3}',
    "a list with null": '["a b c", null]',
    "a list with a number": '["a b c", 3]',
    "a list with an object": '["a b c", {"b": 1}]',
    "a list with an empty text": '[""]',
    "NaN": "NaN",
    "infinity": "Infinity",
    "1e999": "1e999",
    "400 digits": DIGITS_400,
    "5000 digits": DIGITS_5000,
    "a list of 1000 texts": json.dumps(["a b c"] * 1000),
}
_NOTHING = {"null", "NaN", "an empty text", "blanks"}
_NO_TEXTS = {"an empty list", "a list with an empty text"}
_TEXTS = {"an object with a text", "a list of 1000 texts"}


def expected_of(field: str, value: str) -> Expected:
    """What must happen for a value of another type in a field."""
    if value == "5000 digits":
        return either()
    if field in ("doc_id", "system"):
        return either()
    if field == "human":
        return sound()
    if field == "summary":
        return problem("empty" if value in _NOTHING else "summary")
    if value in _TEXTS:
        return sound()
    if value in _NOTHING or value in _NO_TEXTS:
        return problem("source is empty" if field == "source" else "no reference")
    return problem(field)


NUMBERS: dict[str, tuple[str, bool]] = {
    "a decimal comma": ("4,5", False),
    "a word": ("good", False),
    "NaN": ("NaN", True),
    "infinity": ("inf", True),
    "minus infinity": ("-Infinity", True),
    "1e999": ("1e999", True),
    "1e-400": ("1e-400", True),
    "hexadecimal": ("0x10", False),
    "underscores": ("1_000", True),
    "Arabic digits": ("٣", True),
    "full-width digits": ("３", True),
    "blanks around": (" 3 ", True),
    "two signs": ("--1", False),
    "a percent sign": ("50%", False),
    "a fraction": ("1/2", False),
    "a thousands separator": ("1'000", False),
    "true": ("True", False),
    "null": ("null", False),
    "N/A": ("N/A", False),
    "a date": ("2024-01-01", False),
    "400 digits": (DIGITS_400, True),
    "5000 digits": (DIGITS_5000, True),
    "a formula": ("=1+1", False),
    "a control character": ("3\x1b[31m", False),
    "a surrogate": ("\ud800", False),
}
"""Human scores as text, and whether the value may be read as a number or as missing."""


def number_cases() -> Iterator[Case]:
    """A human score that is no number leaves the row as it is; what is left out is said."""
    for name, (text, is_readable) in NUMBERS.items():
        expected = sound(words="" if is_readable else "quality")
        content = between(line(human={"quality": text}))
        yield Case(f"human score: {name}", content, expected)


NESTED: dict[str, Any] = {
    "a line of brackets": lambda depth: b"[" * depth,
    "a line of objects": lambda depth: b'{"a":' * depth,
    "a line of closed brackets": lambda depth: b"[" * depth + b"]" * depth,
    "the source": lambda depth: raw(source="[" * depth + "]" * depth),
    "the source as a text": lambda depth: line(source="[" * depth + "]" * depth),
    "the references as a text": lambda depth: line(references="[" * depth + "]" * depth),
    "the summary": lambda depth: raw(summary='{"a":' * depth + "1" + "}" * depth),
    "a human score": lambda depth: raw(human="[" * depth + "]" * depth),
    "the system": lambda depth: raw(system="[" * depth + "]" * depth),
    "an unrelated key": lambda depth: raw(x="[" * depth + "]" * depth),
}
DEPTHS = (3, 900, 1100, 100_000)
_HARMLESS = ("the system", "an unrelated key", "a human score")
_AS_TEXT = ("the source as a text", "the references as a text")


def nested_cases() -> Iterator[Case]:
    """Brackets in brackets: never a traceback, whatever the depth."""
    for (name, made), depth in product(NESTED.items(), DEPTHS):
        expected = either() if name in (*_HARMLESS, *_AS_TEXT) else problem("")
        yield Case(f"{depth} levels: {name}", between(made(depth)), expected)


def line_cases() -> Iterator[Case]:
    """All cases of JSON."""
    for name, (row, expected) in LINES.items():
        yield Case(f"line: {name}", between(row), expected)
    for name, (content, expected) in FILES.items():
        yield Case(f"file: {name}", content, expected)
    for name, (content, expected) in ARRAYS.items():
        yield Case(f"array: {name}", content, expected, ".json")
    fields = ("source", "summary", "references", "doc_id", "system", "human")
    for field, (name, value) in product(fields, VALUES.items()):
        content = between(raw(**{field: value}))
        yield Case(f"{field} is {name}", content, expected_of(field, name))
    yield from number_cases()
    yield from nested_cases()
