"""Pyramid, LitePyramid and atomic content units: which facts of the references has a summary?

Ani Nenkova and Rebecca Passonneau (2004), "Evaluating Content Selection in Summarization: The
Pyramid Method"; Ori Shapira et al. (2019), LitePyramid; Shiyue Zhang and Mohit Bansal (2021),
"Finding a Balanced Degree of Automation for Summary Evaluation" (Lite3Pyramid); Yixin Liu et al.
(2023), "Revisiting the Gold Standard" (RoSE, ACUs).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, ClassVar, Literal, NamedTuple

from tricolore.example import ContentUnit, Example
from tricolore.measure import Language, Measure, Need, ValueChoice
from tricolore.measures.grounding import Grounding
from tricolore.measures.nli import Nli
from tricolore.score import Score, Span
from tricolore.settings import ModelName, Setting, setting
from tricolore.text.treebank import treebank_words


def recall(weights: Sequence[float], present: Sequence[float]) -> float:
    """The weight of the units that are present, as a share of the weight of all.

    >>> recall([3, 2, 1], [True, False, True])
    0.6666666666666666
    """
    return math.fsum(w * p for w, p in zip(weights, present, strict=True)) / math.fsum(weights)


def pyramid_score(weights: Sequence[float], present: Sequence[float]) -> float:
    """Nenkova & Passonneau, section 3: D / Max, where Max is the best that X units can weigh.

    X is the number of units that the summary has; content that is in no reference is not counted.

    >>> pyramid_score([3, 2, 1], [True, False, True])  # (3 + 1) / (3 + 2)
    0.8
    """
    has = [weight for weight, is_there in zip(weights, present, strict=True) if is_there]
    best = math.fsum(sorted(weights, reverse=True)[: len(has)])
    return math.fsum(has) / best if best else 0.0


def length_factor(ratio: float, alpha: float) -> float:
    """RoSE, eq. (2): what a summary loses that is this many times as long as the reference.

    >>> round(length_factor(79 / 36, 2), 6)  # as published, where 1.0 becomes 0.550338
    0.550338
    """
    return math.nan if math.isnan(ratio) else math.exp(min(0.0, (1 - ratio) / alpha))


class _JudgedUnit(NamedTuple):
    """Whether a summary has a unit, how well it supports it, and where, if that is known."""

    is_present: bool
    support: float
    where: Span | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Pyramid(ValueChoice):
    """The share of the content units, by weight, that a summary has.

    >>> units = [{"text": "It rains.", "weight": 3, "present": True}, "It is cold."]
    >>> units[1] = {"text": "It is cold.", "present": False}
    >>> Pyramid().score([Example(summary="It rains.", units=units)])[0].value
    0.75
    """

    labels: Literal["human", "grounding", "nli"] = setting(
        "human",
        "Who says whether the summary has a unit: people (`human`, the labels of the data), or "
        "the measure `grounding` or `nli` with the summary as the source and the unit as a claim.",
    )
    value: Literal["recall", "soft", "pyramid", "normalized"] = setting(
        "recall",
        "Which part is the value: the weighted share of units that are present (`recall`), the "
        "weighted mean of their support (`soft`), the weight as a share of the best that as many "
        "units can have (`pyramid`), or `recall` with a penalty for length (`normalized`).",
    )
    threshold: float = setting(
        0.5,
        "The grounding from which a unit counts as present, from 0 to 1; for `nli`, entailment "
        "must be the likeliest label instead.",
    )
    length_penalty: float = setting(
        2.0,
        "The number α of the penalty for length of `normalized`: the higher it is, the weaker is "
        "the penalty.",
    )
    model: ModelName = setting(
        "", "Model of `labels=grounding` or `labels=nli`; empty: the default of that measure."
    )

    name = "pyramid"
    needs: ClassVar[frozenset[Need]] = frozenset({"units"})
    reads: ClassVar[frozenset[Need]] = frozenset({"units", "references"})
    cost: ClassVar[str] = "microseconds; with a model, as that of grounding or nli for each unit"
    meaning = "How many of the facts that it should have the summary has"
    part_names = ("recall", "soft", "pyramid", "normalized", "present", "units", "length_ratio")
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "litepyramid": {},
        "lite3pyramid": {"labels": "nli", "value": "soft"},
        "acu": {"value": "normalized"},
    }

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold must be between 0 and 1, not {self.threshold}")
        if not self.length_penalty > 0:
            raise ValueError(f"length_penalty must be above 0, not {self.length_penalty}")
        if self.model and self.labels == "human":
            raise ValueError("human labels need no model: give labels=grounding or labels=nli too")

    @property
    def batch_size(self) -> int:
        """That of the measure that is asked, which scores several units per summary."""
        return 256 if self._matcher is None else max(1, self._matcher.batch_size // 4)

    @property
    def language(self) -> Language:
        """That of the measure that is asked."""
        return "any" if self._matcher is None else self._matcher.language

    @property
    def _matcher(self) -> Grounding | Nli | None:
        """The measure that says whether the summary supports a unit."""
        chosen = {"model": self.model} if self.model else {}
        if self.labels == "grounding":
            return Grounding(**chosen)  # type: ignore[arg-type]
        if self.labels == "nli":  # Lite3Pyramid's premise is the whole summary
            return Nli(granularity="document", **chosen)  # type: ignore[arg-type]
        return None

    def signature(self) -> dict[str, Any]:
        """The settings, and the signature of the measure that is asked."""
        asked = {} if self._matcher is None else {"matcher": self._matcher.signature()}
        return {**super().signature(), **asked}

    def undefined(self, score: Score) -> str:
        return "there is no reference, whose length `normalized` needs"

    def compute(self, examples: Sequence[Example], *, evidence: bool) -> Iterator[Score]:
        matcher = self._matcher
        judged = _by_people(examples) if matcher is None else self._judged(matcher, examples)
        for example, units in zip(examples, judged, strict=True):
            yield units if isinstance(units, Score) else self._score(example, units, evidence)

    def _judged(
        self, matcher: Measure, examples: Sequence[Example]
    ) -> Iterator[list[_JudgedUnit] | Score]:
        """What the measure says about each unit, with the summary as its source."""
        claims = [
            Example(source=example.summary, summary=unit.text)
            for example in examples
            for unit in example.units
        ]
        scores = iter(matcher.score(claims, evidence=True))
        for example in examples:
            found = [next(scores) for _ in example.units]
            bad = next((score.problem for score in found if score.problem is not None), None)
            if bad is not None:
                is_final = all(score.is_final for score in found)
                # For the measure that was asked, the unit was the summary.
                words = bad.replace("the summary", "the unit").replace("the source", "the summary")
                yield Score.missing(f"a unit could not be judged: {words}", is_final=is_final)
            else:
                yield [self._verdict(score) for score in found]

    def _verdict(self, score: Score) -> _JudgedUnit:
        if self.labels == "nli":
            is_present, support = score.parts["entailed"] == 1, score.parts["entailment"]
        else:
            is_present, support = score.value >= self.threshold, score.value
        sentences = [span for span in score.evidence if span.item == "sentence" and span.match]
        where = sentences[0].match if sentences else None
        return _JudgedUnit(is_present, support, where, score.flags)

    def _score(self, example: Example, judged: Sequence[_JudgedUnit], evidence: bool) -> Score:
        weights = [unit.weight for unit in example.units]
        if not math.fsum(weights):
            return Score.missing("all content units have the weight 0")
        present = [float(unit.is_present) for unit in judged]
        ratio = _length_ratio(example)
        share = recall(weights, present)
        parts = {
            "recall": share,
            "soft": recall(weights, [unit.support for unit in judged]),
            "pyramid": pyramid_score(weights, present),
            "normalized": share * length_factor(ratio, self.length_penalty),
            "present": math.fsum(present),
            "units": float(len(weights)),
            "length_ratio": ratio,
        }
        spans = tuple(_evidence(example.units, judged)) if evidence else ()
        flags = dict.fromkeys(flag for unit in judged for flag in unit.flags if flag == "truncated")
        return replace(Score.of_parts(parts, spans), flags=tuple(flags))


def _length_ratio(example: Example) -> float:
    """|summary| / |reference| in words of the Penn Treebank, as RoSE's; the mean of references."""
    lengths = [len(treebank_words(text).words) for text in example.references if text.strip()]
    if not lengths or not fmean(lengths):
        return math.nan
    return len(treebank_words(example.summary).words) / fmean(lengths)


def _by_people(examples: Sequence[Example]) -> Iterator[list[_JudgedUnit] | Score]:
    for example in examples:
        unknown = sum(unit.present is None for unit in example.units)
        if unknown:
            yield Score.missing(
                f"{unknown} of {len(example.units)} content units have no human label; "
                "labels=grounding or labels=nli needs none"
            )
        else:
            labels = [bool(unit.present) for unit in example.units]
            yield [_JudgedUnit(label, float(label)) for label in labels]


def _evidence(units: Sequence[ContentUnit], judged: Sequence[_JudgedUnit]) -> Iterator[Span]:
    """Every unit, and the sentences of the summary that are nearest to it, if that is known."""
    for number, (unit, one) in enumerate(zip(units, judged, strict=True)):
        words = "present" if one.is_present else "not present"
        if one.where is not None:
            words += f", support {one.support:.2f}"
        if unit.weight != 1:
            words += f", weight {unit.weight:g}"
        yield Span(
            "unit",
            0,
            len(unit.text),
            unit.weight,
            words,
            number,
            None if one.where is None else replace(one.where, where="summary", document=0),
            kind="match" if one.is_present else "missing",
        )
