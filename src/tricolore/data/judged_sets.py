"""Finding judged sets in files and directories: examples with human scores, in any known form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tricolore.data.columns import Columns
from tricolore.data.datasets import DATASETS
from tricolore.data.examples import ExampleFile
from tricolore.errors import ReadError, TricoloreError
from tricolore.example import Example

ENDINGS = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
"""The endings of files that are looked at in a directory; text files also with .gz."""
_HEAD = 100
"""The number of rows in which human scores are looked for."""
_NOT_JUDGED = "it has no human scores of summaries"


@dataclass(frozen=True)
class JudgedSet:
    """Summaries with human scores."""

    name: str
    examples: Sequence[Example]
    unreadable: int = 0
    """Rows that are no examples."""

    @property
    def documents(self) -> list[str]:
        """The ids of its documents, in the order of the file."""
        return list(dict.fromkeys(example.doc_id for example in self.examples))

    def of_documents(self, documents: Iterable[str]) -> list[Example]:
        """The summaries of some documents, in the order of the file."""
        kept = set(documents)
        return [example for example in self.examples if example.doc_id in kept]


@dataclass(frozen=True)
class FoundSets:
    """The judged sets of some places, and the files that are none, with the reason."""

    sets: Sequence[JudgedSet]
    skipped: Sequence[tuple[str, str]] = ()


def find_judged_sets(
    places: Iterable[str | Path],
    columns: Columns | None = None,
    *,
    encoding: str = "",
    limit: int | None = None,
) -> FoundSets:
    """The judged sets in files, and in directories with all that is in them.

    A file is read as `tricolore score` reads it. One that has no human scores that way is tried as
    one of the public datasets, in the form in which they are published. A file that is named and
    is no judged set is an error; in a directory it is skipped.
    """
    sets: list[JudgedSet] = []
    skipped: list[tuple[str, str]] = []
    for place in map(Path, places):
        if not place.exists():
            raise ReadError(f"{place} is not there")
        if place.is_file():
            sets.append(_judged_set(place, columns, encoding, limit))
            continue
        for path in _candidates(place):
            try:
                sets.append(_judged_set(path, columns, encoding, limit))
            except TricoloreError as error:
                skipped.append((path.relative_to(place).as_posix(), error.problem))
    if not sets:
        where = ", ".join(map(str, places))
        raise ReadError(f"there is no set of summaries with human scores in {where}")
    return FoundSets(_with_unique_names(sets), skipped)


def _candidates(directory: Path) -> Iterator[Path]:
    """What may be a judged set: a directory of published files as a whole, or single files."""
    names = {path.name for path in directory.iterdir()}
    together = [
        {file.name for file in dataset.files}
        for dataset in DATASETS.values()
        if len(dataset.files) > 1
    ]
    whole = next((files for files in together if files <= names), set())
    if whole:
        yield directory
    for path in sorted(directory.iterdir()):
        if path.name.startswith(".") or path.name in whole:
            continue
        if path.is_dir():
            yield from _candidates(path)
        elif path.name.removesuffix(".gz").endswith(ENDINGS) and not _is_sidecar(path):
            yield path


def _is_sidecar(path: Path) -> bool:
    """Whether it describes a file of scores beside it."""
    return path.name.endswith(".meta.json")


def _judged_set(path: Path, columns: Columns | None, encoding: str, limit: int | None) -> JudgedSet:
    name = path.name.removesuffix(".gz")
    name = name.removesuffix(Path(name).suffix) if path.is_file() else name
    try:
        if path.is_dir():
            raise ReadError(f"{path} {_NOT_JUDGED}")
        file = ExampleFile(str(path), columns, encoding=encoding, needs={"summary"}, limit=limit)
        return _own(name, file)
    except TricoloreError as error:
        published = _published(name, path, limit)
        if published is None:
            raise ReadError(f"{path} cannot be used: {error.problem}", error.hint) from error
        return published


def _own(name: str, file: ExampleFile) -> JudgedSet:
    """A set in one of the forms that all commands read."""
    with file:
        head = [row for row in islice(file, _HEAD) if isinstance(row, Example)]
        if not any(row.human for row in head):
            raise ReadError(_NOT_JUDGED)
        rows = list(file)
    examples = [row for row in rows if isinstance(row, Example)]
    return JudgedSet(name, examples, len(rows) - len(examples))


def _published(name: str, path: Path, limit: int | None) -> JudgedSet | None:
    """A public dataset as it was published; None if no reader knows the form."""
    for dataset in DATASETS.values():
        names = {file.name for file in dataset.files}
        if len(names) > 1 and path.is_file() and path.name not in names:
            continue  # its reader would look at other files beside this one
        try:
            rows = islice(dataset.read(path), limit)
            return JudgedSet(name, [row.example for row in rows])
        except TricoloreError:
            continue
    return None


def _with_unique_names(sets: Sequence[JudgedSet]) -> list[JudgedSet]:
    """A name that several sets have gets a number."""
    seen: dict[str, int] = {}
    found = []
    for each in sets:
        seen[each.name] = number = seen.get(each.name, 0) + 1
        name = each.name if number == 1 else f"{each.name} ({number})"
        found.append(JudgedSet(name, each.examples, each.unreadable))
    return found
