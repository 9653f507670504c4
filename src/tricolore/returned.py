"""What a measure returned is checked here, once, before anything else sees it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from tricolore.example import Example
from tricolore.score import Score, Span


def checked_scores(
    name: str, examples: Sequence[Example], returned: Any, *, has_values: bool = True
) -> list[Score]:
    """One sound score per example; a problem where the measure returned something else.

    A wrong number of scores is a ValueError, since no score can be told from another.

    Args:
        name: The name of the measure, for messages.
        examples: What it was asked to score.
        returned: What it returned.
        has_values: Whether every score without a problem must have a value; otherwise a value is
            chosen from the parts later.
    """
    if not isinstance(returned, Iterable):
        raise ValueError(f"{name} returned a {type(returned).__name__}, not scores")
    scores = list(islice(returned, len(examples) + 1))
    if len(scores) != len(examples):
        count = f"more than {len(examples)}" if len(scores) > len(examples) else str(len(scores))
        asked = "1 example" if len(examples) == 1 else f"{len(examples)} examples"
        raise ValueError(f"{name} returned {count} scores for {asked}")
    pairs = zip(examples, scores, strict=True)
    return [checked_score(name, example, score, has_values=has_values) for example, score in pairs]


def checked_score(name: str, example: Example, returned: Any, *, has_values: bool = True) -> Score:
    """The score that a measure returned for an example, or the problem that it is none."""
    try:
        if not isinstance(returned, Score):
            raise ValueError(f"a {type(returned).__name__}, not a Score")
        score = returned.checked()
        if has_values and score.problem is None and math.isnan(score.value):
            raise ValueError("neither a value nor a problem")
        for span in score.evidence:
            _check_place(span, example)
    except ValueError as error:
        return Score.missing(f"{name} returned no sound score: {error}", is_final=False)
    return score


def _check_place(span: Span, example: Example) -> None:
    """Raise a ValueError if a span, or the one that it is matched with, is not within its text."""
    for one in _with_matches(span):
        texts = _texts(one, example)
        if not 0 <= one.document < len(texts):
            raise ValueError(f"a span is in {one.where} {one.document}, which does not exist")
        length = len(texts[one.document])
        if not 0 <= one.start <= one.end <= length:
            raise ValueError(
                f"a span from {one.start} to {one.end} is not within the {one.where}, "
                f"which has {length} characters"
            )


def _with_matches(span: Span | None) -> Iterator[Span]:
    while span is not None:
        yield span
        span = span.match


def _texts(span: Span, example: Example) -> Sequence[str]:
    if span.where == "summary":
        return (example.summary,)
    if span.where == "unit":
        return [unit.text for unit in example.units]
    return example.source if span.where == "source" else example.references


def failure(name: str, error: BaseException) -> Score:
    """The score of an example at which a measure failed. It may succeed another time."""
    try:
        words = str(error)
    except Exception:  # an error that cannot be printed
        words = ""
    words = words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
    reason = ": ".join(filter(None, [type(error).__name__, words]))
    return Score.missing(f"{name} failed: {reason}", is_final=False)


_LONGEST = 1000
"""Characters of an error that are kept: its text may hold a whole document."""
