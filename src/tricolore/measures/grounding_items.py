"""The names, numbers and words of a summary that its source does not support."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from tricolore.score import Span, SpanItem
from tricolore.text.content_words import ContentWord, check_words
from tricolore.text.markup import layout_spans
from tricolore.text.name_kinds import TypedName
from tricolore.text.name_match import NameFinding, check_names
from tricolore.text.quantity_match import QuantityFinding, check_quantities

_MOST_SHOWN = 60  # characters of the source that a label quotes


@dataclass(frozen=True)
class GroundingItem:
    """An item of a summary that the source does not support, and the nearest that it has."""

    start: int
    end: int
    item: SpanItem
    document: int = 0
    nearest: tuple[int, int] | None = None
    is_swapped: bool = False
    """Whether the source has this name, but another one in this place."""

    @staticmethod
    def number(found: QuantityFinding) -> GroundingItem:
        """A number that is contradicted or absent."""
        item: SpanItem = "contradicted number" if found.status == "contradicted" else "number"
        nearest = (found.nearest.start, found.nearest.end) if found.nearest else None
        at = found.quantity
        return GroundingItem(at.start, at.end, item, found.document, nearest)

    @staticmethod
    def name(found: NameFinding) -> GroundingItem:
        """A name that is absent."""
        nearest = None
        if found.source_start is not None and found.source_end is not None:
            nearest = found.source_start, found.source_end
        return GroundingItem(found.start, found.end, "name", found.document or 0, nearest)

    @staticmethod
    def swapped(found: NameFinding, better: TypedName, document: int) -> GroundingItem:
        """A name in the place of another one."""
        nearest = better.name.start, better.name.end
        return GroundingItem(found.start, found.end, "name", document, nearest, is_swapped=True)

    def span(self, sources: Sequence[str]) -> Span:
        """The evidence for it."""
        match = None
        label = "not in the source"
        if self.nearest is not None:
            start, end = self.nearest
            match = Span("source", start, end, document=self.document)
            words = " ".join(sources[self.document][start:end].split())[:_MOST_SHOWN]
            if self.item == "contradicted number":
                label = f"the source has “{words}”"
            elif self.is_swapped:
                label = f"the source has “{words}” here"
            else:
                label = f"not in the source; nearest: “{words}”"
        return Span(
            "summary", self.start, self.end, label=label, match=match, kind="fault", item=self.item
        )


@dataclass
class SentenceItems:
    """What was looked up for a sentence of the summary.

    Attributes:
        unsupported: The names and numbers that the source does not support.
        supported_names: The names that the source has somewhere.
        words: The content words beside them.
    """

    unsupported: list[GroundingItem] = field(default_factory=list)
    supported_names: list[NameFinding] = field(default_factory=list)
    words: list[ContentWord] = field(default_factory=list)


def checked_items(
    summary: str, sources: Sequence[str], sentences: Sequence[tuple[int, int]]
) -> list[SentenceItems]:
    """The items of each sentence, given by start and end in the summary."""
    found = [SentenceItems() for _ in sentences]
    if not sentences:
        return found
    starts = [start for start, _ in sentences]

    def at(start: int) -> SentenceItems:
        return found[max(0, bisect_right(starts, start) - 1)]

    layout = layout_spans(summary)

    def is_content(start: int, end: int) -> bool:
        return not any(left <= start and end <= right for left, right in layout)

    quantities = [
        found
        for found in check_quantities(summary, sources)
        if is_content(found.quantity.start, found.quantity.end)
    ]
    names = [name for name in check_names(summary, sources) if is_content(name.start, name.end)]
    for quantity in quantities:
        if quantity.status != "supported":
            at(quantity.quantity.start).unsupported.append(GroundingItem.number(quantity))
    for name in names:
        if name.status == "supported":
            at(name.start).supported_names.append(name)
        else:
            at(name.start).unsupported.append(GroundingItem.name(name))
    skipped = [(one.quantity.start, one.quantity.end) for one in quantities]
    skipped += [(name.start, name.end) for name in names]
    skipped += layout
    for word in check_words(summary, sources, skipped):
        at(word.start).words.append(word)
    return found
