from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.text import fragments as module
from tricolore.text.fragments import (
    Fragment,
    TooManyWordsError,
    coded,
    coded_like,
    fragments,
)

# Few letters, so that there are many matches, within each other and of several lengths.
texts = st.lists(st.sampled_from("abc"), min_size=1, max_size=14).map(" ".join)


def found(summary: str, *documents: str, matching: str = "exact") -> list[tuple[int, ...]]:
    return [tuple(f) for f in fragments("space", True, matching, summary, *documents)]


def by_definition(summary: list[str], documents: list[list[str]]) -> list[Fragment]:
    """At each word the longest sequence that is in a document too, by trying all."""
    out, at = [], 0
    while at < len(summary):
        best = Fragment(at, 0, 0, 0)
        for number, document in enumerate(documents):
            for place in range(len(document)):
                length = 0
                while (
                    at + length < len(summary)
                    and place + length < len(document)
                    and summary[at + length] == document[place + length]
                ):
                    length += 1
                if length > best.length:
                    best = Fragment(at, number, place, length)
        if best.length:
            out.append(best)
        at += max(best.length, 1)
    return out


def test_the_two_ways_differ_where_a_match_begins_inside_another() -> None:
    assert found("a a b", "a a a b") == [(0, 0, 1, 3)]
    assert found("a a b", "a a a b", matching="greedy") == [(0, 0, 0, 2), (2, 0, 3, 1)]


def test_greedy_can_even_be_denser() -> None:
    # exact takes [b b a] and is left with [b b b]; greedy overlooks it and finds [a b b b] later.
    lengths = {
        matching: [f[-1] for f in found("b b a b b b", "a b b b a a", matching=matching)]
        for matching in ("exact", "greedy")
    }
    assert lengths == {"exact": [3, 3], "greedy": [2, 4]}


def test_words_that_the_source_does_not_have_end_a_fragment() -> None:
    assert found("x a b y b c x", "a b c") == [(1, 0, 0, 2), (4, 0, 1, 2)]


def test_no_fragment_crosses_from_one_document_to_the_next() -> None:
    assert found("a b c", "a b", "c a", "b c") == [(0, 0, 0, 2), (2, 1, 0, 1)]


def test_the_longest_match_is_taken_from_any_document() -> None:
    assert found("a b c", "a b", "x", "z a b c") == [(0, 2, 1, 3)]


def test_empty_documents_and_summaries() -> None:
    assert found("a", "", "a", "") == [(0, 1, 0, 1)]
    assert found("a", "") == []
    assert found("", "a") == []


def test_case_counts_only_when_it_is_kept() -> None:
    assert len(fragments("words", True, "exact", "The Cat", "the cat")) == 1
    assert len(fragments("words", False, "exact", "The cat", "the cat")) == 1
    assert fragments("words", False, "exact", "The Cat", "the cat") == []


@given(texts, st.lists(texts, min_size=1, max_size=3))
def test_exact_is_the_definition(summary: str, documents: list[str]) -> None:
    cut = [document.split() for document in documents]
    assert found(summary, *documents) == [tuple(f) for f in by_definition(summary.split(), cut)]


@given(texts, texts)
def test_what_both_ways_share(summary: str, source: str) -> None:
    exact, greedy = found(summary, source), found(summary, source, matching="greedy")
    # A word that the source has is part of some fragment, whichever way they are found ...
    known = sum(word in source.split() for word in summary.split())
    assert sum(f[-1] for f in exact) == sum(f[-1] for f in greedy) == known
    # ... and taking the longest each time makes the fewest pieces.
    assert len(exact) <= len(greedy)


@given(texts, texts)
def test_coded_words_are_equal_where_the_words_are(summary: str, source: str) -> None:
    code = coded("space", True, source)
    as_code = coded_like(code, tuple(summary.split()))
    both = source.split() + summary.split()
    codes = code.text[:-1] + as_code
    assert [a == b for a in both for b in both] == [a == b for a in codes for b in codes]


def test_more_words_than_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WORDS", 3)
    source = coded("space", True, "r s t")
    assert coded_like(source, ("t", "r")) == "\4\2"
    with pytest.raises(TooManyWordsError, match="more than 3 different words"):
        coded_like(source, ("t", "u"))
    with pytest.raises(TooManyWordsError, match="more than 3 different words"):
        coded("space", True, "r s t u")


def test_a_source_of_five_megabytes() -> None:
    source = " ".join(f"w{(i * i) % 7919}" for i in range(900_000))
    assert len(source) > 4_900_000
    cut = source.split()
    summary = " ".join(w for i in range(40) for w in cut[20_000 * i : 20_000 * i + 1 + i % 9])
    begun = time.process_time()
    assert sum(f[-1] for f in found(summary, source)) == len(summary.split())
    assert time.process_time() - begun < 10  # about one second, nearly all of it cutting words
