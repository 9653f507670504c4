"""The sentences of GRUEN: the authors' steps, and where each sentence stands in the summary."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.measures.gruen_text import gruen_sentences


def cleaned(text: str) -> str:
    """The steps of the authors' preprocessing in their order, as replacements in a plain text."""
    text = text.strip()
    steps = [("\n\n", ". "), ("\n", ". "), ("..", "."), (".", ". "), (". . ", ". ")]
    for old, new in [*steps, (".  . ", ". ")]:
        text = text.replace(old, new)
    text = re.sub(" {2,}", " ", text)
    while fraction := re.search(r"\d+\. \d+", text):
        text = text.replace(fraction[0], "UNK")
    return text.strip()


pieces = st.sampled_from(["A cat", " sat", ".", "..", "\n", "\n\n", " ", "3.5", "12", "b", " . ."])


@given(st.lists(pieces, max_size=20).map("".join))
def test_sentences_are_parts_of_the_cleaned_text(summary: str) -> None:
    at = 0
    text = cleaned(summary)
    for sentence in gruen_sentences(summary, "released"):
        at = text.index(sentence.text, at) + len(sentence.text)
        assert 0 <= sentence.start < sentence.end <= len(summary)
        assert len(sentence.places) == len(sentence.text)
        assert list(sentence.places) == sorted(sentence.places)


def test_places() -> None:
    summary = "  Prices rose 2.5 percent.Then they fell.\n\nWhy? It is late"
    found = gruen_sentences(summary, "released")
    texts = [sentence.text for sentence in found]
    assert texts == ["Prices rose UNK percent.", "Then they fell.", "It is late"]
    shown = [summary[sentence.start : sentence.end] for sentence in found]
    assert shown == ["Prices rose 2.5 percent.", "Then they fell.", "It is late"]
    first, last = found[0].span(7, 11)
    assert summary[first:last] == "rose"


def test_without_cleaning() -> None:
    found = gruen_sentences("It rose 2.5 percent. Why? It fell.", "none")
    assert [sentence.text for sentence in found] == ["It rose 2.5 percent.", "It fell."]


@pytest.mark.parametrize("summary", ["", " ", "Why?", "...", "\n\n", "a. b. c."])
def test_no_sentence_of_two_words(summary: str) -> None:
    assert gruen_sentences(summary, "released") == []
