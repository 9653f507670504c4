"""The earth mover's distance between two texts whose words are vectors (Kusner et al. 2015)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tricolore.arrays import Floats

TransportWeights = npt.NDArray[np.float64]


def transport(
    here: TransportWeights, there: TransportWeights, costs: Floats
) -> tuple[float, Floats]:
    """The least cost of moving one distribution to the other, and the flow that has it.

    Arguments:
        here: TransportWeights of the rows of `costs`, none negative; their sum is made 1.
        there: TransportWeights of its columns, likewise.
        costs: The cost of moving a unit from a row to a column.

    >>> here, there = np.array([1.0, 1.0]), np.array([3.0, 1.0])
    >>> cost, flow = transport(here, there, np.array([[0.0, 4.0], [1.0, 1.0]]))
    >>> round(cost, 6), flow.round(6).tolist()  # 0.5 stays; of the other 0.5, 0.25 goes each way
    (0.5, [[0.5, 0.0], [0.25, 0.25]])
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    rows, columns = np.asarray(costs).shape
    a, b = here / here.sum(), there / there.sum()
    at = np.arange(rows * columns)
    # One equation per row and per column; the last follows from the others.
    which = np.concatenate([at // columns, rows + at % columns])
    ones = np.ones(2 * rows * columns)
    equations = csr_array((ones, (which, np.tile(at, 2))), shape=(rows + columns, rows * columns))
    found = linprog(
        np.asarray(costs, dtype=np.float64).ravel(),
        A_eq=equations[:-1],
        b_eq=np.concatenate([a, b])[:-1],
        bounds=(0, None),
        method="highs-ds",
    )
    if not found.success:
        raise ArithmeticError(f"the earth mover's distance was not found: {found.message}")
    flow: Floats = np.asarray(found.x).reshape(rows, columns)
    return float(found.fun), flow


def euclidean(here: Floats, there: Floats) -> Floats:
    """The Euclidean distance of every row of one array to every row of the other."""
    a, b = np.asarray(here, dtype=np.float64), np.asarray(there, dtype=np.float64)
    squares = (a * a).sum(axis=1)[:, None] + (b * b).sum(axis=1) - 2 * a @ b.T
    found: Floats = np.sqrt(np.maximum(squares, 0.0))
    return found
