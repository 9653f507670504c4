"""ESTIME's course of events: a source and its summaries, run through the model and compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tricolore.measures.estime_contest import Contest, Similarity, Verdict
from tricolore.measures.estime_reading import Run, Shelf
from tricolore.models.masked_lm import MaskedLM

_AT_ONCE = 1 << 13  # vectors of windows that are held at a time


@dataclass
class Trial:
    """A source and the summaries of a call that are about it."""

    numbers: list[int]
    """Which examples the summaries are of."""
    summaries: Shelf
    source: Shelf
    contests: list[Contest] = field(default_factory=list)
    """One a layer."""
    verdicts: list[list[Verdict]] = field(default_factory=list)
    """For each layer, one a unit of the summaries."""

    def keys(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The tokens of the summaries and of the source as numbers, equal for the same token."""
        known: dict[str, int] = {}
        sides = (self.summaries, self.source)
        one, other = (
            np.array([known.setdefault(unit.key, len(known)) for _, unit in side.units])
            for side in sides
        )
        return one, other

    def of_summary(self, at: int) -> list[list[Verdict]]:
        """The verdicts on one summary, one list a layer."""
        return [verdicts[self.summaries.bounds(at)] for verdicts in self.verdicts]

    def checked(self) -> npt.NDArray[np.bool_]:
        """Which units of the summaries occur in the source: the i of eq. (1)."""
        there = {unit.overlap for _, unit in self.source.units}
        return np.array([unit.overlap in there for _, unit in self.summaries.units])


@dataclass(frozen=True)
class Court:
    """The model and the layers that all trials of a call are heard with."""

    lm: MaskedLM
    layers: Sequence[int]
    similarity: Similarity
    exact: bool
    """Whether what rounding could decide is decided in fp64."""
    count_exactly: bool = False
    """Whether the number of winners is, too."""

    def hear(self, trials: Sequence[Trial]) -> None:
        """Give every trial its verdicts; the source of each goes through the model once."""
        tokens = {id(trial.source): trial.keys() for trial in trials}
        self._open(trials, tokens)
        by_source = {id(trial.source): trial for trial in trials}
        runs = (run for trial in trials for run in trial.source.runs(self.lm))
        for run, vectors in self._answers(runs):
            trial = by_source[id(run.shelf)]
            keys = tokens[id(run.shelf)][1][run.numbers]
            for contest, layer in zip(trial.contests, vectors, strict=True):
                contest.meet(layer, keys, run.numbers)
        if self.exact:
            self._settle(trials)
        for trial in trials:
            trial.verdicts = [contest.verdicts() for contest in trial.contests]
            trial.contests.clear()

    def _open(self, trials: Sequence[Trial], tokens: dict[int, Any]) -> None:
        """The vectors of all summaries, e_i."""
        layers, width = len(self.layers), self.lm.width
        found = {
            id(trial.summaries): np.empty(
                (layers, len(trial.summaries.units), width), dtype=np.float32
            )
            for trial in trials
        }
        runs = (run for trial in trials for run in trial.summaries.runs(self.lm))
        for run, vectors in self._answers(runs):
            found[id(run.shelf)][:, run.numbers] = vectors
        for trial in trials:
            keys, checked = tokens[id(trial.source)][0], trial.checked()
            trial.contests = [
                Contest(
                    layer,
                    keys,
                    checked,
                    similarity=self.similarity,
                    count_exactly=self.count_exactly,
                )
                for layer in found[id(trial.summaries)]
            ]

    def _answers(
        self, runs: Iterable[Run], *, double: bool = False
    ) -> Iterator[tuple[Run, npt.NDArray[Any]]]:
        """Every run with its vectors, a bounded number of them at a time."""
        for some in self._chunks(runs):
            found = self.lm.vectors([run.query for run in some], self.layers, double=double)
            yield from zip(some, found, strict=True)

    def _chunks(self, runs: Iterable[Run]) -> Iterator[list[Run]]:
        """Runs in lists that are together no larger than allowed, or of one."""
        some: list[Run] = []
        held = 0
        for run in runs:
            # Long runs that are asked little also cost memory, which small answers keep in use.
            size = len(run.numbers) * len(self.layers) + len(run.query.ids) // 8
            if some and held + size > _AT_ONCE:
                yield some
                some, held = [], 0
            some.append(run)
            held += size
        if some:
            yield some

    def _settle(self, trials: Sequence[Trial]) -> None:
        """Have the doubtful pairs of all trials decided by vectors in fp64."""
        doubts = {id(t.source): [_Doubt(contest) for contest in t.contests] for t in trials}
        summaries = {id(trial.summaries): doubts[id(trial.source)] for trial in trials}
        own: list[Run] = []
        theirs: list[Run] = []
        for trial in trials:
            some = doubts[id(trial.source)]
            rows = np.unique(np.concatenate([doubt.rows for doubt in some]))
            places = np.unique(np.concatenate([doubt.places for doubt in some]))
            own += trial.summaries.some_runs(self.lm, rows)
            theirs += trial.source.some_runs(self.lm, places)
        # Together, since one batch is the rule; the summaries first, since they are kept.
        for run, vectors in self._answers(own + theirs, double=True):
            if id(run.shelf) in summaries:
                for doubt, layer in zip(summaries[id(run.shelf)], vectors, strict=True):
                    doubt.vectors.update(zip(run.numbers.tolist(), layer, strict=True))
            else:
                for doubt, layer in zip(doubts[id(run.shelf)], vectors, strict=True):
                    doubt.meet(run.numbers, layer)
        for some in doubts.values():
            for doubt in some:
                doubt.contest.settle(doubt.exact)


class _Doubt:
    """The pairs that a contest is unsure of, on their way to exact similarities."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.rows, self.places = contest.unsure()
        self.exact = np.empty(len(self.rows))
        self.vectors: dict[int, npt.NDArray[Any]] = {}
        """Of the rows, in fp64."""

    def meet(self, places: npt.NDArray[np.int64], vectors: npt.NDArray[Any]) -> None:
        """Compare with the places of a run, which are in order."""
        here = np.flatnonzero(np.isin(self.places, places))
        if len(here):
            rows = np.stack([self.vectors[row] for row in self.rows[here].tolist()])
            others = vectors[np.searchsorted(places, self.places[here])]
            self.exact[here] = self.contest.similarities(rows, others)
