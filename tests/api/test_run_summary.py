"""What a run says at its end."""

import pytest

from tricolore.api.run_summary import RunSummary
from tricolore.report.result_table import ResultTable


def summary(**counts):
    return RunSummary(systems=ResultTable((), ()), **counts)


def test_a_run_without_problems_says_nothing():
    made = summary(rows=3, scored=3)
    assert not made.has_problems
    assert made.problem_lines == []
    assert (made.parts_line, made.cache_line) == ("", "")


def test_problems_are_counted_and_the_first_is_quoted():
    made = summary(rows=3, rows_with_problem=2, first_problem="the summary is empty")
    assert made.has_problems
    assert made.problem_lines == ["2 rows with a problem; the first: the summary is empty"]


def test_human_scores_that_are_no_numbers():
    made = summary(unusable_human={"'high' is not a number": 1})
    assert made.problem_lines == ["1 row without a human score: 'high' is not a number"]


@pytest.mark.parametrize(
    ("before", "line"),
    [(0, "3 parts finished."), (2, "3 parts finished, 2 of them by an earlier run.")],
)
def test_parts(before, line):
    assert summary(parts=3, parts_before=before).parts_line == line
