"""The study of spurious correlations from Python."""

import pytest

from tricolore.api import studies
from tricolore.errors import TricoloreError


def test_the_same_as_the_command(same_as_command, scores, evaluation):
    same_as_command(
        "spurious --human coherence,fluency --coefficient pearson",
        lambda given: studies.spurious(given, ["coherence", "fluency"], coefficient="pearson"),
        scores,
        evaluation,
    )


def test_a_correlate_that_is_not_there(scores):
    with pytest.raises(TricoloreError, match="no measure 'nope'") as found:
        studies.spurious(scores, correlates="nope")
    assert "--" not in str(found.value)
