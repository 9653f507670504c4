"""Writing scores: one row an example, values and parts in columns, signatures beside them."""

from __future__ import annotations

import csv
import glob
import json
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, Self

from tricolore.errors import WriteError
from tricolore.example import Example, Unreadable
from tricolore.measure import Measure
from tricolore.score import Score

Ending = Literal[".jsonl", ".csv", ".tsv", ".parquet"]
_ENDINGS: tuple[Ending, ...] = (".jsonl", ".csv", ".tsv", ".parquet")
_CHUNK = 1000

Status = Literal["ok", "empty", "problem", "unreadable"]
"""Whether all measures gave a value, the summary is empty, some measure gave none, or the row of
the input could not be read."""


def check_target(target: str) -> None:
    """Say what keeps a file from being written before anything is computed."""
    path = Path(target)
    if path.is_dir():
        raise WriteError(f"{target} cannot be written: it is a directory; name a file with -o")
    if not path.parent.is_dir():
        raise WriteError(f"{target} cannot be written: there is no directory {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise WriteError(f"{target} cannot be written: {path.parent} takes no new files")


class ScoreFile:
    """Takes scores row by row and leaves a whole file or none.

    Rows go to a hidden file beside the target, as JSON Lines; at the end it is turned into the
    format that the target's ending names and takes the target's place in one step.
    """

    def __init__(self, target: str, measures: Sequence[Measure], *, evidence: bool = False) -> None:
        self.target = Path(target)
        self._measures = measures
        self._evidence = evidence
        self._count = 0
        self._human: dict[str, None] = {}
        self._ending = _ending_of(self.target)
        check_target(target)
        self._draft = self.target.with_name(f".{self.target.name}.{os.getpid()}.draft")
        _clear_away(self.target)
        try:
            self._stream = open(self._draft, "w", encoding="utf-8")  # noqa: SIM115
        except OSError as error:
            raise WriteError(
                f"{target} cannot be written: {error.strerror}; name another place with -o"
            ) from error

    def __enter__(self) -> Self:
        return self

    def add(self, example: Example | Unreadable, scores: Mapping[str, Score]) -> None:
        """Add one row."""
        self._count += 1
        row = score_row(self._count, example, scores, self._measures, evidence=self._evidence)
        self._human.update(dict.fromkeys(k for k in row if k.startswith("human.")))
        self._stream.write(_json(row) + "\n")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stream.close()
        if kind is not None:
            self._draft.unlink(missing_ok=True)
            return
        finished = self._draft.with_suffix(".done")
        try:
            self._finish(finished)
        except OSError as problem:
            raise WriteError(f"{self.target} cannot be written: {problem.strerror}") from problem
        finally:
            self._draft.unlink(missing_ok=True)
            finished.unlink(missing_ok=True)

    def _finish(self, finished: Path) -> None:
        columns = score_columns(self._measures, self._human, evidence=self._evidence)
        meta = _json(metadata(self._measures))
        if self._ending == ".parquet":
            _write_parquet(self._draft, finished, columns, meta)
        elif self._ending == ".jsonl":
            os.replace(self._draft, finished)
        else:
            _write_separated(self._draft, finished, columns, "\t" if "t" in self._ending else ",")
        if self._ending != ".parquet":
            _replace(sidecar(self.target), meta + "\n")
        os.replace(finished, self.target)


class ScoreStream:
    """The same rows as JSON Lines to standard output, as they come."""

    def __init__(
        self, measures: Sequence[Measure], *, evidence: bool = False, stream: IO[str] | None = None
    ) -> None:
        self._measures = measures
        self._evidence = evidence
        self._stream = stream or sys.stdout
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def add(self, example: Example | Unreadable, scores: Mapping[str, Score]) -> None:
        """Add one row."""
        self._count += 1
        row = score_row(self._count, example, scores, self._measures, evidence=self._evidence)
        self._stream.write(_json(row) + "\n")

    def __exit__(self, *_: object) -> None:
        self._stream.flush()


def score_row(
    number: int,
    example: Example | Unreadable,
    scores: Mapping[str, Score],
    measures: Sequence[Measure],
    *,
    evidence: bool,
) -> dict[str, Any]:
    """One row of the output by column name; None where there is no value."""
    row: dict[str, Any] = {"row": number, "doc_id": example.doc_id, "system": example.system}
    row["status"] = status(example, scores)
    if isinstance(example, Example):
        row |= {f"human.{name}": value for name, value in example.human.items()}
    for measure in measures:
        score = scores[measure.label]
        row[measure.label] = _number(score.value)
        for part in measure.part_names:
            row[f"{measure.label}.{part}"] = _number(score.parts.get(part, math.nan))
        if evidence:
            row[f"{measure.label}.evidence"] = [span.to_json() for span in score.evidence]
    row["problem"] = problem(scores)
    row["flags"] = flags(scores)
    return row


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


def status(example: Example | Unreadable, scores: Mapping[str, Score]) -> Status:
    """What became of a row: an empty summary is told from other problems."""
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
    """What kept the measures from giving a value; the same words are said once."""
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
    """What makes the numbers of a file reproducible, and which way is better in them."""
    return {
        "tricolore": version("tricolore"),
        "signatures": {measure.label: measure.signature() for measure in measures},
        "directions": {measure.label: measure.direction for measure in measures},
        "bounds": {measure.label: list(map(_number, measure.bounds)) for measure in measures},
    }


def sidecar(target: Path) -> Path:
    """Where the signatures of a file are that has no room for them inside."""
    return target.with_name(target.name + ".meta.json")


def _ending_of(target: Path) -> Ending:
    for ending in _ENDINGS:
        if target.suffix.lower() == ending:
            return ending
    raise WriteError(
        f"{target} ends in '{target.suffix}', which names no known format; "
        f"known are {', '.join(_ENDINGS)}, or - for JSON Lines to standard output"
    )


def _clear_away(target: Path) -> None:
    """Remove the drafts that killed runs have left behind."""
    for draft in target.parent.glob(f".{glob.escape(target.name)}.*.draft"):
        with suppress(ValueError, OSError):
            writer = int(draft.name.split(".")[-2])
            if not _lives(writer):
                draft.unlink()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _json(value: object) -> str:
    # Not ASCII only, but a lone surrogate from a broken input must not stop the run.
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() or _encodes(text) else json.dumps(value)


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _replace(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, path)


def _chunks(draft: Path) -> Iterator[list[dict[str, Any]]]:
    with open(draft, encoding="utf-8") as lines:
        chunk = []
        for line in lines:
            chunk.append(json.loads(line))
            if len(chunk) == _CHUNK:
                yield chunk
                chunk = []
        if chunk:
            yield chunk


def _flat(value: Any) -> Any:
    return _json(value) if isinstance(value, list) else value


def _write_separated(draft: Path, finished: Path, columns: list[str], delimiter: str) -> None:
    with open(finished, "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, delimiter=delimiter, lineterminator="\n")
        writer.writeheader()
        for chunk in _chunks(draft):
            writer.writerows({k: _flat(v) for k, v in row.items()} for row in chunk)


def _write_parquet(draft: Path, finished: Path, columns: list[str], meta: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    words = {"doc_id", "system", "status", "problem", "flags"}
    types = {
        name: pa.int64()
        if name == "row"
        else pa.string()
        if name in words or name.endswith(".evidence")
        else pa.float64()
        for name in columns
    }
    schema = pa.schema(list(types.items()), metadata={"tricolore": meta})
    with pq.ParquetWriter(finished, schema) as writer:
        for chunk in _chunks(draft):
            rows = [{k: _flat(v) for k, v in row.items()} for row in chunk]
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))
