"""Score whatever holds summaries (a file, a data frame, a list) and look at the result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tricolore.data.columns import Columns
from tricolore.data.empty import Empty
from tricolore.data.frames import examples_from
from tricolore.data.score_table import ScoreTable
from tricolore.data.scores import ScoreFile, scores_table
from tricolore.errors import TricoloreError
from tricolore.example import Example
from tricolore.measure import Measure
from tricolore.models.placement import Placement, current
from tricolore.report.result_table import ResultTable
from tricolore.report.systems import SystemTable
from tricolore.run.cache import Cache, user_cache
from tricolore.run.engine import Engine
from tricolore.run.processes import local_engine
from tricolore.run.run import Result, Run
from tricolore.run.table import results_table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Progress = Callable[[int], None]
"""Called after every row with the number of rows that are done."""


@dataclass(frozen=True)
class Evaluation:
    """The scores of many summaries.

    `results` has one entry per row of the data, in its order; `measures` are the measures in the
    order in which they were named. In a notebook it shows the table of systems.
    """

    results: Sequence[Result]
    measures: Sequence[Measure]
    notes: Sequence[str] = ()
    """What was read from which column, and what may be wrong with it."""
    reused: int = 0
    """Scores that were found in the cache."""
    empty: Empty = "worst"
    seed: int = 0

    @cached_property
    def systems(self) -> ResultTable:
        """The mean of every system and measure with its 95 % interval."""
        table = SystemTable(self.measures, empty=self.empty, seed=self.seed)
        for result in self.results:
            table.add(result.example, result.scores)
        return table.table()

    @cached_property
    def table(self) -> ScoreTable:
        """All values by column, for `compare`, `agreement` and studies."""
        return results_table(self.results, self.measures).table

    def worst(self, count: int = 10, measure: str = "") -> list[Result]:
        """The summaries with the worst values of a measure, the worst first.

        Args:
            count: How many.
            measure: The label of a measure; the first one if not given.
        """
        labels = {each.label: each for each in self.measures}
        chosen = labels.get(measure or self.measures[0].label)
        if chosen is None:
            raise TricoloreError(f"there is no measure '{measure}' here; there are {[*labels]}")
        if chosen.direction == "neither":
            raise TricoloreError(f"neither way is better in {chosen.label}, so none is the worst")
        sign = -1.0 if chosen.direction == "lower" else 1.0
        known = [r for r in self.results if not math.isnan(r.scores[chosen.label].value)]
        return sorted(known, key=lambda r: sign * r.scores[chosen.label].value)[:count]

    def problems(self) -> list[tuple[int, str]]:
        """The rows without a value, numbered from 1, and why."""
        return [
            (number, problem)
            for number, result in enumerate(self.results, 1)
            for problem in {s.problem for s in result.scores.values() if s.problem is not None}
        ]

    def to_arrow(self, *, evidence: bool = False) -> pyarrow.Table:
        """One row per summary, with the columns of the files that `save` writes."""
        rows = ((result.example, result.scores) for result in self.results)
        return scores_table(rows, self.measures, evidence=evidence)

    def to_pandas(self, *, evidence: bool = False) -> pandas.DataFrame:
        """The same as a data frame of pandas, which must be installed."""
        return self.to_arrow(evidence=evidence).to_pandas()

    def to_polars(self, *, evidence: bool = False) -> polars.DataFrame:
        """The same as a data frame of polars, which must be installed."""
        import polars

        frame = polars.from_arrow(self.to_arrow(evidence=evidence))
        assert isinstance(frame, polars.DataFrame)
        return frame

    def save(self, path: str | Path, *, evidence: bool = False) -> None:
        """Write a score file: .jsonl, .csv, .tsv or .parquet."""
        with ScoreFile(str(path), self.measures, evidence=evidence) as file:
            for result in self.results:
                file.add(result.example, result.scores)

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return self.systems.html() + notes

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)


def evaluate(
    data: Any,
    measures: str | Sequence[str | Measure],
    *,
    columns: Columns | None = None,
    limit: int | None = None,
    evidence: bool = False,
    empty: Empty = "worst",
    cache: Cache | str | Path | None = None,
    jobs: int = 1,
    engine: Engine | None = None,
    device: str = "",
    offline: bool = False,
    progress: bool | Progress = False,
    seed: int = 0,
) -> Evaluation:
    """Score all summaries of a file, a data frame or a list.

    Args:
        data: A list of `Example` or of dicts, a data frame of pandas or polars, an Arrow table, a
            Hugging Face dataset, or the path of a file.
        measures: Measures, or specs that name them: "rouge,coverage".
        columns: Which columns are what, where their names do not tell.
        limit: Only so many rows.
        evidence: Whether scores have the spans of text that they rest on.
        empty: How an empty summary counts in the table of systems: as the worst value, or not.
        cache: Where scores are looked up and kept: a directory, "user" for the one that the
            command line uses, or none.
        jobs: Number of processes.
        engine: Where the work is done, instead of `jobs` processes on this machine.
        device: Where models run: "cpu", "cuda", "mps"; the fastest there is if empty.
        offline: Whether a model that is not on this machine is an error instead of a download.
        progress: Whether to show a progress bar, or a function that is told after every row.
        seed: Seed of the random resampling for the intervals.

    >>> rows = [
    ...     {"document": "A cat sat on a mat.", "summary": "A cat sat.", "system": "a"},
    ...     {"document": "A cat sat on a mat.", "summary": "A dog ran.", "system": "b"},
    ... ]
    >>> result = evaluate(rows, "coverage")
    >>> [round(r.scores["coverage"].value, 2) for r in result]
    [1.0, 0.5]
    >>> result.worst(1)[0].example.system
    'b'
    """
    specs = [measures] if isinstance(measures, str) else measures
    placement = Placement(device, offline) if device or offline else current()
    with opened_cache(cache) as opened:
        run = Run(
            specs,
            cache=opened,
            engine=engine or local_engine(jobs),
            evidence=evidence,
            placement=placement,
        )
        rows = examples_from(data, columns, needs=run.needs - {"corpus"}, limit=limit)
        results = list(watched(run.score(rows), progress))
    if not any(isinstance(result.example, Example) for result in results):
        list(rows.at_least_one())  # says why there is none
    notes = [rows.describe_columns(), *(str(warning) for warning in rows.warnings)]
    return Evaluation(results, run.measures, notes, run.reused, empty, seed)


@contextmanager
def opened_cache(cache: Cache | str | Path | None) -> Iterator[Cache | None]:
    """A cache that is closed afterwards, unless it was opened by the caller."""
    if cache is None or isinstance(cache, Cache):
        yield cache
        return
    with Cache(user_cache() if cache == "user" else Path(cache)) as opened:
        yield opened


def watched(results: Iterable[Result], progress: bool | Progress) -> Iterator[Result]:
    """Pass results on, and tell how many there are."""
    if progress is False:
        yield from results
    elif progress is True:
        from rich.progress import track

        yield from track(results, description="scoring", transient=True)
    else:
        for count, result in enumerate(results, 1):
            yield result
            progress(count)
