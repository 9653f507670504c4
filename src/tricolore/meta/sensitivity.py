"""How a measure reacts to damage (ESTIME paper §4, table 3): clean and damaged pairs.

Values are signed so that higher is better, if the measure has a better direction. The label is 1
for a clean summary and 0 for a damaged one, so a measure that notices has positive correlations, as
in the table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tricolore.measure import Direction
from tricolore.meta.correlation import Correlation, correlate
from tricolore.meta.separation import Auc, PairShare, auc, pair_share
from tricolore.score import Score, Span, SpanKind

Stretch = tuple[int, int]
"""Characters of a summary, from and to."""


@dataclass(frozen=True)
class DamageCase:
    """A measure and the kind of damage; `errors` is 0 where errors are not counted."""

    kind: str
    errors: int
    measure: str


@dataclass
class Location:
    """How often the evidence for a score points at what was damaged.

    A span of the evidence is a hit if it overlaps with a damaged stretch of the summary, and
    such a stretch is found if some span overlaps with it. Evidence that finds nothing wrong, such
    as a copied stretch, and whole sentences do not count.
    """

    spans: int = 0
    hits: int = 0
    damaged: int = 0
    found: int = 0
    words: int = 0
    damaged_words: int = 0

    @property
    def precision(self) -> float:
        """The share of the evidence that points at damage; NaN where there is none."""
        return self.hits / self.spans if self.spans else np.nan

    @property
    def recall(self) -> float:
        """The share of the damage that the evidence points at."""
        return self.found / self.damaged if self.damaged else np.nan

    @property
    def chance(self) -> float:
        """The share of words that are damaged: the precision of pointing blindly."""
        return self.damaged_words / self.words if self.words else np.nan

    def add(
        self, summary: str, damaged: Sequence[tuple[int, int]], evidence: Sequence[Span]
    ) -> None:
        """Count one damaged summary. Deleted text cannot be pointed at and is left out.

        >>> seen = Location()
        >>> seen.add("a dog sat", [(2, 5)], [Span("summary", 0, 1), Span("summary", 2, 5)])
        >>> seen.precision, seen.recall, seen.chance
        (0.5, 1.0, 0.3333333333333333)
        """
        there = [(start, end) for start, end in damaged if end > start]
        accusing = [span for span in evidence if _accuses(span)]
        spans = [(span.start, span.end) for span in accusing]
        self.spans += len(spans)
        self.hits += sum(_touches(span, there) for span in spans)
        self.damaged += len(there)
        self.found += sum(_touches(stretch, spans) for stretch in there)
        words = [match.span() for match in re.finditer(r"\w+", summary)]
        self.words += len(words)
        self.damaged_words += sum(_touches(word, there) for word in words)


_SOUND: tuple[SpanKind, ...] = ("match", "similar", "copied", "helped", "unchanged")


def _accuses(span: Span) -> bool:
    """Whether a span says that something in the summary is wrong."""
    return span.where == "summary" and span.kind not in _SOUND and span.item != "sentence"


def _touches(stretch: Stretch, others: Sequence[Stretch]) -> bool:
    return any(start < stretch[1] and stretch[0] < end for start, end in others)


@dataclass
class DamagedPairs:
    """One measure's scores of clean summaries and of their damaged copies."""

    direction: Direction
    clean: list[float] = field(default_factory=list)
    damaged: list[float] = field(default_factory=list)
    location: Location = field(default_factory=Location)

    def add(
        self,
        clean: Score,
        damaged: Score,
        summary: str = "",
        stretches: Sequence[Stretch] = (),
    ) -> None:
        """Add one pair."""
        sign = -1.0 if self.direction == "lower" else 1.0
        self.clean.append(sign * clean.value)
        self.damaged.append(sign * damaged.value)
        if stretches and not np.isnan(damaged.value):
            self.location.add(summary, stretches, damaged.evidence)

    def sensitivity(self) -> Sensitivity:
        """The statistics of these scores."""
        clean, damaged = np.asarray(self.clean, float), np.asarray(self.damaged, float)
        known = np.isfinite(clean) & np.isfinite(damaged)  # both summaries of a pair are needed
        clean, damaged = clean[known], damaged[known]
        values = np.concatenate([clean, damaged])
        label = np.concatenate([np.ones(len(clean)), np.zeros(len(damaged))])
        return Sensitivity(
            pairs=len(clean),
            left_out=int((~known).sum()),
            spearman=correlate(values, label, "spearman"),
            kendall=correlate(values, label, "kendall-c"),
            auc=auc(clean, damaged),
            share=pair_share(clean, damaged),
            direction=self.direction,
            location=self.location if self.location.spans else None,
        )


@dataclass(frozen=True)
class Sensitivity:
    """How well a measure distinguishes clean from damaged summaries."""

    pairs: int
    left_out: int
    """The number of pairs that lack a value."""
    spearman: Correlation
    kendall: Correlation
    """τ-c."""
    auc: Auc
    share: PairShare
    location: Location | None
    """None for a measure whose evidence does not point into the summary."""
    direction: Direction = "higher"
    """Where it is `neither`, correlations and AUC say which summaries have the higher values."""

    @property
    def worse(self) -> float:
        """The share of pairs in which the damaged summary scores worse; ties are not worse.

        NaN for a measure where neither higher nor lower is better.
        """
        if self.direction == "neither":
            return math.nan
        return self.share.better - self.share.tied / 2
