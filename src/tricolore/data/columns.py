"""Finding the columns of a table: the source, the summary, the references and so on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from tricolore.data.unusable import UnusableValue
from tricolore.errors import ReadError

Role = Literal["source", "summary", "references", "system", "doc_id"]

USUAL: dict[Role, tuple[str, ...]] = {
    "source": (
        *("source", "document", "documents", "article", "text", "input", "source_text"),
        *("source_document", "dialogue", "transcript", "passage", "body", "content"),
    ),
    "summary": (
        # Beside a column of model output, `summary` is usually the reference.
        *("generated_summary", "generated", "predicted_summary", "prediction", "hypothesis"),
        *("model_summary", "system_summary", "summary", "candidate", "model_output", "output"),
    ),
    "references": (
        *("references", "reference", "reference_summary", "reference_summaries", "highlights"),
        *("target", "targets", "gold", "gold_summary", "ground_truth", "abstract"),
    ),
    "system": ("system", "system_id", "system_name", "model", "model_id", "model_name"),
    "doc_id": ("doc_id", "docid", "document_id", "article_id", "source_id", "id"),
}
"""The usual names of each column, the preferred one first."""

UNITS = "units"
HIGHLIGHTS = "highlights"
"""Columns of content units and of highlights of the source.

A column `highlights` of texts is the reference, as in CNN/Daily Mail; highlights of the source are
objects.
"""

MISSING = object()
"""What `value_at` gives for a column that a row does not have."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The names of the columns; an empty one stands for the usual names.

    A name may be a path into nested columns: `input.article`.
    """

    source: str = ""
    summary: str = ""
    references: str = ""
    system: str = ""
    doc_id: str = ""
    human: tuple[str, ...] = ()


def columns_of(names: Mapping[str, str | Sequence[str]]) -> Columns:
    """Columns from a dict: {"source": "article", "human": "quality"}."""
    known = [f.name for f in fields(Columns)]
    for role, name in names.items():
        if role not in known:
            words = f"there is no column role '{role}'; there are: {', '.join(known)}"
            raise ReadError(words, argument="columns")
        listed = [name] if isinstance(name, str) or role != "human" else name
        if not all(isinstance(each, str) for each in listed):
            raise ReadError(
                f"the column of '{role}' must be a name, not {name!r}", argument="columns"
            )
    human = names.get("human", ())
    return Columns(**{**names, "human": (human,) if isinstance(human, str) else tuple(human)})  # type: ignore[arg-type]


@dataclass(frozen=True)
class ColumnWarning:
    """A choice between columns that may be wrong; `role` is what it was made for."""

    role: Role
    words: str

    def __str__(self) -> str:
        return self.words


@dataclass
class FoundColumns:
    """The columns that were found, by role, and the columns of human scores."""

    mapping: dict[Role, str] = field(default_factory=dict)
    human: dict[str, str] = field(default_factory=dict)
    warnings: list[ColumnWarning] = field(default_factory=list)

    @property
    def used(self) -> frozenset[str]:
        """All columns, or paths into columns, that are read."""
        return frozenset({*self.mapping.values(), *self.human, "human", UNITS, HIGHLIGHTS})

    @property
    def has_highlights(self) -> bool:
        """Whether the column `highlights` may hold highlights of the source."""
        return HIGHLIGHTS not in self.mapping.values()

    def describe(self) -> str:
        """Which columns are read as what, in one line.

        >>> FoundColumns({"source": "document", "summary": "generated"}).describe()
        'read: source=document, summary=generated'
        """
        pairs = [f"{role}={self.mapping[role]}" for role in USUAL if role in self.mapping]
        if self.human:
            pairs.append(f"human={'+'.join(self.human)}")
        return f"read: {', '.join(pairs)}" if pairs else ""


def value_at(record: Mapping[str, Any], column: str) -> Any:
    """The value of a column, which may be a path; for a list of objects, a list of values.

    >>> value_at({"input": {"article": "A cat sat."}}, "input.article")
    'A cat sat.'
    """
    if column in record:
        return record[column]
    value: Any = record
    for key in column.split("."):
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            value = [item.get(key) for item in value]
        elif isinstance(value, dict) and key in value:
            value = value[key]
        else:
            return MISSING
    return value


def find_columns(
    head: Sequence[Mapping[str, Any]],
    columns: Columns,
    *,
    needs: Iterable[str] = (),
    name: str = "the data",
) -> FoundColumns:
    """Find the columns of each role in the first rows of a table.

    `needs` are the required roles; the summary is always required. A column has at most one role.
    """
    finder = _Finder(head, name)
    for role in USUAL:
        if wanted := getattr(columns, role):
            finder.take_wanted(role, wanted)
    for role in USUAL:
        if role not in finder.found.mapping:
            finder.take_usual(role)
    finder.take_summary_as_reference()
    if head:
        for role in USUAL:
            if role not in finder.found.mapping and role in {"summary", *needs}:
                raise finder.lacks(role, USUAL[role])
        finder.check_marks(needs)
    if not columns.doc_id:
        finder.check_ids()
    finder.check_usable()
    finder.take_human(columns.human)
    return finder.found


class _Finder:
    def __init__(self, head: Sequence[Mapping[str, Any]], name: str) -> None:
        self.head = head
        self.name = name
        self.present = list(dict.fromkeys(column for record in head for column in record))
        self.found = FoundColumns()

    def take_wanted(self, role: Role, wanted: str) -> None:
        column = self._matching(wanted) or self._path(wanted)
        if column is not None:
            self.found.mapping[role] = column
        elif self.head:
            raise self.lacks(role, (wanted,))

    def take_usual(self, role: Role) -> None:
        taken = set(self.found.mapping.values())
        names = [c for c in map(self._matching, USUAL[role]) if c is not None and c not in taken]
        if not names:
            return
        if role in ("source", "summary", "references"):
            # A column `source` that says "CNN", or a `prediction` of 0.7, is not the text.
            likeness = {column: self._likeness(role, column) for column in names}
            best = max(likeness.values())
            names = [column for column in names if likeness[column] == best >= 0]
        elif names[0] == role:
            names = names[:1]
        elif role == "doc_id" and len(names) > 1:
            names = [column for column in names if column.strip().casefold() != "id"]
        if names:
            self.found.mapping[role] = names[0]
        if len(names) > 1:
            self._warn(role, names)

    def take_summary_as_reference(self) -> None:
        """Read `summary` as the reference if model output is the summary."""
        mapping = self.found.mapping
        column = self._matching("summary")
        if "references" in mapping or column is None or column in mapping.values():
            return
        if any(warning.role == "summary" for warning in self.found.warnings):
            mapping["references"] = column
            words = f"'{column}' is read as the reference"
            self.found.warnings.append(ColumnWarning("references", words))

    def take_human(self, wanted: Sequence[str]) -> None:
        """The human scores that have their own columns."""
        human = self.found.human
        human |= {
            column: column.strip().removeprefix("human.")
            for column in self.present
            if column.strip().startswith("human.")
        }
        nested = {
            quality
            for record in self.head
            if isinstance(record.get("human"), dict)
            for quality in record["human"]
        }
        for name in wanted:
            column = self._matching(name) or self._path(name)
            if column is not None:
                human[column] = name
            elif self.head and name not in {*nested, *human.values()}:
                words = f"{self.name} has no column '{name}' of human scores; it has {self._list()}"
                raise ReadError(words, argument="human")

    def check_marks(self, needs: Iterable[str]) -> None:
        """Content units and highlights have no other names, and only some measures need them."""
        for column, what in ((UNITS, "content units"), (HIGHLIGHTS, "highlights of the source")):
            if column in needs and column not in self.present:
                words = f"{self.name} has no column '{column}' of {what}; it has {self._list()}"
                raise ReadError(words)

    def check_ids(self) -> None:
        """An id that differs between rows with the same source numbers rows, not documents."""
        column, source = self.found.mapping.get("doc_id"), self.found.mapping.get("source")
        if column is None or source is None or column.strip().casefold() == "doc_id":
            return
        ids: dict[tuple[str, ...], str | float] = {}
        for record in self.head:
            texts, row_id = _texts(value_at(record, source)), value_at(record, column)
            if not isinstance(row_id, str | int | float):
                continue
            if texts and ids.setdefault(texts, row_id) != row_id:
                del self.found.mapping["doc_id"]
                words = (
                    f"'{column}' is not read as the document, as rows with the same source differ "
                    "in it; rows with the same source are of one document"
                )
                self.found.warnings.append(ColumnWarning("doc_id", words))
                return

    def check_usable(self) -> None:
        """An error for a column that is read and has no usable value in any row."""
        for column in self.found.mapping.values():
            values = [value_at(record, column) for record in self.head]
            bad = [value for value in values if isinstance(value, UnusableValue)]
            if bad and len(bad) == len(values):
                raise ReadError(f"the column '{column}' of {self.name} is {bad[0]}")

    def lacks(self, role: Role, names: Sequence[str]) -> ReadError:
        looked = ", ".join(f"'{name}'" for name in names)
        return ReadError(
            f"{self.name} has no {role.removesuffix('s')} column: looked for {looked}; "
            f"it has {self._list()}",
            argument=f"columns.{role}",
        )

    def _warn(self, role: Role, names: Sequence[str]) -> None:
        listed = ", ".join(f"'{name}'" for name in names)
        what = {"references": "references", "doc_id": "document id"}.get(role, role)
        words = f"several columns could be the {what}: {listed}; '{names[0]}' is read"
        self.found.warnings.append(ColumnWarning(role, words))

    def _matching(self, name: str) -> str | None:
        """The column of this name; or the only one that differs from it in case or blanks."""
        if name in self.present:
            return name
        plain = name.strip().casefold()
        alike = [other for other in self.present if other.strip().casefold() == plain]
        return alike[0] if len(alike) == 1 else None

    def _path(self, name: str) -> str | None:
        is_there = any(value_at(record, name) is not MISSING for record in self.head)
        return name if is_there else None

    def _likeness(self, role: Role, column: str) -> int:
        """How much a column looks like running text: 2 if it does, 1 if it is short text.

        0 if it is something else, and -1 if it is objects without a text: those have columns of
        their own.
        """
        values = [record[column] for record in self.head if record.get(column) is not None]
        if column == HIGHLIGHTS and any(map(is_marks, values)):
            return -1
        if values and all(isinstance(value, dict) and "text" not in value for value in values):
            return -1
        if any(isinstance(value, UnusableValue) for value in values):
            return 2  # nothing else is read instead without a word
        texts = [value for value in values if isinstance(value, str) and value]
        if any(len(text) > 20 or len(text.split()) > 1 for text in texts):
            return 2
        if role != "summary" and any(isinstance(value, list | dict) and value for value in values):
            return 2
        return 1 if texts else 0

    def _list(self) -> str:
        """The columns of the table, with the columns nested in them."""
        names = dict.fromkeys(self.present)
        for record in self.head:
            for column, value in record.items():
                if isinstance(value, dict):
                    names |= dict.fromkeys(f"{column}.{key}" for key in value)
        return ", ".join(f"'{name}'" for name in names) or "no columns"


def is_marks(value: Any) -> bool:
    """Whether a value is a list of objects with a text or a start: units or highlights."""
    is_list = isinstance(value, list) and bool(value)
    return is_list and all(
        isinstance(one, dict) and ("text" in one or "start" in one) for one in value
    )


def text_of(value: Any) -> Any:
    """The text of an object such as {title, text}; anything else as it is."""
    return value["text"] if isinstance(value, dict) and "text" in value else value


def _texts(value: Any) -> tuple[str, ...]:
    """One text or several; none if it is something else."""
    texts = tuple(map(text_of, value if isinstance(value, list) else [value]))
    return texts if all(isinstance(text, str) for text in texts) else ()
