"""Bootstrap of the agreement with people: over documents, over systems, or over both.

Documents, or systems, or each by itself, are drawn with replacement, as many as there are
(Deutsch et al. 2021, "A statistical analysis of summarization evaluation metrics using resampling
methods"). All measures see the same draws, so that the difference of two has an interval too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from tricolore.arrays import Floats, Ints
from tricolore.data.grid import Grid
from tricolore.meta.choices import Coefficient, Level, Over, Statistic
from tricolore.meta.correlation import settled
from tricolore.meta.intervals import interval
from tricolore.meta.levels import by_document, document_sets
from tricolore.meta.numeric.kendall_form import KendallForm
from tricolore.meta.numeric.small_sets import correlate_sets
from tricolore.meta.numeric.weighted import SortedNumbers, WeightedPairs, reuse_freed_memory

_AT_ONCE = 1 << 18  # weights in a matrix: about what a processor's cache holds

__all__ = ["Resamples", "bootstrap", "counts", "draw_resamples", "interval"]


@dataclass(frozen=True)
class Resamples:
    """How often each document and each system was drawn: names × resamples; None if all once."""

    documents: Floats | None
    systems: Floats | None
    resamples: int

    def weights(self, doc: Ints, system: Ints) -> Floats:
        """How often each row is in each resample."""
        if self.documents is None or self.systems is None:
            given, of = (self.systems, system) if self.documents is None else (self.documents, doc)
            assert given is not None
            return given.take(of, axis=0)
        return self.documents.take(doc, axis=0) * self.systems.take(system, axis=0)

    def pieces(self, rows: int) -> Iterator[tuple[slice, Self]]:
        """Some resamples at a time, so that a matrix of rows × resamples stays small."""
        some = max(16, _AT_ONCE // max(1, rows))
        for at in range(0, self.resamples, some):
            these = slice(at, min(at + some, self.resamples))
            documents = None if self.documents is None else self.documents[:, these]
            systems = None if self.systems is None else self.systems[:, these]
            yield these, type(self)(documents, systems, these.stop - at)


def draw_resamples(grid: Grid, over: Over, *, resamples: int = 1000, seed: int = 0) -> Resamples:
    """Draw the documents, the systems, or both; the seed decides."""
    rng = np.random.default_rng(seed)
    documents = counts(rng, len(grid.documents), resamples) if over != "systems" else None
    systems = counts(rng, len(grid.systems), resamples) if over != "documents" else None
    return Resamples(documents, systems, resamples)


def counts(rng: np.random.Generator, size: int, resamples: int) -> Floats:
    """How often each of some things is drawn, as many as there are: things × resamples."""
    drawn = rng.integers(0, size, (resamples, size)) + size * np.arange(resamples)[:, None]
    found = np.bincount(drawn.ravel(), minlength=size * resamples).reshape(resamples, size)
    return np.ascontiguousarray(found.T, dtype=float)


def bootstrap(
    columns: Sequence[ArrayLike],
    human: ArrayLike,
    grid: Grid,
    level: Level,
    statistic: Statistic,
    draws: Resamples,
) -> Floats:
    """The statistic of every measure's column in every resample: columns × resamples.

    NaN where it is undefined in a resample. Rows without both values are left out.
    """
    reuse_freed_memory()
    y = np.asarray(human, dtype=float)
    made = np.full((len(columns), draws.resamples), np.nan)
    for known, places in _alike(columns, y).items():
        rows = np.frombuffer(known, dtype=bool)
        some = [np.asarray(columns[at], dtype=float)[rows] for at in places]
        if not rows.any():
            continue
        made[places] = _resampled(some, y[rows], grid.keep(rows), level, statistic, draws)
    return made


def _alike(columns: Sequence[ArrayLike], human: Floats) -> dict[bytes, list[int]]:
    """The columns by which of their rows have both values: most often all columns are alike."""
    found: dict[bytes, list[int]] = {}
    for at, column in enumerate(columns):
        known = np.isfinite(np.asarray(column, dtype=float)) & np.isfinite(human)
        found.setdefault(known.tobytes(), []).append(at)
    return found


def _resampled(
    columns: list[Floats],
    y: Floats,
    grid: Grid,
    level: Level,
    statistic: Statistic,
    draws: Resamples,
) -> Floats:
    if level == "document":
        return np.stack([_documents(x, y, grid, statistic, draws) for x in columns])
    if level == "system":
        return np.stack([_systems(x, y, grid, statistic, draws) for x in columns])
    if statistic == "mae":
        return np.concatenate(
            [
                _mean_errors(columns, y, some.weights(grid.doc, grid.system))
                for _, some in draws.pieces(len(y))
            ],
            axis=1,
        )
    return _pooled(columns, y, grid, statistic, draws)


def _pooled(
    columns: list[Floats], y: Floats, grid: Grid, coefficient: Coefficient, draws: Resamples
) -> Floats:
    """Summary level."""
    numbers = SortedNumbers(y)
    pairs = [WeightedPairs(SortedNumbers(x), numbers) for x in columns]
    grouped = _one_factor(grid, draws)
    if grouped and coefficient.startswith("kendall"):
        group, weights = grouped
        if 4 * len(weights) < len(y):
            forms = (KendallForm(pair, group, len(weights)) for pair in pairs)
            return np.stack([form.correlate(weights, coefficient) for form in forms])
    made = np.empty((len(columns), draws.resamples))
    for these, some in draws.pieces(len(y)):
        weights = some.weights(grid.doc, grid.system)
        ranks = numbers.ranks(weights) if coefficient == "spearman" else None
        for at, pair in enumerate(pairs):
            made[at, these] = pair.correlate(weights, coefficient, ranks)
    return made


def _one_factor(grid: Grid, draws: Resamples) -> tuple[Ints, Floats] | None:
    if draws.systems is None and draws.documents is not None:
        return grid.doc, draws.documents
    if draws.documents is None and draws.systems is not None:
        return grid.system, draws.systems
    return None


def _mean_errors(columns: list[Floats], y: Floats, weights: Floats) -> Floats:
    errors = np.stack([np.abs(x - y) for x in columns])
    with np.errstate(invalid="ignore"):
        found: Floats = (errors @ weights) / weights.sum(axis=0)
    return found


def _documents(x: Floats, y: Floats, grid: Grid, statistic: Statistic, draws: Resamples) -> Floats:
    """Document level: the mean over the documents drawn, each with the systems drawn."""
    if draws.systems is None:
        assert draws.documents is not None
        return _mean_of_drawn(by_document(x, y, grid, statistic)[:, None], draws.documents)
    made = np.empty(draws.resamples)
    for these, some in draws.pieces(len(y)):
        each = np.full((len(grid.documents), some.resamples), np.nan)
        for documents, rows in document_sets(grid):
            assert some.systems is not None
            weights = some.systems.take(grid.system[rows], axis=0)
            each[documents] = _within(x[rows], y[rows], statistic, weights)
        made[these] = _mean_of_drawn(each, some.documents)
    return made


def _within(x: Floats, y: Floats, statistic: Statistic, weights: Floats) -> Floats:
    if statistic != "mae":
        return correlate_sets(x, y, statistic, weights)
    with np.errstate(invalid="ignore"):
        found: Floats = np.einsum("sm,smr->sr", np.abs(x - y), weights) / weights.sum(axis=1)
    return found


def _mean_of_drawn(each: Floats, documents: Floats | None) -> Floats:
    """The mean of the documents' values that are defined: documents × (1 or resamples)."""
    drawn = np.ones((len(each), 1)) if documents is None else documents
    defined = np.isfinite(each)
    with np.errstate(invalid="ignore"):
        found: Floats = (np.where(defined, each, 0.0) * drawn).sum(axis=0) / (defined * drawn).sum(
            axis=0
        )
    return found


