"""Bootstrap of partial correlations: the same resamples as for plain ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from tricolore.arrays import Floats
from tricolore.data.grid import Grid
from tricolore.meta.bootstrap import Resamples, columns_by_rows, mean_of_drawn, system_means_of
from tricolore.meta.choices import Level, PartialCoefficient
from tricolore.meta.levels import document_sets
from tricolore.meta.numeric.weighted import reuse_freed_memory
from tricolore.meta.numeric.weighted_partial import CentredColumn, ControlledScores
from tricolore.meta.partial import partial_by_document


def partial_bootstrap(
    columns: Sequence[ArrayLike],
    human: ArrayLike,
    controls: Sequence[ArrayLike],
    grid: Grid,
    level: Level,
    coefficient: PartialCoefficient,
    draws: Resamples,
) -> Floats:
    """The partial correlation of every measure's column in every resample: columns × resamples.

    NaN where it is undefined in a resample. Rows that lack a number are left out.
    """
    reuse_freed_memory()
    held = np.stack([np.asarray(control, float) for control in controls])
    y = np.where(np.isfinite(held).all(axis=0), np.asarray(human, float), np.nan)
    found = np.full((len(columns), draws.resamples), np.nan)
    level_of = {"summary": _pooled, "document": _documents, "system": _systems}[level]
    for key, numbers in columns_by_rows(columns, y).items():
        rows = np.frombuffer(key, dtype=bool)
        if not rows.any():
            continue
        values = np.stack([np.asarray(columns[number], float)[rows] for number in numbers])
        shared = np.concatenate([y[None, rows], held[:, rows]])
        found[numbers] = level_of(values, shared, grid.keep(rows), coefficient, draws)
    return found


def _pooled(
    values: Floats, shared: Floats, grid: Grid, coefficient: PartialCoefficient, draws: Resamples
) -> Floats:
    """Summary level; `shared` are the human scores and the controls."""
    human, *controls = (CentredColumn(column, coefficient) for column in shared)
    measures = [CentredColumn(column, coefficient) for column in values]
    found = np.empty((len(values), draws.resamples))
    for these, piece in draws.pieces(len(grid)):
        scores = ControlledScores(human, controls, piece.weights(grid.doc, grid.system))
        for number, measure in enumerate(measures):
            found[number, these] = scores.correlate(measure)
    return found


def _documents(
    values: Floats, shared: Floats, grid: Grid, coefficient: PartialCoefficient, draws: Resamples
) -> Floats:
    """Document level: the mean over the resampled documents, each with the resampled systems."""
    if draws.systems is None:
        assert draws.documents is not None
        by_document = (
            partial_by_document(np.stack([column, *shared]), grid, coefficient) for column in values
        )
        return np.stack([mean_of_drawn(each[:, None], draws.documents) for each in by_document])
    found = np.empty((len(values), draws.resamples))
    sets = document_sets(grid)
    for these, piece in draws.pieces(len(grid)):
        each = np.full((len(values), len(grid.documents), piece.resamples), np.nan)
        for documents, rows in sets:
            assert piece.systems is not None
            weights = piece.systems.take(grid.system[rows], axis=0)
            human, *controls = (CentredColumn(column[rows], coefficient) for column in shared)
            scores = ControlledScores(human, controls, weights)
            for number, column in enumerate(values):
                each[number, documents] = scores.correlate(CentredColumn(column[rows], coefficient))
        found[:, these] = [mean_of_drawn(one, piece.documents) for one in each]
    return found


def _systems(
    values: Floats, shared: Floats, grid: Grid, coefficient: PartialCoefficient, draws: Resamples
) -> Floats:
    """System level: the means of the resampled systems over the resampled documents."""
    found = np.empty((len(values), draws.resamples))
    for these, piece in draws.pieces(len(grid.systems) ** 2):
        means = system_means_of(np.concatenate([shared, values]), grid, piece)
        means = np.broadcast_to(means, (len(means), piece.resamples, len(grid.systems)))
        drawn = np.ones((len(grid.systems), 1)) if piece.systems is None else piece.systems
        known = np.isfinite(means[0])  # a system may have no document in a resample
        weights = np.where(known, drawn.T, 0.0)[:, :, None]
        means = np.where(known, means, 0.0)
        human, *rest = (CentredColumn(column, coefficient) for column in means)
        scores = ControlledScores(human, rest[: len(shared) - 1], weights)
        for number, measure in enumerate(rest[len(shared) - 1 :]):
            found[number, these] = scores.correlate(measure)[:, 0]
    return found
