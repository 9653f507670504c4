"""The manifest of scores that are written in parts: what is scored, how, and what is done."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import file_digest
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tricolore.data.atomic import write_text
from tricolore.data.row_positions import RowPosition, position_of
from tricolore.errors import ReadError

MANIFEST = "manifest.json"
FORMAT = "tricolore parts 1"
"""What a manifest says that it is."""
_NEW = "choose another directory for the output, or remove this one"


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that are scored and written together."""

    number: int
    first_row: int
    """The number of its first row among all rows, from 1."""
    rows: int
    start: RowPosition

    @property
    def file(self) -> str:
        """The name of the file that it is written to."""
        return f"part-{self.number:05}.parquet"


@dataclass(frozen=True, slots=True)
class FinishedPart:
    """What is known of a part that is written: its file, and what to tell of its rows."""

    number: int
    file: str
    rows: int
    size: int
    digest: str
    """The SHA-256 of the file."""
    rows_with_problem: int = 0
    first_problem: str = ""
    passing_problems: int = 0
    """Rows with a problem that may go away, such as too little memory or time."""
    readable: int = 0
    """Rows that are examples."""
    unusable_human: Mapping[str, int] = field(default_factory=dict)
    """Human scores that are not numbers: what is wrong, and in how many rows."""

    def is_whole_in(self, directory: Path) -> bool:
        """Whether the file is there as it was written."""
        path = directory / self.file
        try:
            return path.stat().st_size == self.size and digest_of(path) == self.digest
        except OSError:
            return False


@dataclass(frozen=True, slots=True)
class ScoredInput:
    """A file whose rows are scored."""

    path: str
    size: int
    digest: str
    """The SHA-256 of the file."""
    rows: int = -1
    """The number of its rows that are scored; -1 as long as they are not counted."""


@dataclass(frozen=True)
class RunIdentity:
    """What must be the same for parts to belong together."""

    inputs: Sequence[ScoredInput]
    columns: Mapping[str, Any]
    """Which columns are read as what, and how the files are read."""
    limit: int | None
    signatures: Mapping[str, Mapping[str, Any]]
    """The signatures of the measures, before they are fitted to a corpus."""
    evidence: bool
    version: str = field(default_factory=lambda: version("tricolore"))

    def differences(self, other: RunIdentity) -> list[str]:
        """What is different in another run, in words."""
        found = []
        if self.version != other.version:
            found.append(f"tricolore was {self.version} and is {other.version} now")
        found += _input_differences(self.inputs, other.inputs)
        if self.columns != other.columns:
            found.append("the columns, or how the input is read, are others")
        if self.limit != other.limit:
            found.append(f"the limit was {self.limit} and is {other.limit} now")
        if [*self.signatures] != [*other.signatures]:
            old, new = ", ".join(self.signatures), ", ".join(other.signatures)
            found.append(f"the measures were {old} and are {new} now")
        else:
            found += [
                f"the signature of {label} is another: {_changed(own, other.signatures[label])}"
                for label, own in self.signatures.items()
                if own != other.signatures[label]
            ]
        if self.evidence != other.evidence:
            found.append(f"evidence is {'not ' * self.evidence}written now")
        return found


@dataclass
class Manifest:
    """The plan of a run in parts, and the parts that are finished."""

    identity: RunIdentity
    part_rows: int
    parts: Sequence[Part]
    finished: dict[int, FinishedPart] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """The number of all rows."""
        return sum(part.rows for part in self.parts)

    @property
    def is_complete(self) -> bool:
        """Whether all parts are finished."""
        return len(self.finished) == len(self.parts)

    @property
    def missing(self) -> list[Part]:
        """The parts that are not finished."""
        return [part for part in self.parts if part.number not in self.finished]

    def in_order(self) -> list[FinishedPart]:
        """The finished parts in the order of their rows."""
        return [self.finished[number] for number in sorted(self.finished)]

    def write(self, directory: Path) -> None:
        """Write the manifest, in the place of an older one."""
        write_text(directory / MANIFEST, json.dumps(self._plain(), ensure_ascii=False) + "\n")

    def _plain(self) -> dict[str, Any]:
        identity = asdict(self.identity)
        return {
            "format": FORMAT,
            "tricolore": identity.pop("version"),
            "is_complete": self.is_complete,
            "rows": self.rows,
            "part_rows": self.part_rows,
            **identity,
            "parts": [
                {
                    "first_row": part.first_row,
                    "rows": part.rows,
                    "start": part.start.to_json(),
                    "finished": _finished_plain(self.finished.get(part.number)),
                }
                for part in self.parts
            ],
        }


def is_parted(path: str | Path) -> bool:
    """Whether a path is a directory with a manifest."""
    return (Path(path) / MANIFEST).is_file()


def read_manifest(directory: Path) -> Manifest:
    """The manifest of a directory; an error if it is not one that we have written."""
    path = directory / MANIFEST
    try:
        plain = json.loads(path.read_bytes())
        if plain["format"] != FORMAT:
            raise ReadError(f"{path} is not of the format '{FORMAT}'")
        return _manifest(plain)
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(f"{path} cannot be read as a manifest of scores", _NEW) from error


def digest_of(path: str | Path) -> str:
    """The SHA-256 of a file."""
    with open(path, "rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def differing_run(directory: Path, differences: Iterable[str]) -> ReadError:
    """The error for a directory that has the scores of another run."""
    words = f"{directory} has scores of another run: {'; '.join(differences)}"
    return ReadError(words, _NEW, argument="output")


def _manifest(plain: Mapping[str, Any]) -> Manifest:
    limit = plain["limit"]
    identity = RunIdentity(
        inputs=[ScoredInput(**each) for each in plain["inputs"]],
        columns=dict(plain["columns"]),
        limit=None if limit is None else int(limit),
        signatures={label: dict(signature) for label, signature in plain["signatures"].items()},
        evidence=bool(plain["evidence"]),
        version=str(plain["tricolore"]),
    )
    parts, finished = [], {}
    for number, each in enumerate(plain["parts"]):
        first, rows = int(each["first_row"]), int(each["rows"])
        parts.append(Part(number, first, rows, position_of(each["start"])))
        if each["finished"] is not None:
            finished[number] = FinishedPart(
                number=number, file=parts[-1].file, rows=rows, **each["finished"]
            )
    return Manifest(identity, int(plain["part_rows"]), parts, finished)


def _finished_plain(part: FinishedPart | None) -> dict[str, Any] | None:
    if part is None:
        return None
    plain = asdict(part)
    return {name: plain[name] for name in plain if name not in ("number", "file", "rows")}


def _input_differences(old: Sequence[ScoredInput], new: Sequence[ScoredInput]) -> list[str]:
    """What is different in the content of the inputs; they may have been moved."""
    if len(old) != len(new):
        return [f"there were {len(old)} input files and are {len(new)} now"]
    pairs = zip(old, new, strict=True)
    return [f"{now.path} has changed" for before, now in pairs if before.digest != now.digest]


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return ", ".join(f"{name} was {old.get(name)} and is {new.get(name)} now" for name in names)
