import dataclasses

import pytest

from tricolore import Measure, get_measure, get_measures
from tricolore.errors import SpecError
from tricolore.registry import entries, split_specs


@pytest.mark.parametrize("name", sorted(entries()))
def test_every_measure_describes_itself(name):
    made = get_measure(name)
    assert made.name == name == made.label
    assert made.direction in ("higher", "lower", "neither")
    low, high = made.bounds
    assert low < high
    assert made.needs <= {"source", "references", "corpus", "training"}
    assert made.cost
    assert set(made.signature()) >= {"measure", "tricolore", "revision", *made.settings}


@pytest.mark.parametrize("name", sorted(entries()))
def test_a_label_is_a_spec_that_makes_the_same_measure(name):
    made = get_measure(name)
    assert get_measure(made.label) == made


@pytest.mark.parametrize("name", sorted(entries()))
def test_every_preset_can_be_asked_for_and_is_shortest_in_the_label(name):
    for preset in type(get_measure(name)).presets:
        made = get_measure(f"{name}:preset={preset}")
        assert get_measure(made.label) == made
        assert made.label in (name, f"{name}:preset={preset}") or made.label.count("=") == 1


def test_defaults_are_the_first_preset():
    for name in entries():
        made = get_measure(name)
        if made.presets:
            first = next(iter(made.presets))
            assert get_measure(f"{name}:preset={first}") == made


def test_a_setting_overrides_its_preset():
    made = get_measure("coverage:preset=released,matching=exact")
    assert made == get_measure("coverage:matching=exact")


def test_one_list_separates_measures_and_settings():
    assert split_specs("rouge, importance:n=3,weighting=bm25 ,chrf") == [
        "rouge",
        "importance:n=3,weighting=bm25",
        "chrf",
    ]
    labels = [m.label for m in get_measures("rouge-2:stem=true,stop_words=smart,coverage")]
    assert labels == ["rouge-2:stem=true,stop_words=smart", "coverage"]


def test_a_group_passes_its_settings_on_and_nothing_comes_twice():
    labels = [m.label for m in get_measures("rouge:stem=true,rouge-2-stem,rouge-l")]
    assert labels == ["rouge-1:stem=true", "rouge-2:stem=true", "rouge-l:stem=true", "rouge-l"]


def test_the_thesis_names():
    assert get_measure("ROUGE-W-STOP-P") == get_measure("rouge-w:stop_words=smart,value=precision")
    assert get_measure("rouge-1-stem-stop-r") == get_measure(
        "rouge-1:stem=true,stop_words=smart,value=recall"
    )


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("coverge", "did you mean 'coverage'?"),
        ("rouge-5", "there is no measure 'rouge-5'"),
        ("rouge-1-stop-stem", "there is no measure 'rouge-1-stop-stem'"),
        ("coverage:matchin=exact", "did you mean 'matching'?"),
        ("coverage:matching=fuzzy", "must be one of exact, greedy"),
        ("rouge-1:stem=perhaps", "must be true or false"),
        ("importance:n=three", "must be a whole number"),
        ("coverage:preset=draft", "it has: paper, released"),
        ("coverage:exact", "write name=value"),
        ("", "no measure is named"),
        (" , ", "no measure is named"),
    ],
)
def test_what_does_not_fit_is_said(spec, words):
    with pytest.raises(SpecError, match=r"^[^\n]+$") as error:
        get_measures(spec)
    assert words in str(error.value)


def test_a_measure_is_its_settings():
    one = get_measure("coverage:matching=greedy")
    assert one == get_measure("coverage:matching=greedy")
    assert one != get_measure("coverage")
    assert hash(one) == hash(get_measure("coverage:matching=greedy"))
    assert dataclasses.replace(one, matching="exact") == get_measure("coverage")
    assert isinstance(one, Measure)
    assert get_measures([one, "coverage"]) == [one, get_measure("coverage")]
