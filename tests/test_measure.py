"""What every measure declares and does."""

import pytest

from tests.api.plain_lookup import PlainLookup
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


@pytest.mark.parametrize("name", entries())
def test_every_measure_says_what_it_means_in_a_line(name):
    meaning = get_measure(name).meaning
    assert meaning[0].isupper()
    assert not meaning.endswith((".", " "))
    assert 20 < len(meaning) < 120
    assert "\n" not in meaning


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("rouge-2", "pairs of words that summary and reference have"),
        ("rouge-2:against=source", "pairs of words that summary and source have"),
        ("bert-score", "summary and reference"),
        ("bert-score:against=source", "summary and source"),
        ("novelty:n=3", "sequences of 3 words"),
        ("novelty:n=1", "the summary's words that"),
    ],
)
def test_the_meaning_depends_on_settings(spec, words):
    assert words in get_measure(spec).meaning


def test_measures_that_follow_copying_or_length_say_so():
    found = {name: get_measure(name).follows for name in entries()}
    assert {name: follows for name, follows in found.items() if follows} == {
        "coverage": "copying",
        "density": "copying",
        "grounding": "copying",
        "novelty": "copying",
        "compression": "length",
        "jensen-shannon": "length",
        "length": "length",
    }


def test_which_measures_find_items():
    found = {name: set(get_measure(name).finds) for name in entries()}
    assert {name for name, items in found.items() if items} == {"grounding", "nli"}
    assert found["grounding"] == set(PlainLookup().finds)
