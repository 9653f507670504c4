"""Writing rows as JSON Lines, one object per line."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tricolore.data.atomic import Target, open_text
from tricolore.errors import WriteError
from tricolore.text.printable import UNPRINTABLE

_WRITER = json.JSONEncoder(ensure_ascii=False)
"""Made once: it writes every row."""


def check_json_lines(target: Target) -> None:
    """Raise an error if a name is not that of a .jsonl file, or of standard output."""
    if str(target) != "-" and Path(target).suffix.lower() != ".jsonl":
        raise WriteError(f"{target} does not end in .jsonl", argument="output")


def write_json_lines(rows: Iterable[Mapping[str, Any]], target: Target) -> None:
    """Write rows to a .jsonl file, whole or not at all; or to standard output for `-`."""
    check_json_lines(target)
    if str(target) == "-":
        encoding = sys.stdout.encoding or "utf-8"
        for row in rows:
            sys.stdout.write(to_json_text(row, encoding) + "\n")
        sys.stdout.flush()
        return
    with open_text(target) as out:
        out.writelines(to_json_text(row) + "\n" for row in rows)


def to_json_text(value: object, encoding: str = "utf-8", *, indent: int | None = None) -> str:
    """A value as JSON, on one line unless it is indented.

    Characters are written as they are, except those that a terminal would obey and those that
    the encoding does not have: these are escaped, which a reader of JSON undoes.

    >>> print(to_json_text({"é": "\\x1b\\x9b"}))
    {"é": "\\u001b\\u009b"}
    """
    writer = _WRITER if indent is None else json.JSONEncoder(ensure_ascii=False, indent=indent)
    text = writer.encode(value)
    if text.isascii() and "\x7f" not in text:
        return text
    text = UNPRINTABLE.sub(_escaped, text)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent)
    return text


def _escaped(found: re.Match[str]) -> str:
    letter = found.group()
    return letter if letter == "\n" else f"\\u{ord(letter):04x}"
