"""Writing rows as JSON Lines, one object per line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tricolore.data.atomic import open_text
from tricolore.errors import WriteError


def write_json_lines(rows: Iterable[Mapping[str, Any]], target: str | Path) -> None:
    """Write rows to a .jsonl file, whole or not at all; or to standard output for `-`."""
    if str(target) == "-":
        for row in rows:
            sys.stdout.write(to_json_text(row) + "\n")
        sys.stdout.flush()
        return
    if Path(target).suffix.lower() != ".jsonl":
        raise WriteError(f"{target} does not end in .jsonl", argument="output")
    with open_text(target) as out:
        out.writelines(to_json_text(row) + "\n" for row in rows)


def to_json_text(value: object) -> str:
    """The row as JSON on one line, with characters unescaped if UTF-8 can encode them."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate, from a broken input
        return json.dumps(value)
    return text
