"""The casing of words."""

from tricolore.perturb.casing import casing, fits


def test_casing():
    assert casing("É") == "capital first"
    assert casing("A1") == "capital first"
    assert not fits("FBI", "Tom")
