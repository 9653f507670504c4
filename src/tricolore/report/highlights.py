"""Which evidence for a score to show; other modules print or draw it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tricolore.example import Example
from tricolore.score import Score, Span, SpanItem, SpanKind, Where

MOST = 5
"""The most pairs and source passages that are listed below a summary."""
_SAME = 0.999  # the similarity of a word with itself, up to rounding

_CAPTIONS: dict[SpanKind, str] = {
    "fault": "words that look wrong",
    "match": "words that the other text has too",
    "similar": "the words with the weakest matches",
    "missing": "words of the source that the summary lacks",
    "extra": "words that the summary has more of than the source",
    "novel": "words that the source does not have",
    "copied": "words copied from the source",
    "repeated": "words said before",
    "helped": "sentences that make the source easier to guess",
    "hurt": "sentences that make the source harder to guess",
    "unchanged": "sentences that change nothing",
}


_ITEM_CAPTION = "what the source does not support"

WORST_ITEMS: tuple[SpanItem, ...] = ("contradicted number", "number", "name", "sentence", "word")
"""What a span can be, from the clearest sign of an error to the weakest."""

_PAIRS: dict[SpanKind, str] = {
    "fault": "where the source has another word",
    "similar": "the weakest matches",
}


@dataclass(frozen=True)
class Mark:
    """A span of a text to highlight. `match` is what it was matched with, in any of the texts.

    `differs` says that the two were not the same words, whatever their case and punctuation.
    """

    where: Where
    start: int
    end: int
    kind: SpanKind = ""
    weight: float = 1.0
    label: str = ""
    document: int = 0
    match: Mark | None = None
    differs: bool = False
    item: SpanItem = ""

    @property
    def is_finding(self) -> bool:
        """Whether the measure says what it is that looks wrong: a number, a name, a sentence."""
        return self.kind == "fault" and bool(self.item)


@dataclass(frozen=True)
class MatchedPair:
    """Words of the summary and others that they were matched with."""

    here: str
    there: str
    mark: Mark


@dataclass(frozen=True)
class Highlights:
    """What a page or a terminal shows of one score.

    `marks` are of the summary, in the order of their weight; `source_marks` and `reference_marks`
    of the other texts, by document, both those without a match and those that marks of the summary
    were matched with. `pairs` are the most telling matches, `caption` says what the marks are and
    `pairs_caption` what the pairs are. `unit_marks` are the content units that a measure judged.

    `findings` are the numbers, names, sentences and words that look wrong, the clearest first.
    Those that are shorter than a sentence are among the marks, too. `sentences` are all sentences
    that a measure has matched with a passage, each once; the weight is how well it supports them.
    Whole sentences are never among the marks, where they would hide what is wrong inside them.
    """

    label: str
    text: str
    sources: tuple[str, ...]
    references: tuple[str, ...]
    marks: tuple[Mark, ...] = ()
    source_marks: tuple[Mark, ...] = ()
    reference_marks: tuple[Mark, ...] = ()
    pairs: tuple[MatchedPair, ...] = ()
    caption: str = ""
    pairs_caption: str = ""
    findings: tuple[Mark, ...] = ()
    sentences: tuple[Mark, ...] = ()
    units: tuple[str, ...] = ()
    unit_marks: tuple[Mark, ...] = ()

    def words(self, mark: Mark) -> str:
        """The marked words, in one line."""
        return " ".join(self.text_of(mark)[mark.start : mark.end].split())

    def text_of(self, mark: Mark) -> str:
        """The text that a mark is in."""
        if mark.where == "summary":
            return self.text
        if mark.where == "unit":
            return self.units[mark.document]
        return (self.sources if mark.where == "source" else self.references)[mark.document]

    def support(self, mark: Mark) -> Mark | None:
        """The sentence of `sentences` that a mark is, or is in."""
        around = (s for s in self.sentences if s.start <= mark.start and mark.end <= s.end)
        return next(around, None)

    @property
    def unmatched(self) -> tuple[Mark, ...]:
        """The marks of the source that no mark of the summary was matched with."""
        return tuple(mark for mark in self.source_marks if mark.match is None)


def highlights(
    example: Example, label: str, score: Score, *, every_match: bool = False
) -> Highlights:
    """Choose what to show of a score of a measure with this label.

    Marks are widened to whole words, and marks of a kind that overlap are joined. Where every
    word of the summary is matched with the most similar one, the weakest matches are chosen,
    unless `every_match` asks for all of them.

    >>> example = Example(source="four to nine", summary="a vote of nine")
    >>> alarm = Span("summary", 11, 13, kind="fault", match=Span("source", 0, 4))
    >>> found = highlights(example, "estime", Score(1.0, evidence=(alarm,)))
    >>> [(pair.here, pair.there) for pair in found.pairs], found.caption
    ([('nine', 'four')], 'words that look wrong')
    """
    texts = {"summary": (example.summary,), "source": example.source}
    texts["reference"] = example.references
    texts["unit"] = tuple(unit.text for unit in example.units)
    blank = Highlights(
        label, example.summary, example.source, example.references, units=texts["unit"]
    )
    inside_texts = (span for span in score.evidence if _fits(span, texts))
    widened = (_widened(span, texts) for span in inside_texts)
    marks = [mark for mark in widened if mark.start < mark.end]  # not only blanks
    summary_marks = [mark for mark in marks if mark.where == "summary"]
    inside = [mark for mark in summary_marks if mark.item != "sentence"]
    weak = [mark for mark in inside if mark.kind == "similar"]
    if not every_match:
        weak = [mark for mark in weak if mark.weight < _SAME]
    weak = _once(sorted(weak, key=lambda mark: mark.weight))
    weak = weak if every_match else weak[: 2 * MOST]
    others = [mark for mark in inside if mark.kind != "similar"]
    inside = [*_joined(sorted(others, key=lambda mark: -mark.weight)), *weak]
    outside = _joined([mark for mark in marks if mark.where != "summary"])
    outside += [mark.match for mark in inside if mark.match and mark.match.where != "summary"]
    pairs = _pairs(replace(blank, marks=tuple(inside)))
    whole = [mark for mark in summary_marks if mark.item == "sentence"]
    faulty = [mark for mark in (*inside, *whole) if mark.is_finding]
    return replace(
        blank,
        marks=tuple(inside),
        source_marks=tuple(mark for mark in outside if mark.where == "source"),
        reference_marks=tuple(mark for mark in outside if mark.where == "reference"),
        unit_marks=tuple(mark for mark in marks if mark.where == "unit"),
        pairs=tuple(pairs),
        caption=_caption(inside or [mark for mark in outside if mark.where != "unit"]),
        pairs_caption=_pairs_caption(pairs),
        findings=tuple(sorted(faulty, key=lambda m: (WORST_ITEMS.index(m.item), m.start))),
        sentences=tuple(_once(sorted(whole, key=lambda m: (m.start, m.kind != "similar")))),
    )


def _fits(span: Span, texts: dict[str, tuple[str, ...]]) -> bool:
    """Whether a text has this span: evidence in a file may be that of other texts."""
    documents = texts[span.where]
    is_there = 0 <= span.document < len(documents)
    return is_there and 0 <= span.start <= span.end <= len(documents[span.document])


def _widened(span: Span, texts: dict[str, tuple[str, ...]]) -> Mark:
    """A span as a mark of whole words, with its match."""
    text = texts[span.where][span.document]
    start, end = whole_words(text, span.start, span.end)
    has_match = span.match is not None and _fits(span.match, texts)
    match = _widened(span.match, texts) if span.match is not None and has_match else None
    mark = Mark(
        span.where, start, end, span.kind, span.weight, span.label, span.document, item=span.item
    )
    if span.match is None or match is None:
        return mark
    raw = text[span.start : span.end]
    other = texts[span.match.where][span.match.document][span.match.start : span.match.end]
    match = replace(match, kind=span.kind, weight=span.weight, match=mark)
    return replace(mark, match=match, differs=_plain(raw) != _plain(other))


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The smallest span of whole words around a span of characters, without blanks at its ends.

    >>> text = "to the headquarters. Unions"
    >>> start, end = whole_words(text, 12, 15)
    >>> text[start:end]
    'headquarters'
    """
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start >= end:
        return start, end
    while start > 0 and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return start, end


