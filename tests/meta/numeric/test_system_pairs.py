"""Pairs of systems on resampled documents."""

import numpy as np
import pytest

from tricolore.data.score_table import ScoreTable
from tricolore.meta.numeric.system_pairs import smallest_p
from tricolore.meta.system_tests import compare_system_pairs

NAN = float("nan")


def table(values, column="coverage"):
    """A table from system -> the values of documents 0, 1, ..."""
    cells = [(str(d), s, v) for s, row in values.items() for d, v in enumerate(row)]
    docs, systems, numbers = zip(*cells, strict=True)
    return ScoreTable.of(docs, systems, {column: numbers})


def test_pieces_and_blocks_do_not_change_the_figures(monkeypatch):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(4, 20))
    rows[1, 3] = rows[2, 5] = NAN
    made = table(dict(zip("abcd", rows, strict=True)))
    whole = compare_system_pairs(made, "coverage", resamples=300)
    monkeypatch.setattr("tricolore.meta.system_tests._KEPT", 600)  # two pairs at a time
    monkeypatch.setattr("tricolore.meta.numeric.system_pairs._AT_ONCE", 1)  # 16 draws at a time
    again = compare_system_pairs(made, "coverage", resamples=300)
    for one, other in zip(again, whole, strict=True):
        assert (one.p, one.low, one.high) == pytest.approx((other.p, other.low, other.high))


def test_least_p():
    # All of 4 documents swapped or none: 2 of 16. 1000 drawn: none as large but the observed.
    assert smallest_p(4, 8) == 2 / 16
    assert smallest_p(4, 7) == 1 / 8
    assert smallest_p(100, 999) == 1 / 1000
    assert smallest_p(1, 1) == 1
