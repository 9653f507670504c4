"""Which measure for which question: choices that follow from the figures of an atlas by rules."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tricolore.meta.atlas_figures import AtlasAgreement, AtlasFigures
from tricolore.meta.choices import LEVELS, Level

QUESTIONS: dict[Level, str] = {
    "summary": "Which summaries of a collection are bad?",
    "document": "Which of several summaries of one source is better?",
    "system": "Which system is better?",
}
BEYOND = "What does a measure say beyond copying and length?"
NOTICES = "Does a measure notice planted errors?"

RULES = (
    "Only measures where higher or lower is better are chosen from.",
    "A measure answers a question if the 95 % interval of its figure lies above 0 (for planted "
    "errors: above one half).",
    "Of those that do, the one whose interval has the highest lower end is named first: a high "
    "figure from few rows has a wide interval and does not win by it.",
    "A measure is named as near to the first one if its figure is not below the interval of the "
    "first one. The one of these that takes the least CPU time is the cheapest.",
)


@dataclass(frozen=True)
class ChoiceFigure:
    """A measure with the figure that a choice rests on."""

    measure: str
    value: float
    low: float
    high: float
    seconds: float = math.nan


@dataclass(frozen=True)
class MeasureChoice:
    """The answer to one question on one set and human score, or kind of planted errors."""

    question: str
    dataset: str
    about: str
    """The human score, or the kind of errors."""
    asked: int
    """The number of measures that there is a figure for."""
    best: ChoiceFigure | None = None
    """None if no measure answers the question."""
    near: Sequence[ChoiceFigure] = ()
    """The others whose figure is not below the interval of the best, the highest figure first."""

    @property
    def cheapest(self) -> ChoiceFigure | None:
        """The measure of the least CPU time, of the best and those near it."""
        known = [one for one in (self.best, *self.near) if one and one.seconds == one.seconds]
        return min(known, key=lambda one: one.seconds, default=None)


def choices(figures: AtlasFigures) -> list[MeasureChoice]:
    """The answers to all questions that the figures can answer."""
    found: list[MeasureChoice] = []
    for facts in figures.sets:
        mine = [a for a in figures.agreements if a.dataset == facts.name]
        for human in facts.human:
            of_human = [a for a in mine if a.human == human and figures.judges(a.measure)]
            for level in LEVELS:
                plain = [_plain(figures, a) for a in of_human if a.level == level]
                found += _chosen(QUESTIONS[level], facts.name, human, plain, above=0)
            partial = [_partial(figures, a) for a in of_human if a.level == "summary"]
            found += _chosen(BEYOND, facts.name, human, partial, above=0)
        for kind in dict.fromkeys(s.kind for s in figures.sensitivities):
            shares = [
                ChoiceFigure(
                    s.measure, s.worse, s.low, s.high, figures.seconds(s.dataset, s.measure)
                )
                for s in figures.sensitivities
                if (s.dataset, s.kind) == (facts.name, kind) and figures.judges(s.measure)
            ]
            found += _chosen(NOTICES, facts.name, kind, shares, above=0.5)
    return found


def chosen_counts(found: Iterable[MeasureChoice]) -> dict[str, dict[str, int]]:
    """By question: how often each measure is named first or as near to the first, most often first.

    >>> near = [ChoiceFigure("b", 0.3, 0.1, 0.4)]
    >>> choice = MeasureChoice("Q?", "s", "h", 2, ChoiceFigure("a", 0.4, 0.2, 0.5), near)
    >>> chosen_counts([choice])
    {'Q?': {'a': 1, 'b': 1}}
    """
    counts: dict[str, dict[str, int]] = {}
    for choice in found:
        own = counts.setdefault(choice.question, {})
        for one in (choice.best, *choice.near):
            if one:
                own[one.measure] = own.get(one.measure, 0) + 1
    return {
        question: dict(sorted(own.items(), key=lambda item: -item[1]))
        for question, own in counts.items()
    }


def _chosen(
    question: str, dataset: str, about: str, figures: Sequence[ChoiceFigure], *, above: float
) -> Iterator[MeasureChoice]:
    known = [one for one in figures if math.isfinite(one.low) and math.isfinite(one.value)]
    if not known:
        return
    answering = [one for one in known if one.low > above]
    best = max(answering, key=lambda one: (one.low, one.value), default=None)
    near = [
        one
        for one in sorted(answering, key=lambda one: -one.value)
        if best and one is not best and one.value >= best.low
    ]
    yield MeasureChoice(question, dataset, about, len(known), best, near)


def _plain(figures: AtlasFigures, a: AtlasAgreement) -> ChoiceFigure:
    return ChoiceFigure(a.measure, a.value, a.low, a.high, figures.seconds(a.dataset, a.measure))


def _partial(figures: AtlasFigures, a: AtlasAgreement) -> ChoiceFigure:
    seconds = figures.seconds(a.dataset, a.measure)
    return ChoiceFigure(a.measure, a.partial, a.partial_low, a.partial_high, seconds)
