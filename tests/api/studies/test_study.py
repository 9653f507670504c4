"""What every study gives."""

from tricolore.api import studies
from tricolore.data.score_table import ScoreTable


def test_warnings_are_below_the_table():
    table = ScoreTable.of(["1", "2", "2"], ["a", "a", "a"], {"chrf": [1, 2, 3]})
    study = studies.ranges(table)
    [warning] = study.warnings
    assert "1 row has the same document and system" in warning
    assert study.table.notes[-1] == warning
