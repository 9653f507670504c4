"""The study of mixes from Python."""

import pytest

from tricolore.api import studies
from tricolore.errors import TricoloreError


def test_the_same_as_the_command(same_as_command, scores, evaluation):
    same_as_command(
        "mixes --human coherence -m rouge-1,chrf,length --level summary --resamples 20",
        lambda given: studies.mixes(
            given, "coherence", measures="rouge-1,chrf,length", level="summary", resamples=20
        ),
        scores,
        evaluation,
    )


def test_data(scores):
    mixes = studies.mixes(scores, "coherence", measures="rouge-1,chrf", top=1, resamples=9)
    assert len(mixes.data) == 4  # two measures, their sum and their difference
    assert len(mixes.table.rows) == 3  # of the mixes the better one alone


def test_the_human_score_must_be_clear(scores):
    for asked, problem in (("", "several human scores: coherence"), ("x", "no human score 'x'")):
        with pytest.raises(TricoloreError, match=problem) as found:
            studies.mixes(scores, asked)
        assert "--" not in str(found.value)
