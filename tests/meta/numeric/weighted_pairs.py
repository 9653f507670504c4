"""Random pairs of numbers with weights and groups."""

import numpy as np
from hypothesis import strategies as st

numbers = st.sampled_from([0.0, 1 / 3, 2 / 3, 1.0, 1.5, -2.0, 1e-3, 7.0])


@st.composite
def weighted_pairs(draw):
    n = draw(st.integers(1, 14))
    column = st.lists(numbers, min_size=n, max_size=n)
    weights = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    groups = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    return [np.array(draw(c), dtype=float) for c in (column, column, weights)] + [np.array(groups)]
