"""Passages of a source, by hand and as the code of SummaC cuts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.measures.passages import Passage, passages

TEXT = "It rained all day. We left early.\nNobody minded.\n\nThe sun came back on Monday."


def cut(granularity, text=TEXT, window=8):
    found = passages(text, granularity, lambda piece: len(piece.split()), window)
    return [text[start:end] for start, end in found]


def test_passages():
    one, two, three, four = (
        "It rained all day.",
        "We left early.",
        "Nobody minded.",
        "The sun came back on Monday.",
    )
    assert cut("sentence") == [one, two, three, four]
    # Each sentence with the next, as in `split_2sents` of SummaC; the last stands alone.
    assert cut("two_sentences") == [
        f"{one} {two}",
        f"{two}\n{three}",
        f"{three}\n\n{four}",
        four,
    ]
    assert cut("paragraph") == [f"{one} {two}\n{three}", four]
    assert cut("window") == [f"{one} {two}", f"{three}\n\n{four}"]
    assert cut("window", window=3) == [one, two, three, four]
    assert cut("document") == [TEXT]


def test_lines_are_paragraphs_where_no_line_is_empty():
    assert cut("paragraph", "One line. And more.\n  Another.\n") == [
        "One line. And more.",
        "Another.",
    ]


@pytest.mark.parametrize(
    "granularity", ["sentence", "two_sentences", "paragraph", "window", "document"]
)
def test_nothing_has_no_passages(granularity):
    assert cut(granularity, " \n\n ") == []


@given(st.text(alphabet="ab. \n", max_size=60), st.integers(1, 6))
def test_every_word_is_in_a_passage(text, window):
    for granularity in ("sentence", "two_sentences", "paragraph", "window", "document"):
        found = passages(text, granularity, len, window)
        covered = {at for start, end in found for at in range(start, end)}
        assert {at for at, letter in enumerate(text) if not letter.isspace()} <= covered
        assert found == sorted(found)


@pytest.mark.parametrize(
    ("start", "end", "covered"), [(5, 9, True), (4, 9, False), (5, 10, False), (6, 8, True)]
)
def test_a_passage_covers_what_is_inside(start, end, covered):
    assert Passage(0, 5, 9).covers(start, end) == covered
