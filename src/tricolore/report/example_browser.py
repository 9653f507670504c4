"""The examples of a report, as compact data for its script and as a few pages without one."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from tricolore.example import Example
from tricolore.measure import Direction
from tricolore.report.highlights import WORST_ITEMS
from tricolore.report.painting import PaintedMark, Painting, painted
from tricolore.score import Score, SpanItem, SpanKind, Where
from tricolore.text.printable import printable

_PLACES: tuple[Where, ...] = get_args(Where)
_KINDS: tuple[SpanKind, ...] = get_args(SpanKind)
_ITEMS: tuple[SpanItem, ...] = get_args(SpanItem)
_DIGITS = 6  # significant digits of a value: more than a reader sees
_FINDINGS_FIRST = "grounding"  # the measure that a reader sees first


@dataclass(frozen=True)
class JudgedRow:
    """A row of the input, numbered from 1, with its scores by label."""

    number: int
    example: Example
    scores: Mapping[str, Score]


@dataclass(frozen=True)
class StaticExample:
    """An example with the evidence of one measure, for readers without JavaScript."""

    row: JudgedRow
    painting: Painting

    @property
    def heading(self) -> str:
        """Which example it is, in one line."""
        example = self.row.example
        return printable(" · ".join(filter(None, (example.doc_id, example.system))))


def browser_page_data(
    rows: Sequence[JudgedRow], directions: Mapping[str, Direction]
) -> dict[str, Any]:
    """What the script of the report needs, as plain values.

    Texts and explanations are in tables, each once. A mark is nine whole numbers in a row: the
    place, the document, start and end, kind, item, shade, explanation and match (-1 for none).

    >>> row = JudgedRow(1, Example(source="a b", summary="a", doc_id="d"), {"chrf": Score(0.5)})
    >>> data = browser_page_data([row], {"chrf": "higher"})
    >>> data["rows"][0]["values"], data["texts"]
    ([0.5], ['a b', 'a'])
    """
    labels = list(directions)
    tables = _Tables()
    plain_rows = [_plain_row(row, labels, tables) for row in rows]
    return {
        "measures": [
            {"label": printable(label), "direction": directions[label]} for label in labels
        ],
        "preferred": preferred_measure(rows, directions),
        "places": _PLACES,
        "kinds": _KINDS,
        "items": _ITEMS,
        "systems": tables.systems.entries,
        "documents": tables.documents.entries,
        "texts": tables.texts.entries,
        "words": tables.words.entries,
        "legends": tables.legends.entries,
        "rows": plain_rows,
    }


def static_examples(
    rows: Sequence[JudgedRow], directions: Mapping[str, Direction], most: int = 10
) -> list[StaticExample]:
    """The worst examples by the preferred measure, with its evidence."""
    if not directions or not rows:
        return []
    label = list(directions)[preferred_measure(rows, directions)]
    sign = -1.0 if directions[label] == "lower" else 1.0
    known = [row for row in rows if label in row.scores and math.isfinite(row.scores[label].value)]
    worst = sorted(known, key=lambda row: sign * row.scores[label].value)[:most]
    return [StaticExample(row, painted(row.example, label, row.scores[label])) for row in worst]


def preferred_measure(rows: Sequence[JudgedRow], directions: Mapping[str, Direction]) -> int:
    """The index of the measure to show first: `grounding`, or the first that has evidence."""
    labels = list(directions)
    with_evidence = [
        at
        for at, label in enumerate(labels)
        if any(label in row.scores and row.scores[label].evidence for row in rows)
    ]
    grounding = [at for at in with_evidence if labels[at].startswith(_FINDINGS_FIRST)]
    return (grounding or with_evidence or [0])[0]


@dataclass
class _Entries:
    """Entries of a table, each once, and the index of each."""

    entries: list[Any] = field(default_factory=list)
    index: dict[Hashable, int] = field(default_factory=dict)

    def add(self, key: Hashable, entry: Any = None) -> int:
        found = self.index.get(key)
        if found is None:
            found = self.index[key] = len(self.entries)
            self.entries.append(key if entry is None else entry)
        return found


@dataclass
class _Tables:
    systems: _Entries = field(default_factory=_Entries)
    documents: _Entries = field(default_factory=_Entries)
    texts: _Entries = field(default_factory=_Entries)
    words: _Entries = field(default_factory=_Entries)
    legends: _Entries = field(default_factory=_Entries)


def _plain_row(row: JudgedRow, labels: Sequence[str], tables: _Tables) -> dict[str, Any]:
    example = row.example
    sources = tuple(tables.texts.add(text) for text in example.source)
    scores = [row.scores.get(label) for label in labels]
    document = {"id": printable(example.doc_id), "sources": sources}
    plain: dict[str, Any] = {
        "number": row.number,
        "system": tables.systems.add(printable(example.system)),
        "document": tables.documents.add((example.doc_id, sources), document),
        "summary": tables.texts.add(example.summary),
        "values": [_value(score) for score in scores],
        "paintings": [
            _plain_painting(painted(example, label, score), tables)
            if score is not None and score.evidence
            else 0
            for label, score in zip(labels, scores, strict=True)
        ],
    }
    if example.references:
        plain["references"] = [tables.texts.add(text) for text in example.references]
    problems = {
        at: tables.words.add(printable(score.problem))
        for at, score in enumerate(scores)
        if score is not None and score.problem
    }
    if problems:
        plain["problems"] = problems
    flags = {
        at: [printable(flag) for flag in score.flags]
        for at, score in enumerate(scores)
        if score is not None and score.flags
    }
    if flags:
        plain["flags"] = flags
    items = {span.item for s in scores if s for span in s.evidence if span.kind == "fault"}
    if found := [_ITEMS.index(item) for item in WORST_ITEMS if item in items]:
        plain["found"] = found
    return plain


def _value(score: Score | None) -> float | None:
    if score is None or not math.isfinite(score.value):
        return None
    return float(f"{score.value:.{_DIGITS}g}")


def _plain_painting(painting: Painting, tables: _Tables) -> dict[str, Any]:
    numbers: list[int] = []
    for mark in painting.marks:
        numbers += _plain_mark(mark, tables)
    legend = [entry.to_json() for entry in painting.legend]
    plain: dict[str, Any] = {
        "marks": numbers,
        "legend": tables.legends.add(painting.legend, legend),
    }
    if painting.lines:
        plain["lines"] = [tables.words.add(line) for line in painting.lines]
    return plain


def _plain_mark(mark: PaintedMark, tables: _Tables) -> list[int]:
    return [
        _PLACES.index(mark.where),
        mark.document,
        mark.start,
        mark.end,
        _KINDS.index(mark.kind),
        _ITEMS.index(mark.item),
        mark.shade,
        tables.words.add(mark.words),
        -1 if mark.match is None else mark.match,
    ]
