"""What every study gives."""

import numpy as np
import pytest

from tricolore.api import studies
from tricolore.data.score_table import ScoreTable


def test_warnings_are_below_the_table():
    table = ScoreTable.of(["1", "2", "2"], ["a", "a", "a"], {"chrf": [1, 2, 3]})
    study = studies.ranges(table)
    [warning] = study.warnings
    assert "1 row has the same document and system" in warning
    assert study.table.notes[-1] == warning


def of_systems(count):
    """Six documents, each with a summary of every system."""
    rng = np.random.default_rng(0)
    n = 6 * count
    return ScoreTable.of(
        [str(at // count) for at in range(n)],
        [str(at % count) for at in range(n)],
        {name: rng.normal(size=n) for name in ("rouge-1", "chrf", "length")},
        {"people": rng.normal(size=n)},
    )


@pytest.mark.parametrize(
    ("call", "where"),
    [
        (lambda table: studies.mixes(table, resamples=9), "over systems"),
        (lambda table: studies.mixes(table, level="document", resamples=9), "within a document"),
        (lambda table: studies.scaling(table, resamples=9), "over systems"),
        (lambda table: studies.complementarity(table), "within a document"),
        (lambda table: studies.complementarity(table, rank="system"), "over systems"),
        (lambda table: studies.spurious(table, level="system"), "over systems"),
    ],
)
def test_few_systems_are_noted(call, where):
    note = f"Only 3 systems: a correlation {where} says little."
    few, enough = call(of_systems(3)), call(of_systems(5))
    assert note in few.table.notes
    assert note in few.table.latex()
    assert not any("says little" in each for each in enough.table.notes)


@pytest.mark.parametrize(
    "call",
    [
        lambda table: studies.mixes(table, level="summary", resamples=9),
        lambda table: studies.complementarity(table, rank="summary"),
        lambda table: studies.spurious(table),
    ],
)
def test_where_summaries_are_correlated_few_systems_do_not_matter(call):
    assert not any("systems" in note for note in call(of_systems(3)).table.notes)
