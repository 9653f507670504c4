"""What the use cases share: reading examples, the cache, where models run, and progress."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tricolore.data.columns import Columns
from tricolore.data.examples import ExampleFile, Examples
from tricolore.data.frames import examples_from
from tricolore.errors import CacheError, SpecError, TricoloreError
from tricolore.example import Example, Unreadable
from tricolore.measure import Measure, flatten
from tricolore.models.placement import Placement, current, placed
from tricolore.models.spending import TokenPrices, limited_cost
from tricolore.report.progress import ProgressMode
from tricolore.run.cache import Cache, user_cache
from tricolore.run.engine import Engine, Here
from tricolore.run.processes import PluginsApart, local_engine
from tricolore.run.run import Result, Run

Progress = Callable[[int, int | None], None]
"""Called after every row with the number of rows that are done, and of all rows if known."""

ProgressChoice = bool | ProgressMode | Progress
"""How progress is shown, or a function that is called with it."""

CacheChoice = Cache | str | Path | None
"""A cache, its directory, "user" for the one of the command line, or none ("off")."""

Measures = str | Iterable[str | Measure]
"""Measures, or specs that name them."""

_log = logging.getLogger(__name__)


def specs_of(measures: Measures) -> list[str | Measure]:
    """A list of measures and specs; a single spec may name several."""
    specs: list[str | Measure] = [measures] if isinstance(measures, str) else list(measures)
    for spec in specs:
        if not isinstance(spec, str | Measure):
            hint = 'give a spec, as in "rouge-1", or a Measure'
            raise SpecError(f"{spec!r} is not a measure", hint)
    return specs


def names_of(given: str | Iterable[str]) -> list[str]:
    """The names of a list, or of a text in which they are separated by commas, each once.

    >>> names_of("coherence, fluency,coherence"), names_of(["fluency"])
    (['coherence', 'fluency'], ['fluency'])
    """
    names = given.split(",") if isinstance(given, str) else given
    return list(dict.fromkeys(name.strip() for name in names if name.strip()))


def read_examples(
    data: Any,
    columns: Columns | Mapping[str, str] | None,
    *,
    needs: Iterable[str] = (),
    human: Iterable[str] = (),
    limit: int | None = None,
    encoding: str = "",
    twice: bool = True,
) -> Examples:
    """Examples from any kind of data; the log says which columns are read as what."""
    wanted = frozenset(needs) - {"corpus"}
    rows = examples_from(data, columns, needs=wanted, limit=limit, encoding=encoding, twice=twice)
    rows.require((), human=human)
    if line := rows.describe_columns():
        _log.info(line)
    for warning in rows.warnings:
        _log.warning("%s", warning, extra={"argument": f"choice.{warning.role}"})
    return rows


def notes_on_columns(rows: Examples) -> list[str]:
    """What was read from which column, and what may be wrong with it or with the file."""
    line = rows.describe_columns()
    return [*([line] if line else []), *map(str, rows.warnings), *rows.notes]


class RowsWithTotal:
    """The rows of examples, of which at least one must be readable, and how many there are."""

    def __init__(self, rows: Examples) -> None:
        self._rows = rows
        self._read = 0
        self._is_whole = False

    def __iter__(self) -> Iterator[Example | Unreadable]:
        self._read, self._is_whole = 0, False
        for row in self._rows.at_least_one():
            self._read += 1
            yield row
        self._is_whole = True

    def total(self) -> int | None:
        """The number of rows; while they are read, an estimate from the position in the file."""
        if self._is_whole:
            return self._read
        records = self._rows.records if isinstance(self._rows, ExampleFile) else None
        share = records.fraction if records else None
        if not share or not self._read:
            return None
        return min(round(self._read / share), self._rows.limit or 10**12)


@contextmanager
def opened_cache(cache: CacheChoice) -> Iterator[Cache | None]:
    """A cache that is closed afterwards, unless it was opened by the caller."""
    if cache is None or cache == "off":
        yield None
        return
    opened = cache if isinstance(cache, Cache) else _open(cache)
    try:
        yield opened
    except KeyboardInterrupt:
        if opened:
            lost = f", but {opened.lost} scores were not kept" if opened.lost else ""
            _log.warning("stopped; the same command goes on where it was%s", lost)
        raise
    finally:
        if opened and opened is not cache:
            opened.close()


def cache_directory(cache: CacheChoice) -> Path | None:
    """The directory of a cache, for processes that open it themselves.

    It is opened once here, so that what is wrong with it is said once.
    """
    with opened_cache(cache) as opened:
        return opened.path.parent if opened else None


def _open(place: str | Path) -> Cache | None:
    """A cache; none if the one of the user, which nobody asked for, cannot be created."""
    if place != "user":
        return Cache(Path(place))
    try:
        return Cache(user_cache())
    except CacheError as error:
        _log.warning("%s; this run goes on without", error, extra={"argument": "cache"})
        return None


@contextmanager
def placed_on(device: str = "", offline: bool = False) -> Iterator[Placement]:
    """Run models on this device within a block; what is not given stays as it is."""
    before = current()
    placement = replace(before, device=device or before.device, offline=offline or before.offline)
    with placed(placement):
        yield placement


def watched(
    results: Iterable[Result],
    progress: ProgressChoice,
    total: Callable[[], int | None] = lambda: None,
    working: Callable[[], str] = lambda: "",
) -> Iterator[Result]:
    """Pass results on, and report their number."""
    if callable(progress):
        for count, result in enumerate(results, 1):
            yield result
            progress(count, total())
        return
    from tricolore.report.progress import watched as with_bar

    yield from with_bar(
        results,
        total,
        progress_mode(progress),
        has_problem=lambda result: any(s.problem is not None for s in result.scores.values()),
        working=working,
    )


def progress_mode(progress: bool | ProgressMode) -> ProgressMode:
    """How progress is shown: a truth value means "auto" or "off"."""
    if isinstance(progress, str):
        return progress
    return "auto" if progress else "off"


@dataclass(frozen=True)
class ScoringRun:
    """A run that is under way: its results can be read once, while the block lasts."""

    run: Run
    examples: Examples
    results: Iterator[Result]


@contextmanager
def scoring(
    data: Any,
    specs: Sequence[str | Measure],
    *,
    columns: Columns | Mapping[str, str] | None = None,
    encoding: str = "",
    limit: int | None = None,
    evidence: bool = False,
    cache: CacheChoice = None,
    jobs: int = 1,
    timeout: float | None = None,
    engine: Engine | None = None,
    device: str = "",
    offline: bool = False,
    progress: ProgressChoice = False,
    max_cost: float | None = None,
) -> Iterator[ScoringRun]:
    """Score examples within a block; the arguments are those of `evaluate`."""
    if engine is not None and timeout is not None:
        raise TricoloreError("an engine has its own time limit: give one of engine and timeout")
    with placed_on(device, offline), opened_cache(cache) as opened, limited_cost(max_cost):
        made = engine or local_engine(jobs, timeout)
        run = Run(specs, cache=opened, engine=made, evidence=evidence)
        if max_cost is not None:
            run.engine = _limited_engine(made, run.measures)
        examples = read_examples(
            data,
            columns,
            needs=run.needs,
            limit=limit,
            encoding=encoding,
            twice=run.needs_corpus,
        )
        rows = RowsWithTotal(examples)
        results = run.score(rows)  # this also fits the measures that need it
        yield ScoringRun(run, examples, watched(results, progress, rows.total, run.activity.words))


def _limited_engine(engine: Engine, measures: Sequence[Measure]) -> Engine:
    """The engine of this process, where a cost limit holds; an error if it would limit nothing."""
    if not isinstance(engine, Here | PluginsApart):
        raise TricoloreError(
            "a cost limit holds within one process: give neither jobs nor a timeout with it",
            "requests are sent at the same time by the setting `concurrency`",
        )
    remote = [each for each in flatten(measures) if each.is_remote]
    if not remote:
        raise TricoloreError("a cost limit needs a measure that asks a service, such as judge")
    for measure in remote:
        if getattr(measure, "prices", TokenPrices()) == TokenPrices():
            raise TricoloreError(
                f"a cost limit needs prices, but {measure.label} has none",
                "give input_price and output_price, each for a million tokens",
            )
    return Here()
