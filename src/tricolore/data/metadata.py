"""Reading the metadata of scores: signatures, directions and bounds of the measures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast, get_args

from tricolore.data.score_files import score_files
from tricolore.data.scores import sidecar
from tricolore.errors import ReadError
from tricolore.measure import Direction


def read_metadata(path: str) -> dict[str, Any]:
    """The metadata that `score` wrote: inside a Parquet file, or beside a file of another kind.

    `signatures`, `directions` and `bounds` by label, as far as they are known. All parts in a
    directory have the same.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = score_files(path)[0]
    beside = sidecar(Path(path))
    is_inside = path.lower().endswith(".parquet")
    try:
        if is_inside:
            kept = (pq.read_schema(path).metadata or {}).get(b"tricolore", b"{}")
        else:
            kept = beside.read_bytes() if beside.is_file() else b"{}"
        found = json.loads(kept)
    except (OSError, pa.ArrowException, RecursionError, ValueError) as error:
        found = error
    if not _is_metadata(found):
        where = f"the metadata in {path}" if is_inside else str(beside)
        raise ReadError(
            f"{where} cannot be read as the metadata of scores",
            "write the scores again" if is_inside else "write the scores again, or remove it",
        )
    return cast(dict[str, Any], found)


def _is_metadata(found: object) -> bool:
    """Whether signatures, directions and bounds are what `scores.metadata` makes."""
    if not isinstance(found, dict):
        return False
    parts = [found.get(name, {}) for name in ("signatures", "directions", "bounds")]
    if not all(isinstance(part, dict) for part in parts):
        return False
    signatures, directions, bounds = parts
    return (
        all(isinstance(signature, dict) for signature in signatures.values())
        and all(direction in get_args(Direction) for direction in directions.values())
        and all(isinstance(pair, list) and _are_bounds(pair) for pair in bounds.values())
    )


def _are_bounds(pair: Sequence[object]) -> bool:
    return len(pair) == 2 and all(end is None or isinstance(end, int | float) for end in pair)
