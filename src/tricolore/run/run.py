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
    """What a batch knows already, and where the answers it waits for belong."""

    rows: list[Example | Unreadable]
    keys: list[list[bytes]]
    """For each measure, the keys of the examples."""
    known: dict[bytes, Score]
    asked: list[list[bytes]] = field(default_factory=list)
    """For each measure, the keys that are not known."""


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
        planned = ((batch, self._job(batch)) for batch in batches)
        for batch, answers in in_order(
            self.measures, planned, workers=self.jobs, evidence=self.evidence
        ):
            found = {
                key_: score
                for keys, scores in zip(batch.asked, answers, strict=True)
                for key_, score in zip(keys, scores, strict=True)
            }
            if self.cache and found:
                self.cache.put(found)
            self.scored += len(found)
            yield from self._results(batch, {**batch.known, **found})

    def _look_up(self, rows: list[Example | Unreadable], signed: list[bytes]) -> _Batch:
        examples = [row for row in rows if isinstance(row, Example)]
        keys = [
            [key(measure, sign, example) for example in examples]
            for measure, sign in zip(self.measures, signed, strict=True)
        ]
        known = self.cache.get(k for some in keys for k in some) if self.cache else {}
        self.reused += len(known)
        return _Batch(rows, keys, known)

    def _job(self, batch: _Batch) -> list[list[Example]]:
        examples = [row for row in batch.rows if isinstance(row, Example)]
        job = []
        for keys in batch.keys:
            # The same texts twice in a batch are scored once.
            missing = {
                k: example
                for k, example in zip(keys, examples, strict=True)
                if k not in batch.known
            }
            batch.asked.append(list(missing))
            job.append(list(missing.values()))
        return job

    def _results(self, batch: _Batch, scores: dict[bytes, Score]) -> Iterator[Result]:
        labels = [measure.label for measure in self.measures]
        keys_of_rows = zip(*batch.keys, strict=True)
        for row in batch.rows:
            if isinstance(row, Unreadable):
                yield Result(row, dict.fromkeys(labels, Score.none(row.problem)))
            else:
                found = [scores[k] for k in next(keys_of_rows)]
                yield Result(row, dict(zip(labels, found, strict=True)))


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
