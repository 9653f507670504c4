"""Writing scores: one row per example, values and parts in columns, signatures as metadata."""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Literal, Self

from tricolore.data.atomic import Draft, check_target, keep
from tricolore.data.json_lines import to_json_text
from tricolore.data.separated import CsvFormulas, check_csv_formulas, separated_lines
from tricolore.errors import WriteError
from tricolore.example import Example, Unreadable, encodable
from tricolore.measure import Measure
from tricolore.score import Score

if TYPE_CHECKING:
    import pyarrow as pa

Ending = Literal[".jsonl", ".csv", ".tsv", ".parquet"]
_ENDINGS: tuple[Ending, ...] = (".jsonl", ".csv", ".tsv", ".parquet")
_CHUNK = 1000
HUMAN = "human."

CSV_FORMULAS = "csv_formulas"
"""The key of the metadata that says how formulas were written."""

Status = Literal["ok", "empty", "problem", "unreadable"]
"""Whether all measures gave a value, the summary is empty, some measure gave none, or the row of
the input could not be read."""


class ScoreFile:
    """Writes scores row by row, and leaves a complete file or none.

    Rows go to a hidden file beside the target, as JSON Lines; at the end it is turned into the
    format that the target's ending names and takes the target's place in one step.

    In .csv and .tsv files an apostrophe protects text that a spreadsheet would take for a formula,
    unless `csv_formulas` is "keep". The metadata says so, and readers of score files undo it.
    """

    def __init__(
        self,
        target: str,
        measures: Sequence[Measure],
        *,
        evidence: bool = False,
        csv_formulas: CsvFormulas = "protect",
    ) -> None:
        self.target = Path(target)
        self._measures = measures
        self._evidence = evidence
        self._made = ScoreRows(measures, evidence=evidence)
        check_csv_formulas(csv_formulas)
        self._csv_formulas = csv_formulas
        self._count = 0
        self._human: dict[str, None] = {}
        self._ending = _ending_of(self.target)
        check_columns(measures, evidence=evidence)
        # Now, since the files of a model may be gone, or be others, when all rows are scored.
        self._about = metadata(measures)
        for path in written_files(self.target):
            check_target(path)
        self._rows = Draft(self.target)
        try:
            self._stream = self._rows.open("w")
        except WriteError:
            self._rows.discard()
            raise

    def __enter__(self) -> Self:
        return self

    def add(self, example: Example | Unreadable, scores: Mapping[str, Score]) -> None:
        """Add one row."""
        self._count += 1
        row = self._made.row(self._count, example, scores)
        if isinstance(example, Example) and example.human:
            self._human.update(dict.fromkeys(k for k in row if k.startswith(HUMAN)))
        with self._rows.errors():
            self._stream.write(to_json_text(row) + "\n")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                with self._rows.errors():
                    self._stream.close()
                self._finish()
        finally:
            with suppress(OSError):  # what could not be written is thrown away
                self._stream.close()
            self._rows.discard()

    def _finish(self) -> None:
        if self._ending in (".csv", ".tsv"):
            self._about[CSV_FORMULAS] = self._csv_formulas
        meta = to_json_text(self._about)
        drafts = [self._rows if self._ending == ".jsonl" else self._converted(meta)]
        try:
            if self._ending != ".parquet":
                drafts.append(Draft(sidecar(self.target)))
                with drafts[-1].errors(), drafts[-1].open("w") as out:
                    out.write(meta + "\n")
            keep(drafts)
        finally:
            for draft in drafts:
                draft.discard()

    def _converted(self, meta: str) -> Draft:
        """The rows in the format of the target."""
        columns = score_columns(self._measures, self._human, evidence=self._evidence)
        made = Draft(self.target)
        try:
            with made.errors():
                if self._ending == ".parquet":
                    with made.open() as out:
                        _write_parquet(self._rows.path, out, columns, meta)
                else:
                    mark = "\t" if self._ending == ".tsv" else ","
                    with made.open("w", newline="") as out:
                        _write_separated(self._rows.path, out, columns, mark, self._csv_formulas)
        except BaseException:
            made.discard()
            raise
        return made


