"""A run: many examples through many measures, with a cache and an engine."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count, islice

from tricolore.arguments import check_arguments
from tricolore.data.examples import Sources
from tricolore.errors import TricoloreError, Unavailable
from tricolore.example import Example, Unreadable
from tricolore.measure import Composed, Measure, flatten
from tricolore.models.placement import Placement, current
from tricolore.models.spending import TokenPrices, Usage
from tricolore.registry import get_measure, get_measures
from tricolore.returned import checked_score, failure
from tricolore.run.activity import Activity
from tricolore.run.batches import Batch, JobPlaces, Row
from tricolore.run.cache import Cache, NewScore
from tricolore.run.cache_keys import MeasureKey, TextKeys
from tricolore.run.engine import Engine, Here, Job, JobScores, Work
from tricolore.score import Score

BATCH = 256
"""Rows that are batched together, to find those that share a source."""


class Scores(dict[str, Score]):
    """Scores by label; any other spec of the same measure finds them too.

    >>> scores = Scores({"rouge-2:stem=true": Score(0.5)})
    >>> scores["rouge-2:value=f1,stem=true"].value
    0.5
    """

    def __missing__(self, spec: str) -> Score:
        with suppress(TricoloreError):
            if (label := get_measure(spec).label) in self:
                return self[label]
        raise KeyError(f"{spec}; there are {', '.join(self)}")


@dataclass(frozen=True, slots=True)
class Result:
    """One row of the output: the example (or why there is none) and its scores by label."""

    example: Row
    scores: Scores


Watch = Callable[[Iterator[Result]], Iterable[Result]]
"""A wrapper around the stream of results, such as a progress bar."""


@dataclass
class Run:
    """Score examples with measures.

    Args:
        specs: Measures, or specs that name them.
        cache: Where scores are looked up and kept; none if not given.
        engine: Where the work is done: in this process if not given.
        evidence: Whether scores have the spans of text that they rest on.
        placement: On which device models run, and whether the network may be used.
        is_fitted: Whether the measures are fitted to the corpus of the run already.

    >>> run = Run(["coverage"])
    >>> [result] = run.score([Example(source="a b c", summary="a b")])
    >>> result.scores["coverage"].value
    1.0
    """

    specs: Sequence[str | Measure]
    cache: Cache | None = None
    engine: Engine = field(default_factory=Here)
    evidence: bool = False
    placement: Placement = field(default_factory=current)
    is_fitted: bool = False
    measures: list[Measure] = field(init=False)
    """The measures that the specs name, fitted to the corpus of the run where they need one."""
    scored: int = field(init=False, default=0)
    """Scores that were computed; those found in the cache are not counted."""
    reused: int = field(init=False, default=0)
    """Scores that were found in the cache."""
    activity: Activity = field(init=False, default_factory=Activity)
    """What is being done now."""
    usage: Usage = field(init=False, default_factory=Usage)
    """What measures have asked of remote services; scores found in the cache take nothing."""

    def __post_init__(self) -> None:
        self.measures = get_measures(self.specs)
        for measure in self.measures:
            with _asked(measure):
                measure.prepare()

    @property
    def needs_corpus(self) -> bool:
        """Whether a measure needs to see all sources before the first score."""
        return any("corpus" in measure.needs for measure in self.measures)

    @property
    def needs(self) -> frozenset[str]:
        """Everything that any of the measures needs."""
        return frozenset(need for measure in self.measures for need in measure.needs)

    def fit(self, sources: Iterable[str]) -> None:
        """Show the sources of the run to the measures that need a corpus.

        They are read more than once, so they cannot be a generator.
        """
        self._fit(sources)
        self.is_fitted = True

    def _fit(self, sources: Iterable[str]) -> None:
        for at, measure in enumerate(self.measures):
            if "corpus" in measure.needs:
                with _asked(measure):
                    self.measures[at] = measure.fit(sources)

    def score(self, rows: Iterable[Row]) -> Iterator[Result]:
        """One result per row, in order.

        Measures that need a corpus are fitted to the sources of the rows, unless `fit` was called
        before. For that the rows are read twice, so they must be a list or another collection that
        can be read again.
        """
        if self.needs_corpus and not self.is_fitted:
            if iter(rows) is rows:
                names = [m.label for m in self.measures if "corpus" in m.needs]
                raise TricoloreError(
                    f"{', '.join(names)} must see all sources before the first score, but these "
                    "rows can be read only once",
                    "give a list, or call Run.fit with the sources first",
                )
            self._fit(Sources(rows))
        # Now, not with the first row: a measure that cannot be used is an error at once.
        plan = MeasurePlan.of(self.measures, evidence=self.evidence)
        return self._results(rows, plan.with_keys(evidence=self.evidence))

    def _results(self, rows: Iterable[Row], plan: MeasurePlan) -> Iterator[Result]:
        work = Work(plan.computed, self.evidence, self.placement, self.activity)
        open_batches: deque[Batch] = deque()
        tickets: dict[int, tuple[Batch, JobPlaces]] = {}
        numbers = count()

        def jobs() -> Iterator[Job]:
            for some in _batches(rows):
                batch = Batch.of(some, len(plan.computed))
                self._look_up(batch, plan)
                open_batches.append(batch)
                for places in batch.pieces([m.batch_size for m in plan.computed]):
                    number = next(numbers)
                    tickets[number] = batch, places
                    yield batch.job(number, places)

        for answer in self.engine.run(work, jobs()):
            self._fill(plan, *tickets.pop(answer.number), answer)
            while open_batches:
                for row, scores in open_batches[0].ready():
                    yield Result(row, plan.shown(row, scores))
                if not open_batches[0].is_done:
                    break
                open_batches.popleft()

    def _look_up(self, batch: Batch, plan: MeasurePlan) -> None:
        if self.cache is None:
            return
        texts = TextKeys(batch.examples)
        batch.keys = [texts.of(measure.reads) for measure in plan.keys]
        batch.scores = self.cache.look_up(plan.keys, batch.keys)
        self.reused += sum(len(column) - column.count(None) for column in batch.scores)

    def _fill(self, plan: MeasurePlan, batch: Batch, places: JobPlaces, answer: JobScores) -> None:
        """Put an answer into its batch, and into the cache."""
        new_scores: list[NewScore] = []
        for measure, (column, scores) in enumerate(zip(places, answer.scores, strict=True)):
            for place, score in zip(column, scores, strict=True):
                batch.scores[measure][place] = score
                if self.cache:
                    new_scores.append((plan.keys[measure], batch.keys[measure][place], score))
            self.scored += len(column)
            worker = plan.computed[measure]
            if worker.is_remote:
                prices = getattr(worker, "prices", TokenPrices())
                for score in scores:
                    self.usage += Usage.of_parts(score.parts, prices)
        if self.cache and new_scores:
            self.cache.keep(new_scores)


@dataclass(frozen=True)
class MeasurePlan:
    """Which measures are computed, and how the requested scores follow from theirs.

    >>> plan = MeasurePlan.of([get_measure("estime"), get_measure("length")], evidence=False)
    >>> [measure.label for measure in plan.computed], [plan.inputs(at) for at in (0, 1)]
    (['estime', 'length'], [{0}, {1}])
    """

    measures: Sequence[Measure]
    """The requested measures."""
    singles: Sequence[tuple[Measure, int]]
    """The measures without composed ones, each with the index of its computed measure."""
    computed: Sequence[Measure]
    keys: Sequence[MeasureKey] = ()
    """The computed measures in the cache; for plans `with_keys` only, since they take time."""

    @staticmethod
    def of(measures: Sequence[Measure], *, evidence: bool) -> MeasurePlan:
        """The plan for some measures; none of them is computed twice."""
        computed: dict[str, Measure] = {}
        places: dict[str, int] = {}
        singles = []
        for single in flatten(measures):
            with _asked(single):
                worker = single.computed(evidence=evidence)
                computed.setdefault(worker.label, worker)
                places.setdefault(worker.label, len(places))
                singles.append((single, places[worker.label]))
        return MeasurePlan(measures, singles, list(computed.values()))

    def with_keys(self, *, evidence: bool) -> MeasurePlan:
        """This plan with the cache keys; a measure without a signature is an error."""
        keys = []
        for worker in self.computed:
            with _asked(worker):
                keys.append(MeasureKey.of(worker, evidence=evidence))
        return replace(self, keys=keys)

    def shown(self, row: Row, computed: Sequence[Score]) -> Scores:
        """The scores of the requested measures, in their order."""
        if isinstance(row, Unreadable):
            missing = Score.missing(row.problem)
            return Scores({measure.label: missing for measure in self.measures})
        known = {
            single.label: _shown(single, row, computed[place]) for single, place in self.singles
        }
        return Scores({m.label: _requested(m, row, known) for m in self.measures})

    def inputs(self, at: int) -> set[int]:
        """The indices of the computed measures that a requested one follows from."""
        labels = {single.label for single in flatten([self.measures[at]])}
        return {place for single, place in self.singles if single.label in labels}

    def shown_one(self, at: int, example: Example, computed: Mapping[int, Score]) -> Score:
        """The score of one requested measure, from those of its inputs by index."""
        known = {
            single.label: _shown(single, example, computed[place])
            for single, place in self.singles
            if place in computed
        }
        return _requested(self.measures[at], example, known)


def _requested(measure: Measure, example: Example, known: Mapping[str, Score]) -> Score:
    """The score of a requested measure from those that are not composed, by label."""
    if isinstance(measure, Composed):
        return _composed(measure, example, known)
    return known[measure.label]


def _shown(measure: Measure, example: Example, computed: Score) -> Score:
    """The score that a measure shows; a failure of one that is not ours is a problem of the row."""
    try:
        shown = measure.shown(computed)
        return shown if shown is computed else checked_score(measure.name, example, shown)
    except Exception as error:
        return failure(measure.name, error)


def _composed(measure: Composed, example: Example, known: Mapping[str, Score]) -> Score:
    try:
        return measure.from_term_scores(example, known)
    except Exception as error:
        return failure(measure.name, error)


@contextmanager
def _asked(measure: Measure) -> Iterator[None]:
    """Report the failure of a measure without which nothing can be scored as an error of ours."""
    try:
        yield
    except TricoloreError:
        raise
    except (Exception, SystemExit) as error:
        words = f"{measure.name} cannot be used: {type(error).__name__}: {error}"
        raise Unavailable(words) from error


def score(
    source: str | Sequence[str] = (),
    summary: str = "",
    *,
    references: str | Sequence[str] = (),
    measures: str | Sequence[str | Measure],
    evidence: bool = False,
    cache: Cache | None = None,
    placement: Placement | None = None,
) -> Scores:
    """The scores of one summary, by measure.

    Args:
        source: The text that was summarised, or several.
        summary: The summary to judge.
        references: Summaries that people wrote, for measures that compare with them.
        measures: Measures, or specs that name them: "rouge,coverage".
        evidence: Whether scores have the spans of text that they rest on.
        cache: Where scores are looked up and kept.
        placement: On which device models run, and whether the network may be used.

    >>> score("a b c d", "a b x", measures="coverage")["coverage"].value
    0.6666666666666666
    """
    check_arguments(score, locals())
    specs = [measures] if isinstance(measures, str) else measures
    run = Run(specs, cache=cache, evidence=evidence, placement=placement or current())
    [result] = run.score([Example(source=source, summary=summary, references=references)])
    return result.scores


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    rest = iter(rows)
    while batch := list(islice(rest, BATCH)):
        yield batch
