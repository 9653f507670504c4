"""Errors that a user can mend."""

import pickle

import pytest

from tricolore import errors
from tricolore.errors import ReadError, TricoloreError, did_you_mean

KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, TricoloreError)
]


def test_what_is_wrong_and_what_to_do():
    assert str(ReadError("x is empty")) == "x is empty"
    assert str(ReadError("x is empty", "give another file")) == "x is empty; give another file"


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_survives_the_way_from_another_process(kind):
    sent = kind("no such file", "look again", argument="encoding")
    came = pickle.loads(pickle.dumps(sent))
    assert type(came) is kind
    assert (came.problem, came.hint, came.argument) == ("no such file", "look again", "encoding")


def test_the_nearest_name():
    assert did_you_mean("rouge1", ["rouge-1", "chrf"], "all") == "; did you mean 'rouge-1'?"
    assert did_you_mean("summac", ["rouge-1", "chrf"], "see the list") == "; see the list"
    assert did_you_mean("summac", ["rouge-1", "chrf"]) == ""
