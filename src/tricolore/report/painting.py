"""The evidence for a score as a page paints it: marks with a shade, words and links.

`report.highlights` chooses what to show; this module says how a page shows it. The report, the
explorer and notebooks paint what it makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tricolore.example import Example
from tricolore.report.findings import finding_lines, finding_words
from tricolore.report.highlights import WORST_ITEMS, Highlights, Mark, highlights
from tricolore.score import Score, SpanItem, SpanKind, Where
from tricolore.text.printable import printable

SHADES = 4
"""The number of shades of a colour: 1 is the palest."""
_QUOTED = 80  # the most characters of a match that are quoted

_WORDS: dict[SpanKind, str] = {
    "": "Evidence for the value",
    "fault": "Looks wrong",
    "match": "Also in {there}",
    "missing": "Not in the summary",
    "extra": "The summary has more of this than the source",
    "novel": "Not in the source in these words",
    "copied": "Copied from the source",
    "repeated": "Said before in this summary",
    "helped": "Easier to guess with the summary than without it",
    "hurt": "Harder to guess with the summary than without it",
    "unchanged": "The summary does not change whether this is guessed",
}
_WORDS_OF_SENTENCES: dict[SpanKind, str] = {
    "helped": "This sentence makes the source easier to guess",
    "hurt": "This sentence makes the source harder to guess",
    "unchanged": "This sentence changes no guess",
}
_LEGEND: dict[SpanKind, str] = {
    "": "evidence",
    "fault": "looks wrong",
    "match": "in both texts",
    "similar": "weakest matches strongest",
    "missing": "missing from the summary",
    "extra": "more often than in the source",
    "novel": "not in the source in these words",
    "copied": "copied",
    "repeated": "said before",
    "helped": "this sentence helps",
    "hurt": "this sentence hurts",
    "unchanged": "this sentence changes nothing",
}
_LEGEND_OF_SOURCE: dict[SpanKind, str] = {
    "helped": "easier to guess with the summary",
    "hurt": "harder to guess with the summary",
    "unchanged": "no easier to guess",
}
_LEGEND_OF_ITEMS: dict[tuple[bool, SpanItem], str] = {
    (True, "contradicted number"): "number that the source contradicts",
    (True, "number"): "number that the source does not have",
    (True, "name"): "name that the source does not have",
    (True, "word"): "word that the source does not have",
    (True, "sentence"): "sentence that the source hardly supports",
    (False, "sentence"): "sentence and the passage most like it",
}
_LABELLED = frozenset[SpanKind](["", "match", "repeated", "unchanged", "helped", "hurt"])
"""Kinds whose labels say more than the kind."""
_THERE: dict[Where, str] = {
    "summary": "the summary",
    "source": "the source",
    "reference": "the reference",
    "unit": "a content unit",
}


@dataclass(frozen=True)
class PaintedMark:
    """A mark as a page paints it.

    `shade` is from 1 to `SHADES`, `words` explain the mark to a reader, and `match` is the index of
    the mark in another place that it was matched with.
    """

    where: Where
    document: int
    start: int
    end: int
    kind: SpanKind
    item: SpanItem
    shade: int
    words: str
    match: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The mark as plain values; offsets count code points."""
        plain: dict[str, Any] = {
            "where": self.where,
            "document": self.document,
            "start": self.start,
            "end": self.end,
            "kind": self.kind,
            "item": self.item,
            "shade": self.shade,
            "words": self.words,
        }
        return plain if self.match is None else {**plain, "match": self.match}


@dataclass(frozen=True)
class LegendEntry:
    """What the marks of a kind mean."""

    kind: SpanKind
    item: SpanItem
    words: str

    def to_json(self) -> dict[str, str]:
        """The entry as plain values."""
        return {"kind": self.kind, "item": self.item, "words": self.words}


