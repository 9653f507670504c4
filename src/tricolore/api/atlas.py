"""An atlas: all measures on all judged sets, and which measure answers which question."""

from __future__ import annotations

import io
import logging
import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tricolore.api.agreement import agreement
from tricolore.api.inputs import inputs_of
from tricolore.api.running import (
    CacheChoice,
    Measures,
    ProgressChoice,
    opened_cache,
    placed_on,
    specs_of,
    watched,
)
from tricolore.arguments import check_arguments
from tricolore.data.atomic import write_directory
from tricolore.data.columns import Columns
from tricolore.data.empty import Empty
from tricolore.data.examples import Sources
from tricolore.data.json_lines import to_json_text
from tricolore.data.judged_sets import JudgedSet, find_judged_sets
from tricolore.data.outputs import reserved
from tricolore.data.score_table import ScoreTable
from tricolore.errors import TricoloreError, Unavailable, WriteError
from tricolore.example import Example
from tricolore.measure import Measure, flatten
from tricolore.measures.neural import NeuralMeasure
from tricolore.meta.agreements import MeasureAgreement
from tricolore.meta.atlas_choices import MeasureChoice, choices
from tricolore.meta.atlas_figures import (
    AtlasAgreement,
    AtlasCost,
    AtlasFigures,
    AtlasSensitivity,
    SetFacts,
)
from tricolore.meta.choices import Level, Over
from tricolore.meta.sensitivity import DamageCase, Sensitivity
from tricolore.models.loading import missing_for
from tricolore.perturb.kinds import get_perturbations
from tricolore.registry import entries, get_measures
from tricolore.report.atlas import (
    atlas_html,
    atlas_markdown,
    choice_table,
    figure_rows,
    figure_table,
)
from tricolore.report.pages import templates
from tricolore.report.result_table import ResultTable
from tricolore.run.cache import Cache
from tricolore.run.cost import MeasuredCost, measured_cost
from tricolore.run.damaged_pairs import score_damaged_pairs
from tricolore.run.engine import Engine
from tricolore.run.processes import local_engine
from tricolore.run.run import Result, Run
from tricolore.run.table import results_table
from tricolore.text.language import looks_english

_log = logging.getLogger(__name__)

CONTROLS = "novelty:n=3,length"
"""What is held constant by default: copying and length."""
KINDS = "subtle-errors,entity-swap,number-swap,negation-swap,sentence-shuffle"
"""The kinds of planted errors by default."""
FILES = ("atlas.csv", "atlas.json", "atlas.parquet", "atlas.md", "atlas.html")
"""The files of an atlas: the table of all figures in three formats, and the page in two."""
_FEWEST = 5
"""Documents without which a measure is not run on a set."""
_STEPS = (1, 2, 5)
"""Numbers of documents are rounded down to these times a power of ten, if not all are taken."""


@dataclass(frozen=True)
class AtlasResult:
    """All figures of measures on judged sets, and the choices that follow from them.

    In a notebook it shows the choices.
    """

    figures: AtlasFigures

    @property
    def table(self) -> ResultTable:
        """All figures, one per row."""
        return figure_table(self.figures)

    @property
    def choices(self) -> list[MeasureChoice]:
        """Which measure answers which question, by the rules that the page states."""
        return choices(self.figures)

    @property
    def choice_table(self) -> ResultTable:
        """The choices, one per row."""
        return choice_table(self.choices)

    def markdown(self) -> str:
        """The page as Markdown."""
        return atlas_markdown(self.figures)

    def html(self) -> str:
        """The page as one HTML file."""
        return atlas_html(self.figures)

    def save(self, directory: str | Path) -> None:
        """Write the table (CSV, JSON, Parquet) and the page (Markdown, HTML) to a directory."""
        rows = figure_rows(self.figures)
        texts = {
            "atlas.csv": self.table.csv() + "\n",
            "atlas.json": to_json_text(rows, indent=1) + "\n",
            "atlas.md": self.markdown(),
            "atlas.html": self.html(),
        }
        contents = {name: text.encode() for name, text in texts.items()}
        contents["atlas.parquet"] = _parquet(rows)
        write_directory(directory, contents, _replaceable)

    def _repr_html_(self) -> str:
        return self.choice_table.html()


