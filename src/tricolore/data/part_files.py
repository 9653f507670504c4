"""Files of scores that are written in parts, as Parquet."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tricolore.data.atomic import open_binary
from tricolore.data.manifest import FinishedPart, Part
from tricolore.data.scores import (
    HUMAN,
    ScoreRows,
    problem,
    score_columns,
    score_schema,
    table_of_rows,
)
from tricolore.example import Example, Unreadable
from tricolore.measure import Measure
from tricolore.score import Score

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS = 1000
"""Rows that are turned into columns together."""


@dataclass
class PartTally:
    """What to tell of the rows of a part."""

    readable: int = 0
    rows_with_problem: int = 0
    first_problem: str = ""
    passing_problems: int = 0
    rows: int = 0

    def add(self, example: Example | Unreadable, scores: Mapping[str, Score]) -> None:
        """Count one row."""
        self.rows += 1
        self.readable += isinstance(example, Example)
        if words := problem(scores):
            self.rows_with_problem += 1
            self.first_problem = self.first_problem or words
            self.passing_problems += not all(score.is_final for score in scores.values())


@dataclass
class PartFile:
    """Collects the rows of a part and writes them as one Parquet file, whole or not at all."""

    part: Part
    measures: Sequence[Measure]
    about: str
    """The metadata of the scores, as JSON."""
    evidence: bool = False
    tally: PartTally = field(default_factory=PartTally)
    _rows: list[dict[str, Any]] = field(default_factory=list)
    _tables: list[pa.Table] = field(default_factory=list)
    _human: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._made = ScoreRows(self.measures, evidence=self.evidence)

    def add(self, example: Example | Unreadable, scores: Mapping[str, Score]) -> None:
        """Add the next row."""
        row = self._made.row(self.part.first_row + self.tally.rows, example, scores)
        self.tally.add(example, scores)
        if isinstance(example, Example) and example.human:
            self._human.update(dict.fromkeys(name for name in row if name.startswith(HUMAN)))
        self._rows.append(row)
        if len(self._rows) == _ROWS:
            self._convert()

    def write(self, directory: Path, unusable_human: Mapping[str, int]) -> FinishedPart:
        """Write the file, and tell what is in it."""
        self._convert()
        raw = self._parquet()
        with open_binary(directory / self.part.file) as out:
            out.write(raw)
        return FinishedPart(
            number=self.part.number,
            file=self.part.file,
            rows=self.tally.rows,
            size=len(raw),
            digest=sha256(raw).hexdigest(),
            rows_with_problem=self.tally.rows_with_problem,
            first_problem=self.tally.first_problem,
            passing_problems=self.tally.passing_problems,
            readable=self.tally.readable,
            unusable_human=dict(Counter(unusable_human)),
        )

    def _convert(self) -> None:
        """Turn the rows that wait into columns."""
        if self._rows:
            self._tables.append(table_of_rows(self._rows, self._schema()))
            self._rows = []

    def _parquet(self) -> memoryview:
        import pyarrow as pa
        import pyarrow.parquet as pq

        schema = self._schema()
        out = io.BytesIO()
        with pq.ParquetWriter(out, schema) as writer:
            for table in self._tables:
                whole = pa.concat_tables([table, schema.empty_table()], promote_options="default")
                writer.write_table(whole.select(schema.names).cast(schema))
        return out.getbuffer()

    def _schema(self) -> pa.Schema:
        columns = score_columns(self.measures, self._human, evidence=self.evidence)
        return score_schema(columns, self.about)


def part_paths(directory: Path, parts: Iterable[FinishedPart]) -> list[Path]:
    """Where the files of parts are."""
    return [directory / part.file for part in parts]
