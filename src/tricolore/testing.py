"""Checks for your own measures: what every measure must satisfy to work in runs and files."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.score import Score

_NEWS = (
    "The council voted on Monday to close the old bridge over the river Ouse. Engineers had warned "
    "that 3 of its 12 pillars were cracked. The mayor, Anna Bell, said a new one would cost "
    "40 million pounds."
)
_SPORT = (
    "Leeds won the final in York. Tom Hill scored twice in the second half, and 9,000 people "
    "watched the match in heavy rain."
)
EXAMPLES = (
    Example(
        source=_NEWS,
        summary="The council will close the old bridge. Engineers found cracks in 3 pillars.",
        references=("The old bridge will be closed.", "Cracked pillars close a bridge in York."),
        doc_id="news",
        system="a",
    ),
    Example(
        source=_SPORT,
        summary="Leeds won the final after Tom Hill scored twice.",
        references="Leeds won the final in heavy rain.",
        doc_id="sport",
        system="a",
    ),
    Example(
        source=_NEWS,
        summary="The mayor, Anna Bell, said that a new bridge would be cheap.",
        references=("The old bridge will be closed.", "Cracked pillars close a bridge in York."),
        doc_id="news",
        system="b",
    ),
    Example(
        source=_SPORT,
        summary="Nobody watched the match. Nobody watched the match.",
        references="Leeds won the final in heavy rain.",
        doc_id="sport",
        system="b",
    ),
)
"""Two documents with two summaries each, for measures of any kind."""


def check_measure(
    measure: Measure, examples: Sequence[Example] = EXAMPLES, *, tolerance: float = 0.0
) -> None:
    """Raise `AssertionError` if a measure does not satisfy what every measure must.

    The examples must have all that the measure needs, and no empty text. `tolerance` is how much
    numbers may differ, for nets whose last digits depend on the batch.

    >>> from tricolore import get_measure
    >>> check_measure(get_measure("coverage"))
    """
    check_declarations(measure)
    ready = measure.fit([text for example in examples for text in example.source])
    scores = ready.score(examples, evidence=True)
    _hold(measure, len(scores) == len(examples), "there is not one score per example")
    for example, score in zip(examples, scores, strict=True):
        check_score(measure, example, score)
    _check_independence(ready, examples, scores, tolerance)
    _check_problems(ready, examples[0])


def check_declarations(measure: Measure) -> None:
    """Check the declarations of a measure: name, bounds, parts, settings, signature."""
    low, high = measure.bounds
    _hold(measure, low < high, f"the bounds {low} and {high} are not in order")
    _hold(measure, bool(measure.cost), "it does not say what it costs")
    ways = ("higher", "lower", "neither")
    _hold(measure, measure.direction in ways, f"the direction '{measure.direction}' is none")
    names = measure.part_names
    _hold(measure, len(set(names)) == len(names), "two parts have the same name")
    undeclared = set(measure.part_directions) - set(names)
    _hold(measure, not undeclared, f"directions of parts that there are not: {undeclared}")
    _hold(measure, set(measure.part_directions.values()) <= set(ways), "a part's direction is none")
    _hold(measure, measure.reads >= measure.needs - {"corpus"}, "it needs what it does not read")
    for name in measure.setting_fields():
        _hold(measure, bool(measure.help_of(name)), f"the setting {name} has no help")
    signature = measure.signature()
    try:
        json.dumps(signature, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise AssertionError(f"{measure.label}: the signature is not JSON: {error}") from error
    try:
        copy = pickle.loads(pickle.dumps(measure))
    except Exception as error:
        raise AssertionError(f"{measure.label}: other processes cannot get it: {error}") from error
    _hold(measure, copy == measure, "other processes get another measure")


def check_score(measure: Measure, example: Example, score: Score) -> None:
    """Check that a score is within bounds, has only declared parts and items, and no empty span."""
    where = f"the summary '{example.summary[:40]}'"
    if score.problem is not None:
        _hold(measure, math.isnan(score.value), f"{where} has both a value and a problem")
        _hold(measure, score.is_final, f"{where}: {score.problem}")
        return
    low, high = measure.bounds
    room = 1e-9 * max(1.0, abs(score.value))
    inside = low - room <= score.value <= high + room
    _hold(measure, inside, f"{where} has {score.value}, beyond the bounds {low} and {high}")
    undeclared = set(score.parts) - set(measure.part_names)
    _hold(measure, not undeclared, f"{where} has parts that are not in part_names: {undeclared}")
    for span in score.evidence:
        _hold(measure, span.start < span.end, f"{where} has an empty span: {span}")
        is_known = span.kind != "fault" or not span.item or span.item in measure.finds
        _hold(measure, is_known, f"{where} has the fault '{span.item}', which is not in finds")


def _check_independence(
    measure: Measure, examples: Sequence[Example], scores: Sequence[Score], tolerance: float
) -> None:
    """Check that order, batch and evidence do not change a score."""
    backwards = measure.score(list(reversed(examples)), evidence=True)[::-1]
    _hold(measure, _same(backwards, scores, tolerance), "the order of the examples changes scores")
    alone = [measure.score([example], evidence=True)[0] for example in examples]
    _hold(
        measure,
        _same(alone, scores, tolerance),
        "other examples in a batch change a score",
    )
    bare = measure.score(examples)
    _hold(measure, not any(score.evidence for score in bare), "evidence comes without being asked")
    without = [replace(score, evidence=()) for score in scores]
    _hold(measure, _same(bare, without, tolerance), "asking for evidence changes scores")
    _hold(measure, measure.score([]) == [], "no examples do not give no scores")


def _same(some: Sequence[Score], others: Sequence[Score], tolerance: float) -> bool:
    pairs = zip(some, others, strict=True)
    return all(_alike(one.to_json(), other.to_json(), tolerance) for one, other in pairs)


def _alike(one: Any, other: Any, tolerance: float) -> bool:
    """Whether plain values are the same up to small differences of numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        same_keys = list(one) == list(other)
        return same_keys and all(_alike(one[key], other[key], tolerance) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        same_length = len(one) == len(other)
        return same_length and all(_alike(a, b, tolerance) for a, b in zip(one, other, strict=True))
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= tolerance
    return bool(one == other)


def _check_problems(measure: Measure, example: Example) -> None:
    """Check that an example without a needed text has a problem and no value."""
    lacking = {"summary": replace(example, summary=" \n")}
    if "source" in measure.needs:
        lacking["source"] = replace(example, source=())
    if "references" in measure.needs:
        lacking["references"] = replace(example, references=())
    for what, row in lacking.items():
        [score] = measure.score([row], evidence=True)
        has_problem = score.problem is not None and math.isnan(score.value)
        _hold(measure, has_problem, f"without {what} there is no problem but {score.value}")
        found = repr(measure.score([example, row])[1].problem)
        _hold(
            measure,
            found == repr(score.problem),
            f"without {what} other examples change the problem",
        )


def _hold(measure: Measure, condition: bool, message: str) -> None:
    if not condition:
        raise AssertionError(f"{measure.label}: {message}")