class ScoreStream:
    """The same rows as JSON Lines to standard output, as they come."""

    def __init__(
        self, measures: Sequence[Measure], *, evidence: bool = False, stream: IO[str] | None = None
    ) -> None:
        self._made = ScoreRows(measures, evidence=evidence)
        self._stream = stream or sys.stdout
        self._encoding = getattr(self._stream, "encoding", None) or "utf-8"
        self._count = 0
        check_columns(measures, evidence=evidence)

    def __enter__(self) -> Self:
        return self

    def add(self, example: Example | Unreadable, scores: Mapping[str, Score]) -> None:
        """Add one row."""
        self._count += 1
        row = self._made.row(self._count, example, scores)
        self._stream.write(to_json_text(row, self._encoding) + "\n")

    def __exit__(self, *_: object) -> None:
        self._stream.flush()


class ScoreRows:
    """Rows of the output, by column name, of the scores of some measures."""

    def __init__(self, measures: Sequence[Measure], *, evidence: bool) -> None:
        self._evidence = evidence
        # Found once: the names are the same in all rows.
        self._columns = [
            (m.label, [(part, f"{m.label}.{part}") for part in m.part_names]) for m in measures
        ]

    def row(
        self, number: int, example: Example | Unreadable, scores: Mapping[str, Score]
    ) -> dict[str, Any]:
        """One row; None where there is no value."""
        names = {"doc_id": example.doc_id, "system": example.system}
        row: dict[str, Any] = {"row": number, **names, "status": status(example, scores)}
        if isinstance(example, Example) and example.human:
            row |= {HUMAN + name: value for name, value in example.human.items()}
        for label, part_columns in self._columns:
            score = scores[label]
            parts = score.parts
            row[label] = _number(score.value)
            for part, column in part_columns:
                row[column] = _number(parts.get(part, math.nan))
            if self._evidence:
                row[f"{label}.evidence"] = [span.to_json() for span in score.evidence]
        row["problem"] = _encodable(problem(scores))
        row["flags"] = _encodable(flags(scores))
        return row


def _encodable(text: str | None) -> str | None:
    return None if text is None else encodable(text)


def score_columns(
    measures: Sequence[Measure], human: Mapping[str, None], *, evidence: bool
) -> list[str]:
    """The columns of the output, in order."""
    columns = ["row", "doc_id", "system", "status", *human]
    for measure in measures:
        columns.append(measure.label)
        columns += [f"{measure.label}.{part}" for part in measure.part_names]
        columns += [f"{measure.label}.evidence"] if evidence else []
    return [*columns, "problem", "flags"]


def check_columns(measures: Sequence[Measure], *, evidence: bool) -> None:
    """Raise an error if two columns of the output would have the same name."""
    columns = Counter(score_columns(measures, {}, evidence=evidence))
    twice = [name for name, count in columns.items() if count > 1 or name.startswith(HUMAN)]
    if twice:
        raise WriteError(
            f"two columns of the output would have the name '{twice[0]}'",
            "give the measure, or its part, another name",
        )


def status(example: Example | Unreadable, scores: Mapping[str, Score]) -> Status:
    """The status of a row; an empty summary is distinguished from other problems."""
    if isinstance(example, Unreadable):
        return "unreadable"
    if not example.summary.strip():
        return "empty"
    return "problem" if any(score.problem is not None for score in scores.values()) else "ok"


def flags(scores: Mapping[str, Score]) -> str | None:
    """The warnings about the values of a row: `sbert: truncated; estime: language`."""
    found = [f"{label}: {', '.join(s.flags)}" for label, s in scores.items() if s.flags]
    return "; ".join(found) or None


def problem(scores: Mapping[str, Score]) -> str | None:
    """Why measures gave no value; the same reason is written once."""
    found: dict[str, list[str]] = {}
    for label, score in scores.items():
        if score.problem is not None:
            found.setdefault(score.problem, []).append(label)
    if not found:
        return None
    if len(found) == 1 and len(next(iter(found.values()))) == len(scores):
        return next(iter(found))
    return "; ".join(f"{', '.join(labels)}: {words}" for words, labels in found.items())


