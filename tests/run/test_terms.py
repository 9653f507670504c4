"""Sums in a run: their terms are scored once, for all that ask, and are what the cache keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tricolore import Example, Run, get_measure
from tricolore.example import Unreadable
from tricolore.run.cache import Cache
from tricolore.run.processes import local_engine

ROWS = [
    Example(source="a b c d e f", summary="a b c x", references="a b y z"),
    Example(source="a b c d e f", summary="", references="a b"),
    Example(source="a b c d e f", summary="a b", references=""),
    Example(source="", summary="a b", references="a b"),
    Example(source="q r s t u", summary="q r s t", references="q r s"),
]
SPECS = ["coverage", "coverage+rouge-1", "avg:(coverage-length)+density", "rouge-2"]


def test_the_same_as_when_asked_alone() -> None:
    results = list(Run(SPECS, evidence=True).score(ROWS))
    for spec in SPECS:
        alone = get_measure(spec).score(ROWS, evidence=True)
        assert repr([result.scores[spec] for result in results]) == repr(alone)
    assert all(list(result.scores) == SPECS for result in results)
    assert results[2].scores["coverage+rouge-1"].problem == "there is no reference"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_term_is_scored_once(tmp_path: Path, jobs: int) -> None:
    with Cache(tmp_path) as cache:
        run = Run(SPECS, cache=cache, engine=local_engine(jobs))
        first = list(run.score(ROWS))
        # coverage, rouge-1, length, density, rouge-2.
        assert (run.scored, run.reused) == (5 * len(ROWS), 0)
        again = Run(["length-coverage", *SPECS], cache=cache)
        second = list(again.score(ROWS))
        assert (again.scored, again.reused) == (0, 5 * len(ROWS))
    for one, two in zip(first, second, strict=True):
        assert repr(one.scores) == repr({spec: two.scores[spec] for spec in SPECS})
    assert second[0].scores["length-coverage"].value == 4 - 0.75


def test_a_row_that_cannot_be_read() -> None:
    [result] = Run(["coverage+length"]).score([Unreadable("it is not JSON")])
    assert result.scores["coverage+length"].problem == "it is not JSON"
