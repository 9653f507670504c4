"""Bootstrap of the agreement with human scores: over documents, over systems, or over both.

Documents, systems, or both independently are resampled with replacement, as many as there are
(Deutsch et al. 2021, "A statistical analysis of summarization evaluation metrics using resampling
methods"). All measures see the same resamples, so that the difference of two has an interval too.
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
    """How often each document and system is in a resample: names × resamples; None: once each."""

    documents: Floats | None
    systems: Floats | None
    resamples: int

    def weights(self, doc: Ints, system: Ints) -> Floats:
        """How often each row is in each resample."""
        if self.documents is None or self.systems is None:
            drawn, of = (self.systems, system) if self.documents is None else (self.documents, doc)
            assert drawn is not None
            return drawn.take(of, axis=0)
        return self.documents.take(doc, axis=0) * self.systems.take(system, axis=0)

    def pieces(self, rows: int) -> Iterator[tuple[slice, Self]]:
        """Some resamples at a time, so that a matrix of rows × resamples stays small."""
        size = max(16, _AT_ONCE // max(1, rows))
        for start in range(0, self.resamples, size):
            these = slice(start, min(start + size, self.resamples))
            documents = None if self.documents is None else self.documents[:, these]
            systems = None if self.systems is None else self.systems[:, these]
            yield these, type(self)(documents, systems, these.stop - start)


def draw_resamples(grid: Grid, over: Over, *, resamples: int = 1000, seed: int = 0) -> Resamples:
    """Resample the documents, the systems, or both, by the seed."""
    rng = np.random.default_rng(seed)
    documents = counts(rng, len(grid.documents), resamples) if over != "systems" else None
    systems = counts(rng, len(grid.systems), resamples) if over != "documents" else None
    return Resamples(documents, systems, resamples)


def counts(rng: np.random.Generator, size: int, resamples: int) -> Floats:
    """How often each of `size` items is in each resample: items × resamples."""
    drawn = rng.integers(0, size, (resamples, size)) + size * np.arange(resamples)[:, None]
    times_drawn = np.bincount(drawn.ravel(), minlength=size * resamples).reshape(resamples, size)
    return np.ascontiguousarray(times_drawn.T, dtype=float)


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
    statistics = np.full((len(columns), draws.resamples), np.nan)
    for key, numbers in columns_by_rows(columns, y).items():
        rows = np.frombuffer(key, dtype=bool)
        values = [np.asarray(columns[number], dtype=float)[rows] for number in numbers]
        if not rows.any():
            continue
        statistics[numbers] = _resampled(values, y[rows], grid.keep(rows), level, statistic, draws)
    return statistics


def columns_by_rows(columns: Sequence[ArrayLike], human: Floats) -> dict[bytes, list[int]]:
    """The columns, grouped by which rows have both values; most often there is one group."""
    groups: dict[bytes, list[int]] = {}
    for number, column in enumerate(columns):
        has_both = np.isfinite(np.asarray(column, dtype=float)) & np.isfinite(human)
        groups.setdefault(has_both.tobytes(), []).append(number)
    return groups


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
                _mean_errors(columns, y, piece.weights(grid.doc, grid.system))
                for _, piece in draws.pieces(len(y))
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
    coefficients = np.empty((len(columns), draws.resamples))
    for these, piece in draws.pieces(len(y)):
        weights = piece.weights(grid.doc, grid.system)
        ranks = numbers.ranks(weights) if coefficient == "spearman" else None
        for number, pair in enumerate(pairs):
            coefficients[number, these] = pair.correlate(weights, coefficient, ranks)
    return coefficients


def _one_factor(grid: Grid, draws: Resamples) -> tuple[Ints, Floats] | None:
    if draws.systems is None and draws.documents is not None:
        return grid.doc, draws.documents
    if draws.documents is None and draws.systems is not None:
        return grid.system, draws.systems
    return None


def _mean_errors(columns: list[Floats], y: Floats, weights: Floats) -> Floats:
    errors = np.stack([np.abs(x - y) for x in columns])
    with np.errstate(invalid="ignore"):
        means: Floats = (errors @ weights) / weights.sum(axis=0)
    return means


def _documents(x: Floats, y: Floats, grid: Grid, statistic: Statistic, draws: Resamples) -> Floats:
    """Document level: the mean over the resampled documents, each with the resampled systems."""
    if draws.systems is None:
        assert draws.documents is not None
        return mean_of_drawn(by_document(x, y, grid, statistic)[:, None], draws.documents)
    means = np.empty(draws.resamples)
    for these, piece in draws.pieces(len(y)):
        each = np.full((len(grid.documents), piece.resamples), np.nan)
        for documents, rows in document_sets(grid):
            assert piece.systems is not None
            weights = piece.systems.take(grid.system[rows], axis=0)
            each[documents] = _within(x[rows], y[rows], statistic, weights)
        means[these] = mean_of_drawn(each, piece.documents)
    return means


def _within(x: Floats, y: Floats, statistic: Statistic, weights: Floats) -> Floats:
    if statistic != "mae":
        return correlate_sets(x, y, statistic, weights)
    with np.errstate(invalid="ignore"):
        means: Floats = np.einsum("sm,smr->sr", np.abs(x - y), weights) / weights.sum(axis=1)
    return means


def mean_of_drawn(each: Floats, documents: Floats | None) -> Floats:
    """The mean of the documents' values that are defined: documents × (1 or resamples)."""
    drawn = np.ones((len(each), 1)) if documents is None else documents
    defined = np.isfinite(each)
    with np.errstate(invalid="ignore"):
        means: Floats = (np.where(defined, each, 0.0) * drawn).sum(axis=0) / (defined * drawn).sum(
            axis=0
        )
    return means


def _systems(x: Floats, y: Floats, grid: Grid, statistic: Statistic, draws: Resamples) -> Floats:
    """System level: the means of the resampled systems over the resampled documents."""
    statistics = np.empty(draws.resamples)
    for these, piece in draws.pieces(len(grid.systems) ** 2):
        means = system_means_of(np.stack([x, y]), grid, piece)
        drawn = None if piece.systems is None else np.ascontiguousarray(piece.systems.T)
        if statistic == "mae":
            statistics[these] = mean_of_drawn(np.abs(means[0] - means[1]).T, piece.systems)
        else:
            weights = None if drawn is None else drawn[:, :, None]
            sets = [np.broadcast_to(m, (piece.resamples, m.shape[1])) for m in means]
            statistics[these] = correlate_sets(sets[0], sets[1], statistic, weights)[:, 0]
    return statistics


def system_means_of(columns: Floats, grid: Grid, draws: Resamples) -> Floats:
    """The mean of each column per system over the resampled documents: columns × r × systems.

    NaN for a system without a document in the resample. r is 1 if documents are not resampled.
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