@dataclass(frozen=True)
class Painting:
    """What a page paints of one score.

    It has the marks of all texts, what their colours mean, and the findings in words.
    """

    label: str
    marks: tuple[PaintedMark, ...] = ()
    legend: tuple[LegendEntry, ...] = ()
    lines: tuple[str, ...] = ()

    def of(self, where: Where, document: int = 0) -> list[tuple[int, PaintedMark]]:
        """The marks of one text with their indexes."""
        return [
            (index, mark)
            for index, mark in enumerate(self.marks)
            if (mark.where, mark.document) == (where, document)
        ]

    def to_json(self) -> dict[str, Any]:
        """The painting as plain values."""
        return {
            "legend": [entry.to_json() for entry in self.legend],
            "lines": list(self.lines),
            "marks": [mark.to_json() for mark in self.marks],
        }


def painted(example: Example, label: str, score: Score) -> Painting:
    """What a page paints of the score of a measure with this label.

    >>> from tricolore import Span
    >>> example = Example(source="It has 420 jobs.", summary="It has 4,200 jobs.")
    >>> match = Span("source", 7, 10)
    >>> span = Span("summary", 7, 12, kind="fault", item="number", match=match)
    >>> made = painted(example, "grounding", Score(0.5, evidence=(span,)))
    >>> [(mark.where, mark.words, mark.match) for mark in made.marks]
    [('summary', 'number: the source has “420”', 1), ('source', 'Compared with “4,200”', 0)]
    """
    shown = highlights(example, label, score, every_match=True)
    own = _in_order([*shown.sentences, *shown.marks, *_faulty_sentences(shown)])
    alone = [mark for mark in (*shown.source_marks, *shown.reference_marks) if mark.match is None]
    strongest = _strongest([*own, *alone])
    marks: list[PaintedMark] = []
    for mark in own:
        other = mark.match
        linked = other is not None and other.start < other.end
        here, there = len(marks), len(marks) + 1
        words = printable(_explained(shown, mark))
        shade = _shade(mark, strongest)
        marks.append(_painted(mark, words, shade, there if linked else None))
        if linked and other is not None:
            back = printable(f"Compared with {_quoted(shown, mark)}")
            marks.append(_painted(other, back, shade, here, like=mark))
    for mark in _in_order(alone):
        words = printable(_explained(shown, mark))
        marks.append(_painted(mark, words, _shade(mark, strongest)))
    lines = tuple(printable(line) for line in finding_lines(shown))
    return Painting(label, tuple(marks), _legend(own, alone), lines)


def _legend(own: Sequence[Mark], alone: Sequence[Mark]) -> tuple[LegendEntry, ...]:
    """What the colours mean, the strongest signs of an error first."""
    found: dict[str, LegendEntry] = {}
    for mark in sorted((*own, *alone), key=_importance):
        entry = _legend_entry(mark)
        found.setdefault(entry.words, entry)
    return tuple(found.values())


def _importance(mark: Mark) -> tuple[bool, int]:
    is_sentence = mark.item == "sentence" and not mark.is_finding
    return is_sentence, WORST_ITEMS.index(mark.item) if mark.is_finding else len(WORST_ITEMS)


def _legend_entry(mark: Mark) -> LegendEntry:
    if mark.item:
        kind = mark.kind if mark.is_finding else "similar"
        return LegendEntry(kind, mark.item, _LEGEND_OF_ITEMS[mark.is_finding, mark.item])
    if mark.where == "source" and mark.kind in _LEGEND_OF_SOURCE:
        return LegendEntry(mark.kind, "", _LEGEND_OF_SOURCE[mark.kind])
    return LegendEntry(mark.kind, "", _LEGEND[mark.kind])


def _faulty_sentences(shown: Highlights) -> list[Mark]:
    """Sentences that look wrong; those with a passage are among the sentences already."""
    known = {(mark.start, mark.end) for mark in shown.sentences}
    return [
        mark
        for mark in shown.findings
        if mark.item == "sentence" and (mark.start, mark.end) not in known
    ]


def _in_order(marks: Sequence[Mark]) -> list[Mark]:
    return sorted(marks, key=lambda mark: (mark.where, mark.document, mark.start, -mark.end))


