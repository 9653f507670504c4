"""The figures of an atlas: what was measured of each measure on each judged set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from tricolore.measure import Direction
from tricolore.meta.choices import Level


@dataclass(frozen=True)
class SetFacts:
    """What a judged set covers."""

    name: str
    human: tuple[str, ...]
    rows: int
    documents: int
    systems: int
    references: float
    """The mean number of references per row."""
    english: float
    """The share of sources that look like English."""
    source_words: tuple[float, float, float]
    """The median number of words, and the 5th and 95th percentile."""
    summary_words: tuple[float, float, float]
    unreadable: int = 0


@dataclass(frozen=True)
class AtlasAgreement:
    """Spearman's ρ of a measure with a human score, plain and with the controls held constant."""

    dataset: str
    measure: str
    human: str
    level: Level
    value: float
    low: float
    high: float
    partial: float = math.nan
    partial_low: float = math.nan
    partial_high: float = math.nan
    rows: int = 0
    documents: int = 0


@dataclass(frozen=True)
class AtlasSensitivity:
    """How often a damaged summary scores worse than its original, with the exact 95 % interval.

    A tie is not worse.
    """

    dataset: str
    measure: str
    kind: str
    pairs: int
    worse: float
    tied: float
    auc: float
    low: float
    high: float


@dataclass(frozen=True)
class AtlasCost:
    """CPU seconds per row, and the shares of rows that a measure did not fully cover."""

    dataset: str
    measure: str
    seconds: float
    timed_rows: int
    scored_rows: int
    scored_documents: int
    truncated: float
    """The share of rows of which the measure read only a part."""
    other_language: float
    """The share of rows in a language that the measure was not made for."""
    missing: int = 0
    """Rows without a value."""


@dataclass
class AtlasFigures:
    """All figures of an atlas."""

    directions: dict[str, Direction] = field(default_factory=dict)
    """The measures, in their order, and which way is better."""
    controls: Sequence[str] = ()
    sets: list[SetFacts] = field(default_factory=list)
    agreements: list[AtlasAgreement] = field(default_factory=list)
    sensitivities: list[AtlasSensitivity] = field(default_factory=list)
    costs: list[AtlasCost] = field(default_factory=list)
    left_out: list[tuple[str, str, str]] = field(default_factory=list)
    """Set, measure and reason, for what was not measured."""
    skipped: Sequence[tuple[str, str]] = ()
    """Files that are no judged sets, and why."""

    def seconds(self, dataset: str, measure: str) -> float:
        """The cost of a measure on a set; NaN if it was not measured."""
        for cost in self.costs:
            if (cost.dataset, cost.measure) == (dataset, measure):
                return cost.seconds
        return math.nan

    def judges(self, measure: str) -> bool:
        """Whether a measure says which summary is better, and is not one of the controls."""
        direction = self.directions.get(measure, "neither")
        return direction != "neither" and measure not in self.controls
