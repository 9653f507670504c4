"""Reads a file of scores without our own reader, and checks that every row has its due."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

LABELS = ("rouge-1", "coverage", "redundancy", "length")
"""Cheap measures: one compares with references, one with the source, two read the summary only."""


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of scores; None where there is no value."""
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        return list(pq.read_table(path).to_pylist())
    text = path.read_bytes().decode("utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.split("\n") if line]
    delimiter = "\t" if path.suffix == ".tsv" else ","
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    return [{name: cell if cell != "" else None for name, cell in row.items()} for row in rows]


def check_rows(rows: list[dict[str, Any]], count: int, labels: tuple[str, ...] = LABELS) -> None:
    """There is one row per input row, in order, and each has all its values or a problem."""
    assert [int(row["row"]) for row in rows] == list(range(1, count + 1))
    for row in rows:
        values = [row[label] for label in labels]
        assert (None in values) == bool(row["problem"]), row
        assert all(math.isfinite(float(value)) for value in values if value is not None), row
