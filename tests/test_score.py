import json
import math

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
