"""A run: many examples through many measures, with a cache and several workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from tricolore.errors import SpecError
from tricolore.example import Example, Unreadable
from tricolore.measure import Composed, Measure, flatten
from tricolore.registry import get_measure, get_measures
from tricolore.run.cache import Cache, key, signature_digest
from tricolore.run.engine import in_order
from tricolore.score import Score

Item = TypeVar("Item")

BATCH = 256
"""Rows that are looked at together, to find those that share a source."""


class Scores(dict[str, Score]):
    """Scores by label; whatever else means the same measure finds them too.

    >>> scores = Scores({"rouge-2:stem=true": Score(0.5)})
    >>> scores["rouge-2:value=f1,stem=true"].value
    0.5
    """

    def __missing__(self, spec: str) -> Score:
        with suppress(SpecError):
            if (label := get_measure(spec).label) in self:
                return self[label]
        raise KeyError(f"{spec}; there are {', '.join(self)}")


@dataclass(frozen=True, slots=True)
class Result:
    """One row of the output: the example (or why there is none) and its scores by label."""

    example: Example | Unreadable
    scores: Scores


Watch = Callable[[Iterator[Result]], Iterable[Result]]
"""What results are passed through as they come: a progress bar."""

Places = list[list[int]]
"""For each measure, places of examples in a batch."""


@dataclass
class _Batch:
    """Rows under way. The lists have an entry a measure, and in it one an example."""

    rows: list[Example | Unreadable]
    examples: list[Example]
    keys: list[list[bytes]]
    """Empty without a cache."""
    scores: list[list[Score | None]]
    """What the cache knew; the rest is filled in when it comes."""
    given: int = 0
    """How many rows have been handed out, and of how many examples."""
    given_examples: int = 0

    def pieces(self, sizes: Sequence[int]) -> Iterator[Places]:
        """What is missing, cut so that no measure gets more examples at once than its size.

        Examples of one source stay together, so that its work is done once. There is always a
        piece, be it empty, since the rows are handed out when one is done.
        """
        groups = _by_source(self.examples)
        missing = [{at for at, score in enumerate(some) if score is None} for some in self.scores]
        cut = False
        for size in sorted(set(sizes), reverse=True):
            for some in _chunks(groups, size):
                places = [
                    [at for at in some if at in absent] if own == size else []
                    for own, absent in zip(sizes, missing, strict=True)
                ]
                if any(places):
                    cut = True
                    yield places
        if not cut:
            yield [[] for _ in sizes]

    def ready(self, labels: Sequence[str]) -> Iterator[Result]:
        """The next rows, in order, up to the first whose scores are not all there."""
        while self.given < len(self.rows):
            row = self.rows[self.given]
            if isinstance(row, Unreadable):
                scores = Scores(dict.fromkeys(labels, Score.missing(row.problem)))
            else:
                found = [some[self.given_examples] for some in self.scores]
                if any(score is None for score in found):
                    return
                known = zip(labels, found, strict=True)
                scores = Scores({label: score for label, score in known if score})
                self.given_examples += 1
            self.given += 1
            yield Result(row, scores)


def _by_source(examples: Sequence[Example]) -> list[list[int]]:
    """Places of the examples of each source, sources as they first come."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for at, example in enumerate(examples):
        groups.setdefault(example.source, []).append(at)
    return list(groups.values())


def _chunks(groups: Sequence[list[int]], size: int) -> Iterator[list[int]]:
    """Whole groups together as long as they fit; a group that is larger than the size is cut.

    >>> list(_chunks([[0, 1], [2, 3, 4], [5], [6, 7, 8, 9, 10]], size=4))
    [[0, 1], [2, 3, 4, 5], [6, 7, 8, 9], [10]]
    """
    chunk: list[int] = []
    for group in groups:
        if len(chunk) + len(group) > size:
            yield from filter(None, [chunk])
            chunk = []
        while len(group) > size:
            yield group[:size]
            group = group[size:]
        chunk = [*chunk, *group]
    yield from filter(None, [chunk])


