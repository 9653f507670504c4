"""Rows of scores by column, as the table of systems adds them up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tricolore.arrays import Flags, Floats
from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.score import Score

_AT_ONCE = 512
"""Rows that are added together: the weights of their documents are in memory at the same time."""


@dataclass(frozen=True)
class SystemRows:
    """Some rows: their systems, their documents, and the columns of each measure."""

    systems: Sequence[str]
    documents: Sequence[str]
    is_empty: Flags
    """Whether the summary of a row is empty."""
    values: Mapping[str, Floats]
    """By label, one line per row: the value, and the parts that a corpus-level value needs."""
    flags: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often a flag is set, by label and flag."""

    @staticmethod
    def of(
        rows: Sequence[tuple[Example, Mapping[str, Score]]], measures: Sequence[Measure]
    ) -> SystemRows:
        """Scored examples by column."""
        return SystemRows(
            [example.system for example, _ in rows],
            [example.doc_id for example, _ in rows],
            np.array([not example.summary.strip() for example, _ in rows], dtype=bool),
            {m.label: _lines(rows, m) for m in measures},
            Counter(
                (label, flag)
                for _, scores in rows
                for label, score in scores.items()
                for flag in score.flags
            ),
        )


def pooled_parts(measure: Measure) -> Sequence[str]:
    """The parts that the value of many rows together is computed from."""
    return measure.part_names if measure.is_pooled else ()


def _lines(rows: Sequence[tuple[Example, Mapping[str, Score]]], measure: Measure) -> Floats:
    parts = pooled_parts(measure)
    scores = [scores[measure.label] for _, scores in rows]
    return np.array([[s.value, *(s.parts.get(part, np.nan) for part in parts)] for s in scores])


def system_rows_of_file(path: Path, measures: Sequence[Measure]) -> Iterator[SystemRows]:
    """The rows of a Parquet file of scores; those that could not be read are left out."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    columns = {
        m.label: [m.label, *(f"{m.label}.{part}" for part in pooled_parts(m))] for m in measures
    }
    names = ["doc_id", "system", "status", "flags", *(n for some in columns.values() for n in some)]
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=_AT_ONCE, columns=names):
            status = batch.column("status")
            rows = batch.filter(pc.not_equal(status, "unreadable"))
            if not rows.num_rows:
                continue
            flags = rows.column("flags")
            yield SystemRows(
                rows.column("system").to_pylist(),
                rows.column("doc_id").to_pylist(),
                pc.equal(rows.column("status"), "empty").to_numpy(zero_copy_only=False),
                {label: _columns(rows, some) for label, some in columns.items()},
                _flags(flags.drop_null().to_pylist()),
            )


def _columns(rows: Any, names: Sequence[str]) -> Floats:
    """Columns of numbers side by side; NaN where there is none."""
    return np.column_stack([rows.column(name).to_numpy(zero_copy_only=False) for name in names])


def _flags(texts: Sequence[str]) -> Counter[tuple[str, str]]:
    """The flags that are written as `sbert: truncated, case; estime: language`."""
    found: Counter[tuple[str, str]] = Counter()
    for text in texts:
        for item in text.split("; "):
            label, _, flags = item.rpartition(": ")
            found.update((label, flag) for flag in flags.split(", "))
    return found
