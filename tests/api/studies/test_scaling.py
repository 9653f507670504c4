"""The study of scaling from Python."""

import pytest

from tricolore.api import studies
from tricolore.errors import TricoloreError


def test_the_same_as_the_command(same_as_command, scores, evaluation):
    same_as_command(
        "scaling --human coherence -m rouge-1 --sizes 1,3 --human-means same --resamples 20",
        lambda given: studies.scaling(
            given,
            "coherence",
            measures="rouge-1",
            sizes=[1, 3],
            human_means="same",
            resamples=20,
        ),
        scores,
        evaluation,
    )


def test_data(scores):
    scaling = studies.scaling(scores, "coherence", measures="chrf", resamples=9)
    assert scaling.data["chrf"].x == [1, 2, 3, 4]


def test_more_documents_than_there_are(scores):
    with pytest.raises(TricoloreError, match="so 9 of them cannot") as found:
        studies.scaling(scores, "coherence", sizes=[9])
    assert "--" not in str(found.value)