@dataclass
class Run:
    """Score examples with measures.

    >>> run = Run(["coverage"])
    >>> [result] = run.score([Example(source="a b c", summary="a b")])
    >>> result.scores["coverage"].value
    1.0
    """

    specs: Sequence[str | Measure]
    cache: Cache | None = None
    jobs: int = 1
    evidence: bool = False
    measures: list[Measure] = field(init=False)
    scored: int = field(init=False, default=0)
    """Scores that were computed; those found in the cache are not counted."""
    reused: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.measures = get_measures(self.specs)

    @property
    def needs_corpus(self) -> bool:
        """Whether a measure wants to see all sources before the first score."""
        return any("corpus" in measure.needs for measure in self.measures)

    def fit(self, sources: Iterable[str]) -> None:
        """Show the sources of the run to the measures that need a corpus.

        They are gone through more than once, so a generator will not do.
        """
        self.measures = [m.fit(sources) if "corpus" in m.needs else m for m in self.measures]

    def score(self, rows: Iterable[Example | Unreadable]) -> Iterator[Result]:
        """One result a row, in order; `fit` first where a measure needs a corpus."""
        singles = flatten(self.measures)
        signed = [(m, signature_digest(m, evidence=self.evidence)) for m in singles]
        batches = (self._look_up(batch, signed) for batch in _batches(rows, BATCH))
        sizes = [measure.batch_size for measure in singles]
        labels = [measure.label for measure in singles]
        jobs = (
            ((batch, places), [[batch.examples[at] for at in some] for some in places])
            for batch in batches
            for places in batch.pieces(sizes)
        )
        for (batch, places), answers in in_order(
            singles, jobs, workers=self.jobs, evidence=self.evidence
        ):
            self._fill(batch, places, answers)
            yield from map(self._composed, batch.ready(labels))

    def _composed(self, result: Result) -> Result:
        """With the scores of the measures that were asked for, in their order."""
        row, known = result.example, result.scores
        scores = Scores()
        for measure in self.measures:
            if not isinstance(measure, Composed):
                scores[measure.label] = known[measure.label]
            elif isinstance(row, Unreadable):
                scores[measure.label] = Score.missing(row.problem)
            else:
                scores[measure.label] = measure.from_term_scores(row, known)
        return Result(row, scores)

    def _look_up(
        self, rows: list[Example | Unreadable], signed: list[tuple[Measure, bytes]]
    ) -> _Batch:
        for row in rows:
            if not isinstance(row, Example | Unreadable):
                raise TypeError(
                    f"a run scores Example(source=…, summary=…) objects, not {type(row).__name__}"
                )
        examples = [row for row in rows if isinstance(row, Example)]
        if self.cache is None:
            unknown: list[list[Score | None]] = [[None] * len(examples) for _ in signed]
            return _Batch(rows, examples, [], unknown)
        keys = [[key(measure, sign, example) for example in examples] for measure, sign in signed]
        known = self.cache.get(k for some in keys for k in some)
        scores = [[known.get(k) for k in some] for some in keys]
        self.reused += sum(score is not None for some in scores for score in some)
        return _Batch(rows, examples, keys, scores)

    def _fill(self, batch: _Batch, places: Places, answers: list[list[Score]]) -> None:
        found: dict[bytes, Score] = {}
        for at, (some, scores) in enumerate(zip(places, answers, strict=True)):
            for place, score in zip(some, scores, strict=True):
                batch.scores[at][place] = score
            if self.cache:
                found.update(zip([batch.keys[at][p] for p in some], scores, strict=True))
            self.scored += len(some)
        if self.cache and found:
            self.cache.put(found)


def score(
    *,
    summary: str,
    source: str | Sequence[str] = (),
    references: str | Sequence[str] = (),
    measures: str | Sequence[str | Measure],
    evidence: bool = False,
) -> Scores:
    """The scores of one summary, by measure.

    >>> score(source="a b c d", summary="a b x", measures="coverage")["coverage"].value
    0.6666666666666666
    """
    run = Run([measures] if isinstance(measures, str) else measures, evidence=evidence)
    example = Example(source=source, summary=summary, references=references)
    run.fit(["\n".join(example.source)])
    [result] = run.score([example])
    return result.scores


def _batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
