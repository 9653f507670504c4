"""Random orders of documents, and the means of systems over them."""

import numpy as np
import pytest

from tricolore.data.grid import Grid
from tricolore.meta.numeric.document_draws import random_orders, system_means
from tricolore.meta.scaling import scaling


def test_orders_are_nested_and_follow_the_seed():
    place = random_orders(50, 7, 3)
    assert (np.sort(place, axis=1) == np.arange(7)).all()
    assert (place == random_orders(50, 7, 3)).all()
    assert (place != random_orders(50, 7, 4)).any()


def test_rounding_makes_no_order():
    # 0.1 + 0.2 + 0.3 in another order is another number; both systems have the mean 0.2
    grid = Grid.of(["d1", "d2", "d3"] * 3, ["a"] * 3 + ["b"] * 3 + ["c"] * 3)
    values = [0.1, 0.2, 0.3, 0.3, 0.2, 0.1, 9, 9, 9]
    found = system_means(grid.matrix(values), np.ones((1, 3), bool))
    assert found.tolist() == [[0.2, 0.2, 9.0]]
    everything = scaling(values, [1, 1, 1, 2, 2, 2, 3, 3, 3], grid, sizes=[3], draws=3)
    # ranks 1.5, 1.5, 3 against 1, 2, 3: ρ = 1.5 / √(1.5 · 2)
    assert everything.mean[0] == pytest.approx(1.5 / np.sqrt(3))
