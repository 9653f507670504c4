"""A measure for tests: its score and evidence have the shape of those of `grounding`.

It needs no model, so that what it finds can be told by looking at the texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tricolore import Example, Measure, Score, Span
from tricolore.measure import Need
from tricolore.settings import setting
from tricolore.text.sentences import sentence_spans


@dataclass(frozen=True, kw_only=True)
class PlainLookup(Measure):
    """The share of words that the source has, compared letter by letter.

    The support of a sentence is the share of its words that the best sentence of the source has.
    A number is contradicted if the source has one that ends or begins with the same digit.
    """

    name = "plain-lookup"
    needs: ClassVar[frozenset[Need]] = frozenset({"source"})
    cost: ClassVar[str] = "microseconds"
    finds = ("number", "contradicted number", "name", "word", "sentence")
    part_names = ("lowest_support",)
    weak: float = setting(0.3, "The support below which a sentence is a fault.")

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterator[Score]:
        for example in examples:
            source = example.source[0]
            known = set(_words(source))
            spans: list[Span] = []
            for start, end in sentence_spans(example.summary):
                spans += self._sentence(example.summary, start, end, source)
            supports = [span.weight for span in spans if span.kind == "similar"]
            for found in re.finditer(r"[\w,€%]*\w%?", example.summary):
                if found[0].lower() not in known:
                    spans.append(_fault(found, source))
            words = _words(example.summary)
            value = sum(word in known for word in words) / len(words) if words else 0.0
            parts = {"lowest_support": min(supports, default=0.0)}
            yield Score(value, parts, tuple(spans) if evidence else ())

    def _sentence(self, summary: str, start: int, end: int, source: str) -> Iterator[Span]:
        words = _words(summary[start:end])
        passages = [(_share(words, source[a:b]), a, b) for a, b in sentence_spans(source)]
        support, first, last = max(passages, default=(0.0, 0, 0))
        match = Span("source", first, last) if passages else None
        yield Span("summary", start, end, support, kind="similar", item="sentence", match=match)
        if support < self.weak:
            yield Span("summary", start, end, kind="fault", item="sentence", match=match)


def _fault(found: re.Match[str], source: str) -> Span:
    word = found[0]
    place = found.span()
    if word[0].isdigit():
        near = re.search(rf"\b{word[0]}[\d,]*|[\d,]*{word[-1]}\b", source)
        if near:
            match = Span("source", *near.span())
            label = f"the source has “{near[0]}”"
            return Span(
                "summary", *place, 1, label, match=match, kind="fault", item="contradicted number"
            )
        return Span("summary", *place, 1, "not in the source", kind="fault", item="number")
    item = "name" if word[0].isupper() else "word"
    return Span("summary", *place, 1, "not in the source", kind="fault", item=item)


def _words(text: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[\w,€%]*\w%?", text)]


def _share(words: list[str], passage: str) -> float:
    known = set(_words(passage))
    return sum(word in known for word in words) / len(words) if words else 0.0
