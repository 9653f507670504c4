"""The study of annotators from Python."""

import pytest

from tricolore.api import studies
from tricolore.errors import ReadError

STUDIES = {
    "annotators --human overall -m rouge-1,length": lambda given: studies.annotators(
        given, "overall", measures="rouge-1,length"
    ),
    "annotators --human overall --group 2": lambda given: studies.annotators(
        given, "overall", group=2
    ),
}


@pytest.mark.parametrize("words", STUDIES)
def test_the_same_as_the_command(same_as_command, words, judged, rows):
    same_as_command(words, STUDIES[words], judged, rows, (row for row in rows))


def test_data(judged):
    annotators = studies.annotators(judged, "overall", measures="chrf")
    assert [one.name for one in annotators.data] == ["1", "2", "3", "4", "5", "chrf"]


def test_examples_without_annotations():
    with pytest.raises(ReadError, match="the data has no single judgements of 'q'"):
        studies.annotators([{"source": "a", "summary": "b"}], "q")
