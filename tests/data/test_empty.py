"""How an empty summary counts."""

import math

import pytest

from tricolore.data.empty import (
    UNBOUNDED,
    check_empty,
    empty_notes,
    has_worst,
    worst_value,
)


def test_the_worst_bound_or_the_worst_value_that_was_observed():
    assert worst_value("higher", (0, 1), (0.2, 0.9)) == 0
    assert worst_value("lower", (0, 1), (0.2, 0.9)) == 1
    assert worst_value("higher", UNBOUNDED, (-2.5, 3)) == -2.5
    assert math.isnan(worst_value("neither", (0, 1), (0.2, 0.9)))
    assert math.isnan(worst_value("lower", UNBOUNDED, UNBOUNDED))  # nothing was observed


def test_notes():
    assert empty_notes({"a": 0}, "worst") == []
    assert empty_notes({"a": 1, "b": 0}, "worst") == [
        "1 empty summary, which counts as the worst possible value: a 1."
    ]
    assert empty_notes({"a": 1, "": 2}, "skip") == ["3 empty summaries, left out: a 1, (none) 2."]
    assert empty_notes({"a": 2}, "worst", ["length"])[1:] == [
        "Neither way is better, so empty summaries are left out: length."
    ]


def test_another_way():
    check_empty("skip")
    with pytest.raises(ValueError, match="empty is one of worst, skip, not 'zero'"):
        check_empty("zero")


def test_a_count_has_no_worst_value_and_the_note_says_so():
    assert has_worst("higher", (0, math.inf))
    assert not has_worst("lower", (0, math.inf))
    assert not has_worst("neither", (0, 1))
    notes = empty_notes({"a": 2}, "worst", unbounded={"estime": 17.0, "other": math.nan})
    assert notes[1] == (
        "estime has no worst possible value: empty summaries count as the worst value of all rows "
        "here (17)."
    )
    assert "there is none" in notes[2]
