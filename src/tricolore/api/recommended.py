"""The measures that a run uses if none are named."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from tricolore.data.examples import Examples
from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.measures.neural import NeuralMeasure
from tricolore.models.loading import missing_for
from tricolore.registry import get_measures
from tricolore.report.result_table import ARROWS

_SUPPORT = ("grounding", "importance")
_REFERENCES = ("rouge", "bert-score")
_SOURCE_CONTEXT = ("novelty",)
_CONTEXT = ("length",)
_HEAD = 100
"""The number of rows that are looked at to see what they have."""


@dataclass(frozen=True)
class Recommendation:
    """Measures that suit the data and run without a download."""

    measures: tuple[Measure, ...]
    notes: tuple[str, ...] = ()
    """What was left out, and why."""


def recommended(*, source: bool = True, references: bool = False) -> Recommendation:
    """The recommended measures for examples with or without a source and references.

    They answer whether the source supports the summary and whether what matters is in it, compare
    it with the references, and say how long it is and how much of it is copied. All of them take
    milliseconds per summary. A measure whose model is not installed is left out.

    >>> [measure.label for measure in recommended(source=False).measures]
    ['length']
    """
    specs = [
        *(_SUPPORT if source else ()),
        *(_REFERENCES if references else ()),
        *(_SOURCE_CONTEXT if source else ()),
        *_CONTEXT,
    ]
    kept, notes = [], []
    for measure in get_measures(specs):
        missing = missing_for(measure.model) if isinstance(measure, NeuralMeasure) else ""
        if missing:
            advice = f"the extra '{measure.extra}' installs it"
            notes.append(f"{measure.label} is left out: {missing} is not installed; {advice}")
        else:
            kept.append(measure)
    return Recommendation(tuple(kept), tuple(notes))


def recommended_for(rows: Examples) -> Recommendation:
    """The recommended measures for examples that can be read more than once.

    References count if most of the first rows have one.
    """
    head = [row for row in islice(rows, _HEAD) if isinstance(row, Example)]
    with_source = sum(any(map(str.strip, row.source)) for row in head)
    with_references = sum(any(map(str.strip, row.references)) for row in head)
    has_references = 2 * with_references > len(head)
    # Without either, the source is asked for, so that the error says what is missing.
    has_source = bool(with_source) or not has_references
    return recommended(source=has_source, references=has_references)


def meaning_line(measure: Measure) -> str:
    """What a measure says, for readers of a table.

    >>> from tricolore import get_measure
    >>> meaning_line(get_measure("length"))
    'length: the number of words of the summary; it tells of length, not of quality'
    """
    head = f"{measure.label} {ARROWS[measure.direction]}".strip()
    words = measure.meaning
    said = f"{head}: {words[:1].lower()}{words[1:]}"
    if not measure.follows:
        return said
    if measure.direction == "neither":
        return f"{said}; it tells of {measure.follows}, not of quality"
    return f"{said}; it follows {measure.follows} more than quality"
