"""The figures of one judged set in an atlas: its facts, agreement, cost, and planted errors."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tricolore.api.agreement import agreement
from tricolore.api.running import ProgressChoice, watched
from tricolore.data.empty import Empty
from tricolore.data.examples import Sources
from tricolore.data.judged_sets import JudgedSet
from tricolore.data.score_table import ScoreTable
from tricolore.errors import Unavailable
from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.meta.agreements import MeasureAgreement
from tricolore.meta.atlas_figures import (
    AtlasAgreement,
    AtlasCost,
    AtlasFigures,
    AtlasSensitivity,
    SetFacts,
)
from tricolore.meta.choices import Level, Over
from tricolore.meta.sensitivity import DamageCase, Sensitivity
from tricolore.perturb.kinds import get_perturbations
from tricolore.registry import get_measures
from tricolore.run.cache import Cache
from tricolore.run.cost import MeasuredCost, measured_cost
from tricolore.run.damaged_pairs import score_damaged_pairs
from tricolore.run.engine import Engine
from tricolore.run.run import Result, Run
from tricolore.run.table import results_table
from tricolore.text.language import looks_english

_log = logging.getLogger(__name__)

_FEWEST = 5
"""Documents without which a measure is not run on a set."""
_STEPS = (1, 2, 5)
"""Numbers of documents are rounded down to these times a power of ten, if not all are taken."""


@dataclass
class SetFigures:
    """Adds the figures of one set to an atlas."""

    judged_set: JudgedSet
    figures: AtlasFigures
    cache: Cache | None
    engine: Engine
    progress: ProgressChoice
    is_named: bool
    """Whether the measures were named, so that one that cannot be run is an error."""
    max_seconds: float
    seed: int

    def __post_init__(self) -> None:
        self._sources = Sources(list(self.judged_set.examples))
        self._order = list(self.judged_set.documents)
        random.Random(self.seed).shuffle(self._order)
        self._costs: dict[Measure, MeasuredCost] = {}

    @property
    def name(self) -> str:
        """The name of the set."""
        return self.judged_set.name

    def add_facts(self) -> None:
        """What the set covers."""
        rows = self.judged_set.examples
        sources = ["\n".join(row.source) for row in rows]
        human = dict.fromkeys(name for row in rows for name in row.human)
        self.figures.sets.append(
            SetFacts(
                self.name,
                tuple(human),
                len(rows),
                len(self._order),
                len({row.system for row in rows}),
                sum(len(row.references) for row in rows) / len(rows),
                sum(map(looks_english, sources)) / len(rows),
                _spread(sources),
                _spread([row.summary for row in rows]),
                self.judged_set.unreadable,
            )
        )

    def add_agreements(
        self, measures: Sequence[Measure], *, resamples: int, over: Over, empty: Empty
    ) -> None:
        """Cost, coverage and agreement of every measure that the set has the texts for."""
        groups: dict[int, list[Measure]] = {}
        for number, measure in enumerate(measures, 1):
            if documents := self._documents_for(measure):
                groups.setdefault(documents, []).append(measure)
            _log.info("%s: timed %s (%d of %d)", self.name, measure.label, number, len(measures))
        for documents, group in sorted(groups.items(), reverse=True):
            labels = ", ".join(measure.label for measure in group)
            _log.info("%s: %d documents with %s", self.name, documents, labels)
            rows = self.judged_set.of_documents(self._order[:documents])
            specs = [*group, *(get_measures(self.figures.controls))]
            run = self._run(list({measure.label: measure for measure in specs}.values()))
            results = list(watched(run.score(rows), self.progress, self._total(rows)))
            for measure in group:
                self._add_cost(measure, results)
            table = results_table(results, run.measures).table.with_empty(empty)
            self._add_agreement(table, group, resamples, over)

    def add_sensitivities(self, kinds: str, most: int) -> None:
        """How well every measure notices planted errors, one error per summary."""
        made = get_perturbations(kinds, seed=self.seed)
        picked = random.Random(self.seed)
        one_each = [picked.choice(self.judged_set.of_documents([d])) for d in self._order]
        groups: dict[int, list[Measure]] = {}
        for measure, cost in self._costs.items():
            fits = self.max_seconds / max(cost.seconds * (1 + len(made)), 1e-9)
            count = min(most, _rounded(int(fits), len(one_each)))
            if count:
                groups.setdefault(count, []).append(measure)
            else:
                why = f"a row takes {cost.seconds:.1f} s, too long for planted errors"
                self.figures.left_out.append((self.name, measure.label, why))
        for count, group in groups.items():  # together, as the errors are planted by a model
            labels = ", ".join(measure.label for measure in group)
            _log.info("%s: errors planted in %d summaries, %s", self.name, count, labels)
            scored = score_damaged_pairs(
                self._run(group),
                one_each[:count],
                made,
                [1],
                lambda results: watched(results, self.progress),
            )
            self.figures.sensitivities += [
                _sensitivity(self.name, case, pairs.sensitivity())
                for case, pairs in scored.cases.items()
                if pairs.clean
            ]

    def _documents_for(self, measure: Measure) -> int:
        """The number of documents that the time is enough for; 0 if it cannot be run."""
        lacking = _lacking(measure, self.judged_set.examples)
        if lacking:
            self.figures.left_out.append((self.name, measure.label, f"the set has no {lacking}"))
            return 0
        try:
            rows = [row for d in self._order[:20] for row in self.judged_set.of_documents([d])]
            cost = measured_cost(measure, rows, self._sources)
        except Unavailable as error:
            if self.is_named:
                raise
            self.figures.left_out.append((self.name, measure.label, error.problem))
            return 0
        total = len(self._order)
        per_document = cost.seconds * len(self.judged_set.examples) / total
        documents = _rounded(int(self.max_seconds / max(per_document, 1e-9)), total)
        if documents < min(_FEWEST, total):
            why = (
                f"a document takes {per_document:.0f} s, and the limit is {self.max_seconds:.0f} s"
            )
            self.figures.left_out.append((self.name, measure.label, why))
            return 0
        self._costs[measure] = cost
        return documents

    @staticmethod
    def _total(rows: Sequence[Example]) -> Callable[[], int]:
        return lambda: len(rows)

    def _run(self, measures: Sequence[Measure]) -> Run:
        """A run whose corpus is the whole set."""
        run = Run(measures, cache=self.cache, engine=self.engine)
        run.fit(self._sources)
        return run

    def _add_cost(self, measure: Measure, results: Sequence[Result]) -> None:
        scores = [result.scores[measure.label] for result in results]
        cost = self._costs[measure]
        documents = {r.example.doc_id for r in results}
        self.figures.costs.append(
            AtlasCost(
                self.name,
                measure.label,
                cost.seconds,
                cost.rows,
                len(results),
                len(documents),
                sum("truncated" in score.flags for score in scores) / len(scores),
                sum("language" in score.flags for score in scores) / len(scores),
                sum(score.value != score.value for score in scores),
            )
        )

    def _add_agreement(
        self, table: ScoreTable, group: Sequence[Measure], resamples: int, over: Over
    ) -> None:
        labels = [measure.label for measure in group]
        plain = agreement(table, measures=labels, resamples=resamples, over=over, seed=self.seed)
        partial: dict[tuple[str, str, Level], MeasureAgreement] = {}
        free = [label for label in labels if label not in self.figures.controls]
        if free and self.figures.controls:
            held = agreement(
                table,
                measures=free,
                control=self.figures.controls,
                resamples=resamples,
                over=over,
                seed=self.seed,
            )
            partial = {(e.measure, e.quality, e.level): e for e in _spearman(held.entries)}
        for entry in _spearman(plain.entries):
            other = partial.get((entry.measure, entry.quality, entry.level))
            made = AtlasAgreement(
                *(self.name, entry.measure, entry.quality, entry.level),
                *(entry.agreement.value, entry.low, entry.high),
                rows=len(table),
                documents=len(table.grid.documents),
            )
            if other:
                made = replace(
                    made,
                    partial=other.agreement.value,
                    partial_low=other.low,
                    partial_high=other.high,
                )
            self.figures.agreements.append(made)


def _spearman(found: Iterable[MeasureAgreement]) -> Iterator[MeasureAgreement]:
    return (entry for entry in found if entry.statistic == "spearman")


def _sensitivity(name: str, case: DamageCase, found: Sensitivity) -> AtlasSensitivity:
    low, high = _exact_interval(found.worse, found.pairs)
    return AtlasSensitivity(
        *(name, case.measure, case.kind, found.pairs),
        *(found.worse, found.share.tied, found.auc.value, low, high),
    )


def _exact_interval(share: float, of: int) -> tuple[float, float]:
    """The exact 95 % interval (Clopper and Pearson) of a share; NaN if there is none."""
    if not of or share != share:
        return np.nan, np.nan
    from scipy import stats

    ends = stats.binomtest(round(share * of), of).proportion_ci()
    return float(ends.low), float(ends.high)


def _lacking(measure: Measure, rows: Sequence[Example]) -> str:
    """What a measure needs that most rows of the set do not have; empty if nothing."""
    needs = measure.needs | ({"source"} if "corpus" in measure.needs else set())
    for need in sorted(needs - {"corpus"}):
        having = sum(any(map(_is_given, getattr(row, need))) for row in rows)
        if 2 * having <= len(rows):
            return need
    return ""


def _is_given(value: object) -> bool:
    return bool(value.strip() if isinstance(value, str) else value)


def _rounded(fits: int, total: int) -> int:
    """The number of documents: all if they fit, or a round number, so that runs are comparable.

    >>> _rounded(300, 100), _rounded(99, 100), _rounded(7, 100), _rounded(0, 100)
    (100, 50, 5, 0)
    """
    if fits >= total:
        return total
    power = 10 ** (len(str(fits)) - 1)
    return max((step * power for step in _STEPS if step * power <= fits), default=0)


def _spread(texts: Sequence[str]) -> tuple[float, float, float]:
    """The median number of words, and the 5th and 95th percentile."""
    low, middle, high = np.percentile([len(text.split()) for text in texts], [5, 50, 95])
    return float(middle), float(low), float(high)
