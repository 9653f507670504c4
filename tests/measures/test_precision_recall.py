from hypothesis import given
from hypothesis.strategies import floats

from tricolore.measures.precision_recall import harmonic_mean

COSINES = floats(-1, 1)


def test_f1():
    assert harmonic_mean(0.25, 0.75) == 0.375  # 2 · 0.1875 / 1
    assert harmonic_mean(0.0, 0.0) == 0
    assert harmonic_mean(0.3, -0.2) == -0.2


@given(COSINES, COSINES, COSINES)
def test_f1_never_falls_when_precision_rises(low, high, recall):
    low, high = sorted((low, high))
    assert harmonic_mean(low, recall) <= harmonic_mean(high, recall) + 1e-12
