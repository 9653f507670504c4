"""Damage summaries, and see which measures notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tricolore.api.perturb import error_counts
from tricolore.api.running import (
    CacheChoice,
    Measures,
    ProgressChoice,
    notes_on_columns,
    opened_cache,
    placed_on,
    read_examples,
    specs_of,
    watched,
)
from tricolore.arguments import check_arguments
from tricolore.data.columns import Columns
from tricolore.data.examples import Sources
from tricolore.errors import ReadError
from tricolore.example import Example, Unreadable
from tricolore.measure import Measure
from tricolore.meta.sensitivity import DamageCase, DamagedPairs, Sensitivity
from tricolore.perturb.kinds import get_perturbations
from tricolore.report.result_table import ResultTable
from tricolore.report.sensitivity import save_figures, sensitivity_table
from tricolore.run.damaged_pairs import score_damaged_pairs
from tricolore.run.engine import Engine
from tricolore.run.processes import local_engine
from tricolore.run.run import Run


@dataclass(frozen=True)
class SensitivityResult:
    """How well measures distinguish clean from damaged summaries, by measure and damage."""

    found: Mapping[DamageCase, Sensitivity]
    twins: Mapping[DamageCase, DamagedPairs]
    """The scores of clean and damaged summaries."""
    left_out: Mapping[str, int]
    """Why summaries were not damaged as requested, and how many were not."""
    measures: Sequence[Measure]
    notes: Sequence[str] = ()
    """What was read from which column, and what may be wrong with it."""
    reused: int = 0
    """Scores that were found in the cache."""
    scored: int = 0
    """Scores that were computed."""

    @property
    def table(self) -> ResultTable:
        """One row per measure, kind of damage and number of errors."""
        sheet = sensitivity_table(self.found)
        if self.left_out:
            [(reason, _)] = Counter(self.left_out).most_common(1)
            count = sum(self.left_out.values())
            sheet.notes.append(f"Not damaged as asked for: {count}, most often because {reason}.")
        return sheet

    def save_figures(self, directory: str | Path) -> list[str]:
        """Draw each statistic and the values of each measure; returns the paths."""
        return save_figures(self.found, self.twins, str(directory))

    def _repr_html_(self) -> str:
        return self.table.html()


def sensitivity(
    data: Any,
    measures: Measures,
    kinds: str = "subtle-errors",
    *,
    errors_per_summary: int | Sequence[int] = (1, 2, 3),
    copies: int = 1,
    locate: bool = True,
    columns: Columns | None = None,
    limit: int | None = None,
    seed: int = 0,
    cache: CacheChoice = None,
    jobs: int = 1,
    engine: Engine | None = None,
    device: str = "",
    offline: bool = False,
    progress: ProgressChoice = False,
) -> SensitivityResult:
    """Damage summaries, score clean and damaged ones, and say which measures tell them apart.

    Args:
        data: Examples: anything that `evaluate` takes.
        measures: Measures, or specs that name them: "estime,jensen-shannon".
        kinds: Specs of kinds of damage, separated by commas: "entity-swap,number-swap".
        errors_per_summary: Numbers of errors in each damaged summary.
        copies: Number of differently damaged versions per summary, kind and number of errors.
        locate: Whether to look at where the evidence for scores points.
        columns: The names of the columns, if they are not the usual ones.
        limit: Read at most this many rows.
        seed: Seed of the random choices: the same seed gives the same damage.
        cache: Where scores are looked up and kept, as in `evaluate`.
        jobs: Number of processes.
        engine: Where the work is done, instead of `jobs` processes on this machine.
        device: Where models run: "cpu", "cuda", "mps"; the fastest available one if empty.
        offline: Whether a model that is not on this machine is an error instead of a download.
        progress: How to show progress, or a function, as in `evaluate`.

    >>> rows = [{"source": "It rained a lot.", "summary": "It rained."}]
    >>> result = sensitivity(rows, "coverage", "random-words")
    >>> [(case.measure, case.kind) for case in result.found]
    [('coverage', 'random-words')]
    """
    check_arguments(sensitivity, locals())
    counts = error_counts(errors_per_summary)
    made = get_perturbations(kinds, seed=seed, copies=copies)
    with placed_on(device, offline), opened_cache(cache) as opened:
        run = Run(
            specs_of(measures),
            cache=opened,
            engine=engine or local_engine(jobs),
            evidence=locate,
        )
        needs = run.needs | ({"source"} if any(kind.needs_source for kind in made) else set())
        rows = read_examples(data, columns, needs=needs, limit=limit, twice=run.needs_corpus)
        run.fit(Sources(rows))
        unreadable: Counter[str] = Counter()
        scored = score_damaged_pairs(
            run,
            _readable(rows, unreadable),
            made,
            counts,
            lambda results: watched(results, progress),
        )
    left_out = unreadable + Counter(scored.left_out)
    if not any(twins.clean for twins in scored.cases.values()):
        why = f": {left_out.most_common(1)[0][0]}" if left_out else ""
        raise ReadError(f"{rows.name} has no summary that could be damaged{why}")
    return SensitivityResult(
        {case: twins.sensitivity() for case, twins in scored.cases.items()},
        scored.cases,
        left_out,
        run.measures,
        notes_on_columns(rows),
        run.reused,
        run.scored,
    )


def _readable(rows: Iterable[Example | Unreadable], unreadable: Counter[str]) -> Iterator[Example]:
    for row in rows:
        if isinstance(row, Example):
            yield row
        else:
            unreadable[row.problem] += 1