def metadata(measures: Sequence[Measure]) -> dict[str, Any]:
    """What makes the numbers of a file reproducible, and whether higher or lower is better."""
    return {
        "tricolore": version("tricolore"),
        "signatures": {measure.label: measure.signature() for measure in measures},
        "directions": {measure.label: measure.direction for measure in measures},
        "bounds": {measure.label: list(map(_number, measure.bounds)) for measure in measures},
    }


def is_evidence(column: str) -> bool:
    """Whether a column has spans of text; a human score may have any name.

    >>> is_evidence("coverage.evidence"), is_evidence("human.use of.evidence")
    (True, False)
    """
    return column.endswith(".evidence") and not column.startswith("human.")


def sidecar(target: Path) -> Path:
    """Where the signatures are written for a format that cannot contain them."""
    return target.with_name(target.name + ".meta.json")


def written_files(target: Path) -> list[Path]:
    """All files that are written for a file of scores; an error if its ending names no format."""
    return [target] if _ending_of(target) == ".parquet" else [target, sidecar(target)]


def has_score_ending(target: Path) -> bool:
    """Whether a path has the ending of a file of scores."""
    return target.suffix.lower() in _ENDINGS


def _ending_of(target: Path) -> Ending:
    for ending in _ENDINGS:
        if target.suffix.lower() == ending:
            return ending
    raise WriteError(
        f"{target} ends in '{target.suffix}', which names no known format; "
        f"known are {', '.join(_ENDINGS)}",
        argument="output",
    )


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _chunks(rows: Path) -> Iterator[list[dict[str, Any]]]:
    with open(rows, encoding="utf-8") as lines:
        chunk = []
        for line in lines:
            chunk.append(json.loads(line))
            if len(chunk) == _CHUNK:
                yield chunk
                chunk = []
        if chunk:
            yield chunk


def _flat(value: Any) -> Any:
    return to_json_text(value) if isinstance(value, list) else value


def _write_separated(
    rows: Path, out: IO[str], columns: list[str], delimiter: str, csv_formulas: CsvFormulas
) -> None:
    cells = ([_flat(row.get(c)) for c in columns] for chunk in _chunks(rows) for row in chunk)
    out.writelines(separated_lines([columns], delimiter=delimiter, csv_formulas="keep"))
    out.writelines(separated_lines(cells, delimiter=delimiter, csv_formulas=csv_formulas))


def _write_parquet(rows: Path, out: IO[bytes], columns: list[str], meta: str) -> None:
    import pyarrow.parquet as pq

    schema = score_schema(columns, meta)
    with pq.ParquetWriter(out, schema) as writer:
        for chunk in _chunks(rows):
            writer.write_table(table_of_rows(chunk, schema))


def scores_table(
    results: Iterable[tuple[Example | Unreadable, Mapping[str, Score]]],
    measures: Sequence[Measure],
    *,
    evidence: bool = False,
) -> pa.Table:
    """Scores as an Arrow table, with the columns and metadata of a Parquet file of scores.

    `results` are examples in the order of their rows, each with its scores by label.
    """
    made = ScoreRows(measures, evidence=evidence)
    rows = [made.row(number, *result) for number, result in enumerate(results, 1)]
    human = dict.fromkeys(name for row in rows for name in row if name.startswith(HUMAN))
    columns = score_columns(measures, human, evidence=evidence)
    return table_of_rows(rows, score_schema(columns, to_json_text(metadata(measures))))


def score_schema(columns: Iterable[str], meta: str) -> pa.Schema:
    """The schema of a Parquet file of scores with these columns; `meta` is its metadata."""
    import pyarrow as pa

    words = {"doc_id", "system", "status", "problem", "flags"}
    types = {
        name: pa.int64()
        if name == "row"
        else pa.string()
        if name in words or is_evidence(name)
        else pa.float64()
        for name in columns
    }
    return pa.schema(list(types.items()), metadata={"tricolore": meta})


def table_of_rows(rows: Iterable[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    """Rows of the output as an Arrow table."""
    import pyarrow as pa

    flat = [{name: _flat(value) for name, value in row.items()} for row in rows]
    return pa.Table.from_pylist(flat, schema=schema)
