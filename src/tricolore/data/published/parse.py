"""What the readers of published files have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tricolore.data.records import Records
from tricolore.data.unusable import UnusableValue
from tricolore.errors import ReadError


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of JSON, JSON Lines, CSV or Parquet; an unreadable row is an error here."""
    yield from Records(str(path)).complete()


def field(row: Mapping[str, Any], name: str, path: Path, advice: str = "") -> Any:
    """A field that the published format has."""
    if name not in row:
        has = ", ".join(map(str, row)) or "nothing"
        raise ReadError(
            f"{path} has no '{name}' in a row (it has {has})" + (f"; {advice}" if advice else "")
        )
    if isinstance(row[name], UnusableValue):
        raise ReadError(f"{path}: '{name}' is {row[name]} in a row")
    return row[name]


def only_file(path: Path, name: str) -> Path:
    """The file itself, or the one of this name in a directory."""
    return path / name if path.is_dir() else path