def _painted(
    mark: Mark, words: str, shade: int, match: int | None = None, like: Mark | None = None
) -> PaintedMark:
    """A mark as it is painted; `like` gives kind and item to the other end of a match."""
    of = like or mark
    return PaintedMark(
        mark.where,
        mark.document,
        mark.start,
        mark.end,
        of.kind,
        of.item,
        shade,
        words,
        match,
    )


def _strongest(marks: Sequence[Mark]) -> dict[SpanKind, float]:
    found: dict[SpanKind, float] = {}
    for mark in marks:
        found[mark.kind] = max(found.get(mark.kind, 0.0), abs(mark.weight))
    return found


def _shade(mark: Mark, strongest: dict[SpanKind, float]) -> int:
    """How strongly a mark is painted: by its weight among marks of its kind.

    A finding has the full shade. A match by similarity is the stronger, the weaker it is: what a
    reader looks for are words without a good match.
    """
    if mark.is_finding or mark.kind == "unchanged":
        share = 1.0
    elif mark.kind == "similar":
        share = 1.0 - mark.weight
    else:
        share = abs(mark.weight) / (strongest[mark.kind] or 1.0)
    return max(1, min(SHADES, 1 + int(SHADES * share)))


def _explained(shown: Highlights, mark: Mark) -> str:
    """What a mark says, for a reader who points at it."""
    there = _THERE[mark.match.where if mark.match else "source"]
    if mark.is_finding:
        return finding_words(shown, mark)
    if mark.item == "sentence":
        return f"Support {mark.weight:.2f}: {mark.label or 'most like this passage'}"
    quoted = _quoted(shown, mark.match) if mark.match else ""
    if mark.kind == "similar":
        return f"Most like {quoted} in {there}: similarity {mark.weight:.2f}"
    if mark.kind == "fault" and mark.match is not None:
        return f"Alarm: in the most similar place {there} has {quoted}"
    words = _WORDS[mark.kind].format(there=there)
    if mark.where == "summary":
        words = _WORDS_OF_SENTENCES.get(mark.kind, words)
    if mark.kind in _LABELLED and _adds(shown, mark):
        words = f"{words} ({mark.label})"
    return words


def _adds(shown: Highlights, mark: Mark) -> bool:
    """Whether a label says what neither the kind nor the marked words say."""
    known = (mark.kind, "matched", "exact", "")
    return mark.label not in known and mark.label.lower() not in shown.words(mark).lower()


def _quoted(shown: Highlights, mark: Mark) -> str:
    words = shown.words(mark)
    return f"“{words[:_QUOTED]}{'…' if len(words) > _QUOTED else ''}”"


@dataclass(frozen=True)
class TextPiece:
    """A piece of a text between two ends of marks, and the indexes of the marks around it.

    The first index is the mark that gives it its colour: the shortest one.
    """

    start: int
    end: int
    marks: tuple[int, ...] = ()


def pieces(length: int, marks: Sequence[tuple[int, PaintedMark]]) -> list[TextPiece]:
    """Cut a text of a length at all ends of its marks.

    >>> outer = PaintedMark("summary", 0, 0, 5, "similar", "sentence", 1, "")
    >>> inner = PaintedMark("summary", 0, 2, 3, "fault", "name", 4, "")
    >>> [(p.start, p.end, p.marks) for p in pieces(6, [(0, outer), (1, inner)])]
    [(0, 2, (0,)), (2, 3, (1, 0)), (3, 5, (0,)), (5, 6, ())]
    """
    opening: dict[int, list[int]] = {}
    closing: dict[int, list[int]] = {}
    widths = {}
    for index, mark in marks:
        start, end = max(0, mark.start), min(length, mark.end)
        if start < end:
            widths[index] = end - start
            opening.setdefault(start, []).append(index)
            closing.setdefault(end, []).append(index)
    cuts = sorted({0, length, *opening, *closing})
    made = []
    around: set[int] = set()
    for start, end in pairwise(cuts):
        around.difference_update(closing.get(start, ()))
        around.update(opening.get(start, ()))
        inside = sorted(around, key=lambda index: (widths[index], index))
        made.append(TextPiece(start, end, tuple(inside)))
    return made
