"""Holm's correction for several tests."""

import pytest

from tricolore.meta.holm import holm

NAN = float("nan")


def test_holm_by_hand():
    # Sorted 0.01 0.02 0.03 0.04 times 4 3 2 1: 0.04 0.06 0.06 0.04, never falling: ... 0.06
    assert holm([0.02, 0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.06, 0.04, 0.06])
    assert holm([0.5, NAN, 0.4]) == pytest.approx([0.8, NAN, 0.8], nan_ok=True)
    assert holm([0.9, 0.8]).max() == 1.0
    assert holm([]).size == 0
