"""What the figures of an atlas say of a measure."""

import math

from tricolore.meta.atlas_figures import AtlasCost, AtlasFigures


def test_costs_and_judges():
    figures = AtlasFigures(
        {"a": "higher", "b": "lower", "c": "neither", "d": "higher"}, controls=("d",)
    )
    figures.costs.append(AtlasCost("s", "a", 0.5, 10, 20, 5, 0.0, 0.0))
    assert figures.seconds("s", "a") == 0.5
    assert math.isnan(figures.seconds("t", "a"))
    assert [figures.judges(name) for name in "abcde"] == [True, True, False, False, False]
