import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Score, Span

numbers = st.floats(allow_nan=False, allow_infinity=False)
plain_spans = st.builds(
    Span,
    where=st.sampled_from(["summary", "source", "reference"]),
    start=st.integers(0, 99),
    end=st.integers(0, 99),
    weight=numbers,
    label=st.text(max_size=5),
    document=st.integers(0, 3),
)
spans = st.builds(
    lambda span, match: Span(**{**{f: getattr(span, f) for f in span.__slots__}, "match": match}),
    plain_spans,
    st.none() | plain_spans,
)


@given(
    st.builds(
        Score,
        value=numbers,
        parts=st.dictionaries(st.text(max_size=5), numbers, max_size=3),
        evidence=st.lists(spans, max_size=3).map(tuple),
    )
)
def test_to_json_and_back(score):
    assert Score.from_json(json.loads(json.dumps(score.to_json()))) == score


def test_no_value_survives_json():
    score = Score.missing("the summary is empty")
    plain = json.loads(json.dumps(score.to_json(), allow_nan=False))
    back = Score.from_json(plain)
    assert math.isnan(back.value)
    assert back.problem == "the summary is empty"


@pytest.mark.parametrize(
    "plain",
    [
        None,
        [],
        {},
        {"value": "0.5"},
        {"value": None},
        {"value": math.nan},
        {"value": math.inf},
        {"value": 10**400},
        {"value": 1.0, "parts": [1.0]},
        {"value": 1.0, "parts": {"a": "b"}},
        {"value": 1.0, "parts": {"a": math.nan}},
        {"value": 1.0, "evidence": [{"where": "summary"}]},
        {"value": 1.0, "evidence": [{"where": "summary", "start": 0, "end": "9", "weight": 1.0}]},
        {"value": 1.0, "evidence": {"where": "summary"}},
        {"value": None, "problem": 3},
        {"value": 1.0, "flags": [None]},
        {"value": 1.0, "flags": 3},
    ],
)
def test_what_is_no_score_is_a_value_error(plain):
    with pytest.raises(ValueError, match=r"\w"):
        Score.from_json(plain)
