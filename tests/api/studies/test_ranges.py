"""The study of ranges from Python."""

import pytest

from tricolore.api import studies
from tricolore.errors import TricoloreError


def test_the_same_as_the_command(same_as_command, scores, evaluation):
    same_as_command(
        "ranges -m coverage",
        lambda given: studies.ranges(given, measures="coverage"),
        scores,
        evaluation,
    )


def test_data(scores):
    ranges = studies.ranges(scores)
    assert {one.kind for one in ranges.data["chrf"]} == {"lead", "rewrite", "careless"}


def test_a_figure_shows_one_measure(scores):
    with pytest.raises(TricoloreError, match="a figure shows one measure, not") as found:
        studies.ranges(scores).figure()
    assert "--" not in str(found.value)
