"""Rows as a matrix of systems and documents."""

import numpy as np

from tricolore.data.grid import Grid


def test_matrix_with_missing_and_repeated_cells():
    grid = Grid.of(["1", "2", "1", "1"], ["a", "a", "b", "b"])
    made = grid.matrix([1, 2, 3, 5])
    assert made[0].tolist() == [1, 2]
    assert made[1, 0] == 4
    assert np.isnan(made[1, 1])