def atlas(
    places: str | Path | Sequence[str | Path],
    measures: Measures | None = None,
    *,
    output: str | Path = "",
    control: str | Sequence[str] = CONTROLS,
    kinds: str = KINDS,
    damaged: int = 50,
    max_seconds: float = 600.0,
    columns: Columns | None = None,
    limit: int | None = None,
    empty: Empty = "worst",
    resamples: int = 1000,
    over: Over = "both",
    cache: CacheChoice = None,
    jobs: int = 1,
    engine: Engine | None = None,
    device: str = "",
    offline: bool = False,
    progress: ProgressChoice = False,
    seed: int = 0,
) -> AtlasResult:
    """Run measures on judged sets, and say which measure answers which question.

    With a cache, a run that was stopped goes on where it was.

    Args:
        places: Files of summaries with human scores, or directories in which to look for them; also
            public datasets as they are published.
        measures: Measures, or specs that name them; all that run without a download if not given.
        output: A directory to write the table and the page to; it must be new or an atlas.
        control: Specs of what is held constant in partial correlations.
        kinds: Specs of kinds of planted errors, separated by commas; empty for none.
        damaged: The most summaries per set in which errors are planted.
        max_seconds: The CPU seconds that a measure may take per set, as far as its measured cost
            tells: one that needs more is run on fewer, randomly chosen documents.
        columns: The names of the columns, if they are not the usual ones.
        limit: Read at most this many rows of each set.
        empty: How an empty summary counts: as the worst possible value ("worst"), or not at all.
        resamples: Number of bootstrap resamples for the intervals.
        over: What is resampled: "documents", "systems" or "both".
        cache: Where scores are looked up and kept, as in `evaluate`.
        jobs: Number of processes.
        engine: Where the work is done, instead of `jobs` processes on this machine.
        device: Where models run: "cpu", "cuda", "mps"; the fastest available one if empty.
        offline: Whether a model that is not on this machine is an error instead of a download.
        progress: How to show progress, or a function, as in `evaluate`.
        seed: Seed of the random documents, errors and resamples.
    """
    check_arguments(atlas, locals())
    given = [places] if isinstance(places, str | Path) else list(places)
    specs = specs_of(measures) if measures is not None else None
    if output:
        templates()  # so that an error comes before anything is computed
    inputs = [*map(Path, given), *inputs_of(None, specs or (), cache)]
    with (
        reserved([(output, "output")] if output else [], inputs),
        placed_on(device, offline),
        opened_cache(cache) as opened,
    ):
        if output:
            _replaceable(Path(output))
        found = find_judged_sets(given, columns, limit=limit)
        chosen, absent = _runnable() if specs is None else (get_measures(specs), [])
        _refuse_remote(chosen)
        controls = [measure.label for measure in get_measures(specs_of(control))]
        figures = AtlasFigures(
            {measure.label: measure.direction for measure in chosen},
            controls,
            skipped=found.skipped,
        )
        figures.left_out += [("all sets", *each) for each in absent]
        for judged_set in found.sets:
            maker = _SetFigures(
                judged_set,
                figures,
                cache=opened,
                engine=engine or local_engine(jobs),
                progress=progress,
                is_named=specs is not None,
                max_seconds=max_seconds,
                seed=seed,
            )
            maker.add_facts()
            maker.add_agreements(chosen, resamples=resamples, over=over, empty=empty)
            if kinds and damaged:
                maker.add_sensitivities(kinds, damaged)
        result = AtlasResult(figures)
        if output:
            result.save(output)
    return result


def _runnable() -> tuple[list[Measure], list[tuple[str, str]]]:
    """All measures whose models are here, and the others with the reason."""
    kept, absent = [], []
    for measure in get_measures(list(entries())):
        missing = missing_for(measure.model) if isinstance(measure, NeuralMeasure) else ""
        if measure.is_remote:
            absent.append((measure.label, "it sends the texts to a service"))
        elif missing:
            absent.append((measure.label, f"{missing} is not here"))
        else:
            kept.append(measure)
    return kept, absent


def _refuse_remote(measures: Iterable[Measure]) -> None:
    """Raise an error for a measure that may charge for each of many requests."""
    for measure in flatten(measures):
        if measure.is_remote:
            raise TricoloreError(
                f"{measure.label} sends every text to a service, which an atlas does often",
                "score the set with it, and look at its agreement with `tricolore meta`",
                argument="measures",
            )


@dataclass
class _SetFigures:
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


def _parquet(rows: Sequence[dict[str, str | float | int | None]]) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(list(rows)), out)
    return out.getvalue()


def _replaceable(directory: Path) -> list[str]:
    """The files of an atlas that may be replaced; an error if there is anything else."""
    if not directory.exists():
        return []
    if not directory.is_dir():
        raise WriteError(f"{directory} is a file; an atlas is a directory", argument="output")
    names = sorted(os.listdir(directory))
    if other := [name for name in names if name not in FILES]:
        words = f"{directory} is there and has what is not part of an atlas: {other[0]}"
        raise WriteError(words, argument="output")
    return names
