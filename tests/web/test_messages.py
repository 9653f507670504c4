"""The form of requests."""

import pytest
from pydantic import ValidationError

from tricolore import Example
from tricolore.web.messages import CompareRequest, ExampleIn, PerturbRequest, ScoreRequest


def test_an_example():
    given = ExampleIn(source="a", summary="b", references=["c", "d"], doc_id="7", system="s")
    assert given.example() == Example(
        source="a", summary="b", references=["c", "d"], doc_id="7", system="s"
    )
    bare = ExampleIn(summary="b").example()
    assert (bare.source, bare.references) == ((), ())
    assert ExampleIn(source=["a", "b"], summary="c").example().source == ("a", "b")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (ScoreRequest, {"examples": [{"summary": 1}]}),
        (ScoreRequest, {"examples": [{"summary": "a"}], "evidence": "yes"}),
        (ScoreRequest, {"examples": [{"summary": "a"}], "measures": [1]}),
        (CompareRequest, {"examples": [{"summary": "a"}]}),
        (CompareRequest, {"examples": [{"summary": "a"}] * 2, "alpha": 1}),
        (CompareRequest, {"examples": [{"summary": "a"}] * 2, "seed": -1}),
        (PerturbRequest, {"summary": "a", "seed": 2**31}),
        (PerturbRequest, {"summary": "a", "errors": 0}),
        (PerturbRequest, {"summary": "a", "errors": 101}),
    ],
)
def test_values_of_another_type_or_out_of_range(kind, body):
    with pytest.raises(ValidationError):
        kind.model_validate(body)


def test_the_clean_summary_of_a_request_for_damage():
    asked = PerturbRequest(source=["a", "b"], summary="c")
    assert asked.clean.example() == Example(source=["a", "b"], summary="c")