def _systems(x: Floats, y: Floats, grid: Grid, statistic: Statistic, draws: Resamples) -> Floats:
    """System level: the means over the documents drawn, of the systems drawn."""
    made = np.empty(draws.resamples)
    for these, some in draws.pieces(len(grid.systems) ** 2):
        means = system_means_of(np.stack([x, y]), grid, some)
        drawn = None if some.systems is None else np.ascontiguousarray(some.systems.T)
        if statistic == "mae":
            made[these] = _mean_of_drawn(np.abs(means[0] - means[1]).T, some.systems)
        else:
            weights = None if drawn is None else drawn[:, :, None]
            sets = [np.broadcast_to(m, (some.resamples, m.shape[1])) for m in means]
            made[these] = correlate_sets(sets[0], sets[1], statistic, weights)[:, 0]
    return made


def system_means_of(columns: Floats, grid: Grid, draws: Resamples) -> Floats:
    """The mean of each column for each system over the documents drawn: columns × r × systems.

    NaN for a system none of whose documents was drawn. r is 1 if no documents are drawn.
    """
    cells = grid.system * len(grid.documents) + grid.doc
    shape = (len(grid.systems), len(grid.documents))
    drawn = np.ones((shape[1], 1)) if draws.documents is None else draws.documents
    counts = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape) @ drawn
    counts = np.where(counts > 0, counts, np.nan)
    sums = (
        np.bincount(cells, weights=column, minlength=shape[0] * shape[1]).reshape(shape) @ drawn
        for column in columns
    )
    return np.stack([settled((total / counts).T) for total in sums])
