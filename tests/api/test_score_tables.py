"""What is taken as scores."""

import math

import pytest

import tricolore
from tricolore.api.compare import compare
from tricolore.api.score_tables import settled_table
from tricolore.data.score_table import ScoreTable
from tricolore.errors import ReadError, TricoloreError


def test_what_counts_as_empty_is_settled_once():
    made = ScoreTable.of(["1", "1"], ["a", "b"], {"chrf": [5, math.nan]}, is_empty=[False, True])
    assert compare(made, resamples=9).comparisons["chrf"][0].difference == 5
    skipped = made.with_empty("skip")
    with pytest.raises(ReadError, match="a, b share no document with a value of chrf"):
        compare(skipped, resamples=9)
    with pytest.raises(TricoloreError, match="count as 'skip' already, not 'worst'"):
        settled_table(skipped, "worst")


def test_unreadable_rows_of_an_evaluation_are_counted():
    rows = [{"source": "a b", "summary": text, "system": text} for text in "ab"]
    found = compare(tricolore.evaluate([*rows, "broken"], "coverage"), resamples=9)
    assert "1 row could not be read and is left out." in found.table.notes