def _joined(marks: Sequence[Mark]) -> list[Mark]:
    """Merge overlapping marks of the same kind; the first one gives position and match.

    Its weight is the highest of theirs: n-grams of one word share it, and do not add up.
    """
    order = sorted(range(len(marks)), key=lambda at: (_group(marks[at]), marks[at].start))
    stretches: list[list[int]] = []
    group, end = None, 0
    for at in order:
        mark = marks[at]
        if (group, True) == (_group(mark), mark.start < end):
            stretches[-1].append(at)
            end = max(end, mark.end)
        else:
            stretches.append([at])
            group, end = _group(mark), mark.end
    return [_merged([marks[at] for at in sorted(places)]) for places in sorted(stretches, key=min)]


def _group(mark: Mark) -> tuple[str, int, str, str]:
    """Marks of one group may be merged."""
    return mark.where, mark.document, mark.kind, mark.item


def _merged(marks: Sequence[Mark]) -> Mark:
    """The first mark, as wide as all together."""
    start, end = min(mark.start for mark in marks), max(mark.end for mark in marks)
    weight = max((mark.weight for mark in marks), key=abs)
    return replace(marks[0], start=start, end=end, weight=weight)


def covered(marks: Iterable[Mark]) -> list[tuple[int, int]]:
    """The spans of a text that marks of any kind cover; those that touch are one.

    >>> covered([Mark("summary", 4, 6), Mark("summary", 0, 3), Mark("summary", 3, 4)])
    [(0, 6)]
    """
    spans: list[tuple[int, int]] = []
    for start, end in sorted((mark.start, mark.end) for mark in marks):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _once(marks: Sequence[Mark]) -> list[Mark]:
    """The first mark of each word; a word may be marked in several pieces."""
    first: dict[tuple[int, int], Mark] = {}
    for mark in marks:
        first.setdefault((mark.start, mark.end), mark)
    return list(first.values())


def _pairs(shown: Highlights) -> list[MatchedPair]:
    """Words with others that they were matched with, each pair once.

    A piece of a word that the other text has too is not such a pair, even if the words differ.
    """
    pairs: dict[tuple[str, str], MatchedPair] = {}
    for mark in shown.marks:
        if mark.differs and mark.match is not None and not mark.is_finding:
            here, there = shown.words(mark), shown.words(mark.match)
            if _plain(here) != _plain(there):
                pairs.setdefault((here, there), MatchedPair(here, there, mark))
    return list(pairs.values())[:MOST]


def _plain(words: str) -> str:
    return "".join(letter for letter in words.lower() if letter.isalnum())


def _caption(marks: Sequence[Mark]) -> str:
    captions = (_ITEM_CAPTION if m.is_finding else _CAPTIONS[m.kind] for m in marks if m.kind)
    return "; ".join(dict.fromkeys(captions))


def _pairs_caption(pairs: Sequence[MatchedPair]) -> str:
    kinds = dict.fromkeys(pair.mark.kind for pair in pairs)
    return "; ".join(_PAIRS.get(kind, "matched with other words") for kind in kinds)
