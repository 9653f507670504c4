"""Runs and pairs of words against plain loops."""

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tricolore.text.ngrams import Bag, Ngrams, matched, skip_bigrams

words = st.lists(st.sampled_from("abc"), max_size=9)


@given(words, st.integers(1, 4))
def test_ngrams_are_all_runs(text, n):
    runs = [tuple(text[at : at + n]) for at in range(len(text) - n + 1)]
    found = Ngrams(text, n)
    assert list(found) == list(found) == runs
    assert len(found) == len(runs)
    assert all(run in found for run in runs)
    assert ("z",) * n not in found


@given(words, st.integers(0, 3))
def test_skip_bigrams_are_all_pairs_that_are_near(text, gap):
    near = [(text[i], text[j]) for i, j in combinations(range(len(text)), 2) if j - i - 1 <= gap]
    assert skip_bigrams(text, gap) == near


@given(words, words | st.lists(st.sampled_from("ab"), min_size=60, max_size=70))
def test_what_two_texts_share_is_the_clipped_count(text, other):
    clipped = (Counter(text) & Counter(other)).total()
    assert Bag(text).shared(other) == clipped
    pairs = matched(text, other)
    assert len(pairs) == clipped
    assert all(text[i] == other[j] for i, j in pairs)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == clipped
