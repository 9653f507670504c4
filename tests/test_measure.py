"""What every measure declares and does."""

import pytest

from tricolore.registry import direction_of, entries, get_measure


@pytest.mark.parametrize("name", entries())
def test_directions_are_of_parts_that_exist(name):
    measure = get_measure(name)
    assert set(measure.part_directions) <= set(measure.part_names)


@pytest.mark.parametrize(
    ("column", "direction"),
    [
        ("importance.relevance", "higher"),
        ("importance.penalty", "higher"),
        ("importance.matched", "higher"),
        ("meteor.precision", "higher"),
        ("meteor.penalty", "lower"),
        ("meteor.chunks", "neither"),
        ("sbert.cosine", "higher"),
        ("chrf.recall", "higher"),
        ("rouge-2.recall", "higher"),
        ("supert.precision", "higher"),
        ("blanc-help.improve", "higher"),
        ("blanc-help.s01", "neither"),
        ("estime.alarms_per_checked", "lower"),
        ("estime.coherence", "higher"),
        ("estime.checked", "neither"),
        ("estime:layers=1+2.soft_l2", "higher"),
        ("estime:layers=1+2.alarms_l1", "lower"),
        ("estime:value=soft.alarms", "lower"),
        ("jensen-shannon.source", "lower"),
        ("redundancy.repeated_2", "lower"),
        ("novelty.novel_1", "neither"),
        ("coverage.words", "neither"),
        ("importance-estime.estime", "lower"),
        ("importance.nothing", "neither"),
        ("not-a-measure.f1", "neither"),
    ],
)
def test_direction_of_a_part(column, direction):
    assert direction_of(column) == direction
