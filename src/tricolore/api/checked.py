"""One summary that was checked: what was found in it, and whether it fails."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from tricolore.api.running import names_of
from tricolore.errors import TricoloreError, did_you_mean
from tricolore.example import Example, Unreadable
from tricolore.measure import Measure
from tricolore.report.highlights import Highlights, highlights
from tricolore.score import Score, Span, SpanItem

CheckVerdict = Literal[
    "contradicted",
    "unsupported items",
    "weakly supported sentence",
    "unsupported words",
    "nothing found",
    "not checked",
]
"""The most serious finding of a summary. There is no verdict `correct`: no check can tell that."""

FailOn = Literal["number", "contradicted", "name", "sentence", "word", "any"]
"""Items of which a summary must have none."""

_FAILS: dict[FailOn, tuple[SpanItem, ...]] = {
    "number": ("number", "contradicted number"),
    "contradicted": ("contradicted number",),
    "name": ("name",),
    "sentence": ("sentence",),
    "word": ("word",),
    "any": ("contradicted number", "number", "name", "sentence", "word"),
}


@dataclass(frozen=True, kw_only=True)
class CheckCriteria:
    """When a summary fails, and how many may."""

    fail_on: tuple[FailOn, ...] = ()
    min_support: float | None = None
    """The lowest support that a sentence may have."""
    min_grounding: float | None = None
    """The lowest value of the measure that a summary may have."""
    strict: bool = False
    """Whether a summary that could not be checked fails."""
    max_failures: int = 0

    @staticmethod
    def of(
        measure: Measure,
        fail_on: str | Iterable[str],
        min_support: float | None,
        min_grounding: float | None,
        strict: bool,
        max_failures: int,
    ) -> CheckCriteria:
        """The criteria, if they make sense for a measure; otherwise an error that says why not."""
        names = tuple(map(_known, names_of(fail_on)))
        for name in names:
            if name != "any" and not set(_FAILS[name]) & set(measure.finds):
                raise TricoloreError(
                    f"{measure.label} does not look for '{name}', so no summary could fail by it",
                    argument="fail_on",
                )
        if max_failures < 0:
            raise TricoloreError(f"max_failures must be 0 or more, not {max_failures}")
        for limit, argument in ((min_support, "min_support"), (min_grounding, "min_grounding")):
            if limit is not None and not math.isfinite(limit):
                raise TricoloreError(f"{argument} must be a finite number, not {limit}")
        return CheckCriteria(
            fail_on=names,
            min_support=min_support,
            min_grounding=min_grounding,
            strict=strict,
            max_failures=max_failures,
        )

    @property
    def is_any(self) -> bool:
        """Whether a summary can fail at all."""
        limits = (self.min_support, self.min_grounding)
        return bool(self.fail_on or self.strict or limits != (None, None))

    def reasons(self, score: Score) -> tuple[str, ...]:
        """Why a summary with this score fails; empty if it does not."""
        if score.problem is not None:
            return ("not checked",) if self.strict else ()
        found = {span.item for span in score.evidence if _is_finding(span)}
        failed: list[str] = [name for name in self.fail_on if found & set(_FAILS[name])]
        lowest = min((span.weight for span in sentence_supports(score)), default=math.inf)
        if self.min_support is not None and lowest < self.min_support:
            failed.append(f"support {lowest:.3f} below {self.min_support:g}")
        if self.min_grounding is not None and score.value < self.min_grounding:
            failed.append(f"value {score.value:.3f} below {self.min_grounding:g}")
        return tuple(failed)

    def to_json(self) -> dict[str, Any]:
        """The criteria as plain values."""
        return {
            "fail_on": list(self.fail_on),
            "min_support": self.min_support,
            "min_grounding": self.min_grounding,
            "strict": self.strict,
            "max_failures": self.max_failures,
        }


def _known(name: str) -> FailOn:
    if name in _FAILS:
        return name
    hint = did_you_mean(name, get_args(FailOn), f"there are {', '.join(get_args(FailOn))}")
    raise TricoloreError(f"'{name}' is nothing that a summary can fail on{hint}")


@dataclass(frozen=True)
class CheckedSummary:
    """One row of the data with what was found in its summary."""

    row: int
    """Its number in the data, from 1."""
    example: Example | Unreadable
    score: Score
    reasons: tuple[str, ...] = ()
    """Why it fails; empty if it does not."""

    @property
    def fails(self) -> bool:
        """Whether it fails by one of the criteria."""
        return bool(self.reasons)

    @property
    def is_listed(self) -> bool:
        """Whether something was found in it, or it was checked and fails."""
        return not self.problem and bool(self.items or self.fails)

    @property
    def problem(self) -> str:
        """Why it could not be checked; empty if it was."""
        return self.score.problem or ""

    @cached_property
    def items(self) -> tuple[Span, ...]:
        """The numbers, names, words and sentences that the source does not support."""
        found = filter(_is_finding, self.score.evidence)
        return tuple(sorted(found, key=lambda span: (span.start, span.end)))

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """All sentences, each with the passage that is nearest to it; the weight is its support."""
        return sentence_supports(self.score)

    @cached_property
    def counts(self) -> Counter[SpanItem]:
        """How many items of each kind there are."""
        return Counter(span.item for span in self.items)

    @property
    def verdict(self) -> CheckVerdict:
        """The most serious finding."""
        if self.score.problem is not None:
            return "not checked"
        if self.counts["contradicted number"]:
            return "contradicted"
        if self.counts["number"] or self.counts["name"]:
            return "unsupported items"
        if self.counts["sentence"]:
            return "weakly supported sentence"
        return "unsupported words" if self.counts["word"] else "nothing found"

    @property
    def badness(self) -> tuple[float, ...]:
        """Summaries are sorted by this, the highest first.

        By the number of unsupported numbers, names and sentences, then of contradicted numbers,
        then of words, then by the value; summaries that could not be checked come last.
        """
        if self.score.problem is not None:
            return (-1.0, -self.row)
        found = self.counts
        clear = found.total() - found["word"]
        contradicted = found["contradicted number"]
        return (clear, contradicted, found["word"], -self.score.value, -self.row)

    @property
    def name(self) -> str:
        """The row, its system and its document, for readers."""
        parts = (f"row {self.row}", self.example.system, self.example.doc_id)
        return " · ".join(filter(None, parts))

    def heading(self, label: str) -> str:
        """One line that says which summary it is, and the verdict; `label` is of the measure."""
        if self.problem:
            return f"{self.name}: not checked: {self.problem}"
        fails = f", fails by {', '.join(self.reasons)}" if self.fails else ""
        foreign = (
            ", not English (findings are unreliable)" if "language" in self.score.flags else ""
        )
        return f"{self.name}: {self.verdict}, {label} {self.score.value:.3f}{fails}{foreign}"

    def shown(self, label: str) -> Highlights:
        """What to show of the summary; `label` is that of the measure."""
        assert isinstance(self.example, Example)
        return highlights(self.example, label, self.score)

    def to_json(self) -> dict[str, Any]:
        """The summary and what was found as plain values; all keys are always there."""
        return {
            "row": self.row,
            "system": self.example.system,
            "doc_id": self.example.doc_id,
            "verdict": self.verdict,
            "fails": self.fails,
            "reasons": list(self.reasons),
            "value": None if math.isnan(self.score.value) else self.score.value,
            "parts": {
                name: None if math.isnan(part) else part for name, part in self.score.parts.items()
            },
            "items": [self._item(span) for span in self.items],
            "sentences": [self._sentence(span) for span in self.sentences],
            "problem": self.score.problem,
            "flags": list(self.score.flags),
            "summary": self.example.summary if isinstance(self.example, Example) else None,
        }

    def _item(self, span: Span) -> dict[str, Any]:
        place = {"text": self._text(span), "start": span.start, "end": span.end}
        return {"item": span.item, **place, "label": span.label, "source": self._match(span)}

    def _sentence(self, span: Span) -> dict[str, Any]:
        place = {"text": self._text(span), "start": span.start, "end": span.end}
        return {**place, "support": span.weight, "source": self._match(span)}

    def _match(self, span: Span) -> dict[str, Any] | None:
        """The nearest thing in the source, which may consist of several documents."""
        if span.match is None:
            return None
        match = span.match
        place = {"start": match.start, "end": match.end, "document": match.document}
        return {"text": self._text(match), **place}

    def _text(self, span: Span) -> str:
        assert isinstance(self.example, Example)
        example = self.example
        texts: dict[str, Sequence[str]] = {"summary": (example.summary,), "source": example.source}
        texts["reference"] = example.references
        texts["unit"] = [unit.text for unit in example.units]
        return texts[span.where][span.document][span.start : span.end]


def _is_finding(span: Span) -> bool:
    return span.where == "summary" and span.kind == "fault" and bool(span.item)


def sentence_supports(score: Score) -> tuple[Span, ...]:
    """Each sentence of a summary once, in order; the weight is how well the source supports it.

    A sentence that is a fault may be there a second time as `similar`, which then counts.
    """
    spans = [s for s in score.evidence if s.where == "summary" and s.item == "sentence"]
    found: dict[tuple[int, int], Span] = {}
    for span in sorted(spans, key=lambda s: (s.start, s.kind != "similar")):
        found.setdefault((span.start, span.end), span)
    return tuple(found.values())
