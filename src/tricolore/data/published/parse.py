"""What the published files have in common: JSON that is a list, JSON Lines, Parquet."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tricolore.data.records import Records
from tricolore.errors import ReadError


def json_list(path: Path) -> list[dict[str, Any]]:
    """The objects of a file that holds one JSON list."""
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8") as stream:
            rows = json.load(stream)
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise ReadError(f"{path} is not JSON: {error}") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ReadError(f"{path} is not a JSON list of objects")
    return rows


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of JSON Lines, CSV or Parquet; an unreadable row is an error here."""
    for record in Records(str(path)):
        if isinstance(record, str):
            raise ReadError(f"{path}: {record}")
        yield record


def field(row: Mapping[str, Any], name: str, path: Path, advice: str = "") -> Any:
    """A field that the published format has."""
    if name not in row:
        has = ", ".join(map(str, row)) or "nothing"
        raise ReadError(
            f"{path} has no '{name}' in a row (it has {has})" + (f"; {advice}" if advice else "")
        )
    return row[name]


def only_file(path: Path, name: str) -> Path:
    """The file itself, or the one of this name in a directory."""
    return path / name if path.is_dir() else path
