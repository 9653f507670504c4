from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example
from tricolore.measures.redundancy import Redundancy

texts = st.lists(st.sampled_from("abcde"), min_size=4, max_size=20).map(" ".join)


def test_by_hand() -> None:
    # Trigrams of a b c a b c d: abc bca cab abc bcd: one of five has been there before.
    [score] = Redundancy().score([Example(summary="a b c a b c d")])
    assert score.value == pytest.approx(1 / 5)
    # Words: a b c come again, 3 of 7. Bigrams: ab bc ca ab bc cd: 2 of 6. No 4-gram does.
    assert score.parts == pytest.approx(
        {"repeated_1": 3 / 7, "repeated_2": 2 / 6, "repeated_3": 1 / 5, "repeated_4": 0}
    )


def test_released_counts_distinct_ones() -> None:
    # Of the four distinct trigrams abc bca cab bcd, one is there more than once.
    released = Redundancy(**Redundancy.presets["released"])
    assert released.score([Example(summary="a b c a b c d")])[0].value == 1 / 4
    assert Redundancy(n=1).score([Example(summary="The the")])[0].value == 1 / 2
    assert Redundancy(n=1, lowercase=False).score([Example(summary="The the")])[0].value == 0


@given(texts, st.sampled_from(["repeats", "distinct"]))
def test_bounds(summary: str, counting: str) -> None:
    [score] = Redundancy(counting=counting).score([Example(summary=summary)])
    assert 0 <= score.value <= 1
    # A run can only come again if the run of its first words does.
    if score.parts["repeated_1"] == 0:
        assert set(score.parts.values()) == {0}


@given(st.permutations("abcdefgh"))
def test_nothing_is_said_twice(summary: list[str]) -> None:
    assert Redundancy().score([Example(summary=" ".join(summary))])[0].value == 0


@given(texts)
def test_saying_all_twice_repeats_about_half(summary: str) -> None:
    # All trigrams of the first half come again: at least as many as there are in it.
    cut = summary.split()
    [score] = Redundancy().score([Example(summary=f"{summary} {summary}")])
    assert score.value >= (len(cut) - 2) / (2 * len(cut) - 2) - 1e-12


def test_evidence_points_at_both_places() -> None:
    summary = "We left, we left."
    [score] = Redundancy(n=2).score([Example(summary=summary)], evidence=True)
    [span] = score.evidence
    assert span.match is not None
    assert (summary[span.start : span.end], span.label) == ("we left", "repeated")
    assert summary[span.match.start : span.match.end] == "We left"


def test_settings_and_rows_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match="n must be 1 or more, not -1"):
        Redundancy(n=-1)
    short, long = Redundancy().score([Example(summary="a b"), Example(summary="a b c")])
    assert short.problem == "the summary has 2 words, too few for n=3"
    assert long.value == 0
    assert math.isnan(long.parts["repeated_4"])
    [six] = Redundancy(n=6).score([Example(summary="a a a a a a a")])
    assert six.value == 1 / 2
