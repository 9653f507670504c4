"""A run: many examples through many measures, with a cache and several workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from tricolore.example import Example, Unreadable
from tricolore.measure import Measure
from tricolore.registry import get_measures
from tricolore.run.cache import Cache, key, signature_digest
from tricolore.run.engine import in_order
from tricolore.score import Score

Item = TypeVar("Item")

BATCH = 256
"""Rows that are scored, and kept in the cache, at a time: what a killed run may lose."""


@dataclass(frozen=True, slots=True)
class Result:
    """One row of the output: the example (or why there is none) and its scores by label."""

    example: Example | Unreadable
    scores: dict[str, Score]


@dataclass
class _Batch:
    """Rows under way. The lists have an entry a measure, and in it one an example."""

    rows: list[Example | Unreadable]
    examples: list[Example]
    keys: list[list[bytes]]
    """Empty without a cache."""
    scores: list[list[Score | None]]
    """What the cache knew; the rest is filled in when it comes."""

    def missing(self) -> list[list[int]]:
        """Which examples have no score yet."""
        return [[at for at, score in enumerate(some) if score is None] for some in self.scores]


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
        signed = [signature_digest(m, evidence=self.evidence) for m in self.measures]
        batches = (self._look_up(batch, signed) for batch in _batches(rows, BATCH))
        jobs = (
            (batch, [[batch.examples[at] for at in places] for places in batch.missing()])
            for batch in batches
        )
        for batch, answers in in_order(
            self.measures, jobs, workers=self.jobs, evidence=self.evidence
        ):
            self._fill(batch, answers)
            yield from self._results(batch)

    def _look_up(self, rows: list[Example | Unreadable], signed: list[bytes]) -> _Batch:
        examples = [row for row in rows if isinstance(row, Example)]
        if self.cache is None:
            unknown: list[list[Score | None]] = [[None] * len(examples) for _ in self.measures]
            return _Batch(rows, examples, [], unknown)
        keys = [
            [key(measure, sign, example) for example in examples]
            for measure, sign in zip(self.measures, signed, strict=True)
        ]
        known = self.cache.get(k for some in keys for k in some)
        return _Batch(rows, examples, keys, [[known.get(k) for k in some] for some in keys])

    def _fill(self, batch: _Batch, answers: list[list[Score]]) -> None:
        found: dict[bytes, Score] = {}
        for at, (places, scores) in enumerate(zip(batch.missing(), answers, strict=True)):
            for place, score in zip(places, scores, strict=True):
                batch.scores[at][place] = score
            if self.cache:
                found.update(zip([batch.keys[at][p] for p in places], scores, strict=True))
            self.scored += len(places)
            self.reused += len(batch.examples) - len(places)
        if self.cache and found:
            self.cache.put(found)

    def _results(self, batch: _Batch) -> Iterator[Result]:
        labels = [measure.label for measure in self.measures]
        of_examples = zip(*batch.scores, strict=True)
        for row in batch.rows:
            if isinstance(row, Unreadable):
                yield Result(row, dict.fromkeys(labels, Score.none(row.problem)))
            else:
                yield Result(row, dict(zip(labels, next(of_examples), strict=True)))


def score(
    *,
    summary: str,
    source: str | Sequence[str] = (),
    references: str | Sequence[str] = (),
    measures: str | Sequence[str | Measure],
    evidence: bool = False,
) -> dict[str, Score]:
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
