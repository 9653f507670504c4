"""Writing damaged summaries as JSON Lines: a whole file or none."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tricolore.errors import WriteError


def write_rows(rows: Iterable[dict[str, Any]], target: str) -> None:
    """Write rows to a .jsonl file, or to standard output for `-`."""
    if target == "-":
        for row in rows:
            sys.stdout.write(_line(row))
        sys.stdout.flush()
        return
    path = Path(target)
    if path.suffix.lower() != ".jsonl":
        raise WriteError(f"{target} must end in .jsonl, or be - for standard output")
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        with open(draft, "w", encoding="utf-8") as out:
            out.writelines(map(_line, rows))
        os.replace(draft, path)
    except OSError as error:
        raise WriteError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)


def _line(row: dict[str, Any]) -> str:
    text = json.dumps(row, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half a character, in a broken input
        text = json.dumps(row)
    return text + "\n"
