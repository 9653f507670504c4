"""Statistics of clean and damaged twins; every expected number is computed by hand."""

import math

import pytest

from tricolore.meta.sensitivity import DamagedPairs, Location
from tricolore.score import Score, Span


def twins(clean, damaged, direction="higher"):
    made = DamagedPairs(direction)
    for a, b in zip(clean, damaged, strict=True):
        made.add(Score(a), Score(b))
    return made.sensitivity()


def test_a_measure_that_tells_them_apart():
    found = twins([3.0, 4.0], [1.0, 2.0])
    # Ranks 3, 4, 1, 2 and labels 1, 1, 0, 0, of ranks 3.5, 3.5, 1.5, 1.5:
    # covariance (0.5 + 1.5 + 1.5 + 0.5) / 4 = 1, deviations √1.25 and 1: ρ = 1 / √1.25.
    assert found.spearman.value == pytest.approx(1 / math.sqrt(1.25))
    # 4 concordant pairs: τ-c = 2 · 4 / (4² · (2 - 1) / 2) = 1.
    assert found.kendall.value == pytest.approx(1.0)
    assert found.auc.value == 1.0
    assert found.worse == 1.0


def test_lower_is_better_is_negated():
    assert twins([1.0, 2.0], [3.0, 4.0], "lower").kendall.value == pytest.approx(1.0)
    assert twins([1.0, 2.0], [3.0, 4.0], "higher").kendall.value == pytest.approx(-1.0)


def test_ties_are_not_worse():
    found = twins([1.0, 5.0, 3.0, 2.0], [1.0, 4.0, 6.0, 1.0])
    assert found.worse == 0.5  # two of four
    assert found.share.tied == 0.25


def test_a_pair_without_one_value_is_left_out():
    found = twins([1.0, math.nan, 3.0], [0.0, 5.0, 2.0])
    assert (found.pairs, found.left_out) == (2, 1)
    # Of 1, 3 and 0, 2: 1 > 0, 3 > 0, 3 > 2, but 1 < 2.
    assert found.auc.value == 0.75


def test_no_pairs_at_all():
    found = twins([], [])
    assert math.isnan(found.spearman.value)
    assert math.isnan(found.worse)


def test_location():
    seen = Location()
    #           0123456789012345678
    summary = "one two three four"
    spans = [Span("summary", 3, 5), Span("summary", 7, 8), Span("source", 4, 7)]
    seen.add(summary, [(4, 7), (8, 13), (18, 18)], spans)
    # (3, 5) reaches into "two", (7, 8) lies between; the one in the source is not asked.
    assert seen.precision == 0.5
    assert seen.recall == 0.5  # "three" is not pointed at; what was cut away is not asked
    assert seen.chance == 0.5  # two of four words
    assert math.isnan(Location().precision)


def test_evidence_that_finds_nothing_wrong_is_not_asked():
    seen = Location()
    spans = [
        Span("summary", 0, 3, kind="copied"),
        Span("summary", 0, 7, kind="fault", item="sentence"),
        Span("summary", 4, 7, kind="fault", item="name"),
    ]
    seen.add("one two", [(0, 3)], spans)
    assert (seen.spans, seen.hits, seen.found) == (1, 0, 0)


def test_evidence_of_a_measure_that_has_none_is_no_location():
    made = DamagedPairs("higher")
    made.add(Score(2.0), Score(1.0), "one two", [(0, 3)])
    assert made.sensitivity().location is None
