"""Sums, differences and averages of measures, as in the BLANC and importance papers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from tricolore.errors import SpecError
from tricolore.measure import Composed, Direction, Measure, Need
from tricolore.measures.scaling import Scaling, bounds
from tricolore.registry import get_measures
from tricolore.score import Score
from tricolore.settings import setting
from tricolore.spec import Spec, Term, write_terms

Weighted = tuple[tuple[float, Measure], ...]


@dataclass(frozen=True, kw_only=True)
class Combination(Composed, ABC):
    """Measures, each with a weight; the other examples of a run never change a value."""

    cost: ClassVar[str] = "that of its terms"

    of: str = setting(
        "", "The terms, as in `blanc-help+rouge-lsum`, `importance-estime` or `3*density+chrf`."
    )
    scaling: str = setting(
        "none",
        "How values are brought to [0, 1]: `none`, `bounds` (by each measure's own bounds) or two "
        "ends such as `0..20`; one for all terms, or one per term, as in `0..20/bounds`.",
    )
    _terms: Weighted = field(default=(), repr=False, compare=False)
    """The terms, fitted to the run."""

    def __post_init__(self) -> None:
        keep = object.__setattr__
        if not self._terms:
            keep(self, "_terms", _read_terms(self.of))
        _check_terms(self._terms)
        keep(self, "of", write_terms(self._spec_terms))
        _read_scalings(self.scaling, self._terms)
        keep(self, "scaling", _write_scalings(self.scaling))

    @cached_property
    def _scalings(self) -> list[Scaling | None]:
        return _read_scalings(self.scaling, self._terms)

    @cached_property
    def part_names(self) -> tuple[str, ...]:
        """The labels of the terms."""
        return tuple(measure.label for measure in self.terms)

    @property
    def part_directions(self) -> Mapping[str, Direction]:
        """The directions of the terms."""
        return {measure.label: measure.direction for measure in self.terms}

    @cached_property
    def direction(self) -> Direction:
        """The direction of the terms, if they agree."""
        return _direction(self._terms, self._scalings)

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The bounds that follow from those of the terms."""
        return self._span(_ranges(self._terms, self._scalings))

    @property
    def batch_size(self) -> int:
        """The smallest of the terms' batch sizes."""
        return min(measure.batch_size for measure in self.terms)

    @property
    def terms(self) -> tuple[Measure, ...]:
        """The measures that are combined."""
        return tuple(measure for _, measure in self._terms)

    @property
    def needs(self) -> frozenset[Need]:
        """Everything that any of the terms needs."""
        return frozenset().union(*(measure.needs for measure in self.terms))

    def fit(self, sources: Iterable[str]) -> Self:
        """Fit the terms."""
        if iter(sources) is sources:
            sources = list(sources)
        return replace(self, _terms=tuple((w, m.fit(sources)) for w, m in self._terms))

    def signature(self) -> dict[str, Any]:
        """The settings, with the signatures of the terms in place of their labels."""
        signed = super().signature()
        del signed["of"]
        terms = enumerate(self._terms, 1)
        return signed | {"terms": {str(n): {"weight": w, **m.signature()} for n, (w, m) in terms}}

    @cached_property
    def spec(self) -> Spec:
        """The specs of the terms with their weights."""
        scaling = {} if self.scaling == "none" else {"scaling": self.scaling}
        return Spec(self.name, scaling, self._spec_terms)

    @property
    def _spec_terms(self) -> tuple[Term, ...]:
        return tuple(Term(weight, measure.spec) for weight, measure in self._terms)

    def compose(self, scores: Sequence[Score]) -> Score:
        """The score of an example from those of the terms, in their order."""
        for measure, score in zip(self.terms, scores, strict=True):
            if score.problem is not None or math.isnan(score.value):
                return Score.missing(f"{measure.label}: {score.problem or 'it has no value'}")
        values = [score.value for score in scores]
        scaled = [
            weight * (float(scale(np.array(value))) if scale else value)
            for (weight, _), scale, value in zip(self._terms, self._scalings, values, strict=True)
        ]
        return Score(
            self._total(math.fsum(scaled)),
            dict(zip(self.part_names, values, strict=True)),
            tuple(span for score in scores for span in score.evidence),
        )

    @abstractmethod
    def _total(self, summed: float) -> float:
        """The value, from the weighted sum."""

    def _span(self, ranges: list[tuple[float, float]]) -> tuple[float, float]:
        lows, highs = zip(*ranges, strict=True)
        return self._total(sum(lows)), self._total(sum(highs))


