"""Sums of the values of many systems."""

import numpy as np

from tricolore.report.system_sums import MeasureSums


def test_sums_by_hand():
    sums = MeasureSums(width=2, resamples=3)
    table = np.array([[1.0, 5.0], [1.0, 7.0], [1.0, 0.0], [1.0, 2.0]])
    places, sound = np.array([0, 1, 0, 0]), np.array([True, True, False, True])
    weights = np.array([[1.0, 0.0, 2.0], [1.0, 1.0, 1.0], [9.0, 9.0, 9.0], [0.0, 1.0, 0.0]])
    sums.add(2, places, table, sound)
    sums.resample(places, table, sound, weights)
    sums.note_documents(places, ["a", "b", "c", "a"], sound)
    assert sums.totals.tolist() == [[2, 7], [1, 7]]
    assert sums.missing.tolist() == [1, 0]
    # The rows of the first system with a value are 5 and 2; their weights 1 0 2 and 0 1 0.
    assert sums.resampled[0].tolist() == [[1, 5], [1, 2], [2, 10]]
    assert sums.documents == {0: {"a"}, 1: {"b"}}
    sums.add(5, np.array([4]), np.array([[1.0, 3.0]]), np.array([True]))
    assert sums.totals[4].tolist() == [1, 3]
    sums.forget_resamples()
    assert not sums.resampled
    assert not sums.documents
