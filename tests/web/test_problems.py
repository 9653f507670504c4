"""Errors as answers."""

import json

import pytest

from tricolore.errors import ReadError, SpecError, Unavailable
from tricolore.web.problems import (
    ApiError,
    answer_to,
    api_error,
    json_bytes,
    problem_json,
    validation_error,
)
from tricolore.web.scheduler import QueueFullError


@pytest.mark.parametrize(
    ("error", "status", "retry"),
    [
        (SpecError("no such measure", "try", argument="measures"), 422, None),
        (ReadError("no document"), 422, None),
        (Unavailable("no worker"), 503, "5"),
        (QueueFullError(7), 503, "7"),
    ],
)
def test_errors_of_the_library(error, status, retry):
    made = api_error(error)
    assert made.status_code == status
    assert made.plain == problem_json(error.problem, error.hint, error.argument)
    assert (made.headers or {}).get("Retry-After") == retry


def test_an_answer():
    answer = answer_to(ApiError(413, "too long", "cut it", argument="examples"))
    assert answer.status_code == 413
    assert json.loads(answer.body) == {
        "problem": "too long",
        "hint": "cut it",
        "argument": "examples",
    }


def test_what_a_client_has_sent_is_not_repeated_at_length():
    plain = problem_json("x" * 5000, "\ud800")
    assert len(plain["problem"]) == 1001
    json_bytes(plain)


def test_the_first_of_several_values_that_do_not_fit():
    errors = [
        {"loc": ("body", "examples", 0, "summary"), "msg": "Field required"},
        {"loc": ("body", "x"), "msg": "Extra"},
    ]
    made = validation_error(errors)
    assert made.plain["problem"] == "examples.0.summary: field required"
    assert made.plain["argument"] == "examples.0.summary"
    assert "2 values" in made.plain["hint"]
    assert validation_error([{"loc": ("body",), "msg": "Bad"}]).plain["problem"] == (
        "the request: bad"
    )


def test_nan_never_gets_out():
    with pytest.raises(ValueError, match="JSON"):
        json_bytes({"value": float("nan")})
    assert json_bytes({"é": "\u2028"}) == '{"é":"\u2028"}'.encode()
