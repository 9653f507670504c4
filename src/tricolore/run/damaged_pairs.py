"""Score clean summaries and their damaged versions, side by side."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from tricolore.example import Example
from tricolore.meta.sensitivity import DamageCase, DamagedPairs
from tricolore.perturb.damage import Damaged
from tricolore.perturb.perturbation import Perturbation
from tricolore.run.run import Run, Watch
from tricolore.score import Score

_BATCH = 256


@dataclass
class DamagedPairScores:
    """The scores by measure and damage, and how often each damage could not be applied."""

    cases: dict[DamageCase, DamagedPairs] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)


def score_damaged_pairs(
    run: Run,
    examples: Iterable[Example],
    kinds: Sequence[Perturbation],
    counts: Sequence[int],
    watch: Watch = iter,
) -> DamagedPairScores:
    """Apply every damage to every summary and score all; `fit` the run first if it needs it.

    A summary that cannot take the requested number of errors is left out for that number.
    """
    scores = DamagedPairScores()
    for kind in kinds:
        for count in counts if kind.counted else [0]:
            for measure in run.measures:
                case = DamageCase(kind.label, count, measure.label)
                scores.cases.setdefault(case, DamagedPairs(measure.direction))
    queue: deque[tuple[int, Damaged | None]] = deque()
    rows = _rows(examples, kinds, counts, queue, scores.left_out)
    clean: dict[str, Score] = {}
    for result in watch(run.score(rows)):
        count, damaged = queue.popleft()
        if damaged is None:
            clean = result.scores
            continue
        # Where the whole summary is damaged, any evidence would point at damage.
        is_local = run.evidence and count > 0
        stretches = [(edit.start, edit.end) for edit in damaged.edits] if is_local else []
        for label, score in result.scores.items():
            pairs = scores.cases[DamageCase(damaged.kind, count, label)]
            pairs.add(clean[label], score, damaged.example.summary, stretches)
    return scores


def _rows(
    examples: Iterable[Example],
    kinds: Sequence[Perturbation],
    counts: Sequence[int],
    queue: deque[tuple[int, Damaged | None]],
    left_out: dict[str, int],
) -> Iterator[Example]:
    """Each clean summary, then its damaged versions, so that shared work is done once.

    The queue records what was yielded; the run gives its results in that order.
    """
    rest = iter(examples)
    while batch := list(islice(rest, _BATCH)):
        damaged = [
            (counts, kind.damage_by(batch, counts))
            if kind.counted
            else ([0], kind.damage_by(batch, [1]))
            for kind in kinds
        ]
        for number, example in enumerate(batch):
            versions: list[tuple[int, Damaged]] = []
            for errors, outcomes in damaged:
                for count, outcome in zip(errors, outcomes[number], strict=True):
                    if isinstance(outcome, Damaged) and not outcome.problem:
                        versions.append((count, outcome))
                    else:
                        left_out[outcome.problem] = left_out.get(outcome.problem, 0) + 1
            if versions:
                queue.append((0, None))
                yield example
            for version in versions:
                queue.append(version)
                yield version[1].example
