"""What a measure returned, as it is checked before anything else sees it."""

import math
import pickle

import pytest

from tricolore import Example, Score, Span
from tricolore.returned import checked_score, checked_scores, failure

EXAMPLE = Example(source=("abc", "defg"), summary="ab", references="xyz")


def test_a_sound_score_stays_as_it_is():
    match = Span("source", 0, 4, document=1)
    spans = (Span("summary", 0, 2, 0.5, match=match, kind="match", item="name"), Span("reference", 3, 3))
    score = Score(0.5, {"a": 1.0, "undefined": math.nan}, spans, flags=("truncated",))
    checked = checked_score("m", EXAMPLE, score)
    assert repr(checked) == repr(score)
    missing = Score.missing("too short", is_final=False)
    assert repr(checked_score("m", EXAMPLE, missing)) == repr(missing)


def test_a_value_that_is_chosen_from_parts_later_may_be_missing():
    score = Score.of_parts({"f1": 0.5})
    assert checked_score("m", EXAMPLE, score, has_values=False).problem is None
    assert checked_score("m", EXAMPLE, score).problem == (
        "m returned no sound score: neither a value nor a problem"
    )


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (Span("summary", 0, 3), "from 0 to 3 is not within the summary, which has 2 characters"),
        (Span("summary", -1, 1), "from -1 to 1 is not within the summary"),
        (Span("source", 0, 1, document=2), "a span is in source 2, which does not exist"),
        (Span("reference", 0, 1, document=-1), "a span is in reference -1, which does not exist"),
        (Span("summary", 0, 1, match=Span("source", 3, 4)), "from 3 to 4 is not within the source"),
        (Span("summary", 0, True, label=b"x"), "the label of a span is b'x', not a text"),
        (Span("summary", 0, 1, kind="nice"), "the kind 'nice', which does not exist"),
        (Span("summary", 0, 1, item="verb"), "the item 'verb', which does not exist"),
        (Span("summary", 0, 1, match=(0, 1)), "the match of a span is (0, 1), not a Span"),
    ],
)
def test_evidence_is_within_its_text(span, words):
    problem = checked_score("m", EXAMPLE, Score(1.0, evidence=(span,))).problem
    assert problem.startswith("m returned no sound score: ")
    assert words in problem


def test_a_problem_wins_over_a_value():
    checked = checked_score("m", EXAMPLE, Score(0.5, problem="it is wrong"))
    assert math.isnan(checked.value)
    assert checked.problem == "it is wrong"


def test_subclasses_and_odd_mappings_do_not_pass():
    """What passes can be sent to another process, whatever a plugin puts into its scores."""

    class OwnScore(Score):
        pass

    class OwnDict(dict):
        pass

    checked = checked_score("m", EXAMPLE, OwnScore(1, OwnDict(a=2), [Span("summary", 0, 1)]))
    assert type(checked) is Score
    assert (
        checked
        == pickle.loads(pickle.dumps(checked))
        == Score(1.0, {"a": 2.0}, (Span("summary", 0, 1),))
    )


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (None, "m returned a NoneType, not scores"),
        ([Score(1.0)], "m returned 1 scores for 2 examples"),
        (iter([Score(1.0)] * 3), "m returned more than 2 scores for 2 examples"),
    ],
)
def test_a_wrong_number_of_scores_is_an_error(returned, words):
    with pytest.raises(ValueError, match=words):
        checked_scores("m", [EXAMPLE, EXAMPLE], returned)


def test_the_words_of_a_failure_are_short():
    assert failure("m", KeyError("x")).problem == "m failed: KeyError: 'x'"
    assert failure("m", MemoryError()).problem == "m failed: MemoryError"
    assert len(failure("m", ValueError("x" * 10**6)).problem) < 1100