@dataclass(frozen=True, kw_only=True)
class Sum(Combination):
    """A weighted sum: `blanc-help+rouge-lsum` (BLANC, section 5), `importance-estime`."""

    name = "sum"

    def _total(self, summed: float) -> float:
        return summed


@dataclass(frozen=True, kw_only=True)
class Average(Combination):
    """The average of measures (thesis, section 4.2): the sum over the sum of the weights."""

    name = "avg"

    def _total(self, summed: float) -> float:
        return summed / math.fsum(abs(weight) for weight, _ in self._terms)


def _read_terms(of: str) -> Weighted:
    if not of:
        raise ValueError("no measures are named: write them with + and -, as in density+coverage")
    [made] = get_measures(f"sum:{of}")
    assert isinstance(made, Sum)
    return made._terms


def _check_terms(terms: Weighted) -> None:
    seen = set()
    for weight, measure in terms:
        label = measure.label
        if weight == 0:
            raise SpecError(f"{label} is multiplied by 0")
        if label in seen:
            raise SpecError(f"{label} is named twice in a sum: write 2*{label}")
        seen.add(label)


def _read_scalings(written: str, terms: Weighted) -> list[Scaling | None]:
    items = _write_scalings(written).split("/")
    if len(items) == 1:
        items *= len(terms)
    if len(items) != len(terms):
        raise ValueError(
            f"scaling={written} has {len(items)} entries for {len(terms)} terms: "
            "give one for all, or one for each"
        )
    return [_read_scaling(item, measure) for item, (_, measure) in zip(items, terms, strict=True)]


def _read_scaling(item: str, measure: Measure) -> Scaling | None:
    if item == "none":
        return None
    if item == "bounds":
        low, high = measure.bounds
        if math.isinf(low) or math.isinf(high):
            raise ValueError(
                f"{measure.label} has no bounds of its own ({low:g} to {high:g}): give some, "
                "such as scaling=0..20, or let `tricolore train mix` learn them"
            )
        return bounds(low, high)
    low_text, dots, high_text = item.partition("..")
    try:
        if not dots:
            raise ValueError
        ends = float(low_text), float(high_text)
    except ValueError:
        raise ValueError(
            f"scaling={item} was given, but it must be none, bounds, or two ends such as 0..20"
        ) from None
    return bounds(*ends)


def _write_scalings(written: str) -> str:
    items = [item.strip().lower() for item in written.split("/")]
    return items[0] if len(set(items)) == 1 else "/".join(items)


def _direction(terms: Weighted, scalings: list[Scaling | None]) -> Direction:
    """Higher is better if it is for every added measure and for no subtracted one."""
    signs = set()
    for (weight, measure), scale in zip(terms, scalings, strict=True):
        sign = {"higher": 1, "lower": -1, "neither": 0}[measure.direction]
        turned = -1 if scale and scale.one < scale.zero else 1
        signs.add(sign * turned * (1 if weight > 0 else -1))
    return "higher" if signs == {1} else "lower" if signs == {-1} else "neither"


def _ranges(terms: Weighted, scalings: list[Scaling | None]) -> list[tuple[float, float]]:
    ends = [
        (0.0, 1.0) if scale else measure.bounds
        for (_, measure), scale in zip(terms, scalings, strict=True)
    ]
    return [
        (min(weight * low, weight * high), max(weight * low, weight * high))
        for (weight, _), (low, high) in zip(terms, ends, strict=True)
    ]
