import json
import math
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Score, Span
from tricolore.run.cache_keys import MeasureKey
from tricolore.run.packed_scores import PackedForm

MEASURE = MeasureKey(b"measure8", frozenset(), ("a", "b"))
ALONE = MeasureKey(b"measure8", frozenset(), ())
TEXTS = b"t" * 24


def pack(score, measure, texts):
    return PackedForm(measure).pack(score, texts)


def unpack(packed, measure, texts):
    return PackedForm(measure).unpack(packed, texts)


SCORES = [
    Score(0.1 + 0.2, {"a": 1 / 3, "b": -0.0}),
    Score(1e-320, {"a": 5e300, "b": 2.0}),
    Score(0.5, {"b": 1.0, "a": 2.0}),
    Score(0.5, {"a": 1.0}),
    Score(0.5, {"a": 1.0, "b": 2.0}, flags=("truncated",)),
    Score(0.5, {}, (Span("summary", 1, 2, match=Span("source", 3, 4)),)),
]


@pytest.mark.parametrize("score", SCORES)
def test_a_score_comes_back_as_it_was(score):
    found = unpack(pack(score, MEASURE, TEXTS), MEASURE, TEXTS)
    assert repr(found) == repr(score), "also the order of parts"


def test_what_has_no_value():
    problem = Score.missing("the \ud800 is empty")
    assert repr(unpack(pack(problem, ALONE, TEXTS), ALONE, TEXTS)) == repr(problem)
    parts = Score.of_parts({"a": 0.5, "b": math.nan})
    assert repr(unpack(pack(parts, MEASURE, TEXTS), MEASURE, TEXTS)) == repr(parts)
    for value in (math.nan, math.inf, -math.inf):
        assert unpack(pack(Score(value), ALONE, TEXTS), ALONE, TEXTS) is None
    for value in (math.inf, -math.inf):
        packed = pack(Score(value, {"a": 0.5, "b": 0.5}), MEASURE, TEXTS)
        assert unpack(packed, MEASURE, TEXTS) is None


def test_plain_numbers_take_little_room():
    assert len(pack(Score(0.5, {"a": 1.0, "b": 2.0}), MEASURE, TEXTS)) == 4 + 1 + 3 * 8


@given(st.sampled_from(SCORES), st.data())
def test_any_changed_bit_is_noticed(score, data):
    packed = bytearray(pack(score, MEASURE, TEXTS))
    at = data.draw(st.integers(0, len(packed) - 1))
    packed[at] ^= 1 << data.draw(st.integers(0, 7))
    assert unpack(bytes(packed), MEASURE, TEXTS) is None


def test_a_score_is_sound_only_under_its_own_key():
    packed = pack(SCORES[0], MEASURE, TEXTS)
    assert unpack(packed, MEASURE, b"u" * 24) is None
    assert unpack(packed, MeasureKey(b"another8", frozenset(), ("a", "b")), TEXTS) is None


@pytest.mark.parametrize("packed", [None, 5, "text", b"", b"1", 0.5, b"\0" * 40])
def test_other_types_are_no_score(packed):
    assert unpack(packed, MEASURE, TEXTS) is None


@pytest.mark.parametrize(
    "plain",
    [
        {"value": "high"},
        {"value": [0.5]},
        {"value": 0.5, "parts": {"a": "b"}},
        {"value": 0.5, "parts": [1]},
        {"value": None, "problem": 5},
        {"value": 0.5, "evidence": 7},
        {"value": 0.5, "evidence": [{"where": "summary"}]},
        {},
        [],
    ],
)
def test_a_right_checksum_does_not_make_it_sound(plain):
    body = json.dumps(plain).encode()
    checksum = crc32(body, crc32(TEXTS, crc32(MEASURE.digest))).to_bytes(4, "little")
    assert unpack(checksum + body, MEASURE, TEXTS) is None


def test_json_that_is_none():
    for body in (b"{", b"{}" * 3, b"[" * 100_000, b".12345", b"\xff"):
        checksum = crc32(body, crc32(TEXTS, crc32(MEASURE.digest))).to_bytes(4, "little")
        assert unpack(checksum + body, MEASURE, TEXTS) is None
