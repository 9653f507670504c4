"""Redundancy of sentences: each feature by hand; tests/peers/test_gruen.py has the formula."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.measures.gruen_redundancy import redundancy_flags, redundant_pairs


@pytest.mark.parametrize(
    ("a", "b", "flags"),
    [
        ("I am a boy.", "I am a boy.", 4),
        ("I am", "I am a boy.", 4),
        ("He is here", "She was there", 0),  # fewer than five words
        # 12 letters, none in common with the other: 12 edits of 12, no common word.
        ("aa bb cc dd e", "xx yy zz ww v", 0),
        # Each word is in the other, in reverse order: common words only, and few edits.
        ("one two three four five six", "six five four three two one", 1),
        # The common substring has 15 letters and 5 words, more than 0.8 of the 16 letters and 6
        # words of the shorter one. One letter is changed and 21 are added: 22 < 0.6 * 37 edits.
        ("aa bb cc dd ee x", "aa bb cc dd ee y ff gg hh ii jj kk ll", 4),
        # One of the two has five words or more. 3 of 3 words are common, 13 of 17 letters differ.
        ("aa bb cc", "bb xx yy zz aa cc", 1),
    ],
)
def test_by_hand(a: str, b: str, flags: int) -> None:
    assert redundancy_flags(a, b) == flags


def test_pairs() -> None:
    pairs = list(redundant_pairs(["I am a boy.", "The weather is fine today.", " I am a boy. "]))
    assert pairs == [(0, 2, 4)]


texts = st.lists(st.sampled_from(["a", "bb", "ccc", "dd."]), min_size=1, max_size=9).map(" ".join)


@given(texts, texts)
def test_range(a: str, b: str) -> None:
    assert 0 <= redundancy_flags(a, b) <= 4
    assert redundancy_flags(a, a + b) == 4
