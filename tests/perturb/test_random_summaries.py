"""Summaries of random words and sentences of the source."""

import re

import pytest

from tests.perturb.ferry_texts import EXAMPLE, SOURCE, SUMMARY
from tricolore import Example, get_measure
from tricolore.perturb.random_summaries import RandomSentences, RandomWords
from tricolore.text.sentences import sentences


def test_random_words_are_of_the_source_and_as_long():
    for seed in range(20):
        [made] = RandomWords(seed=seed).damage([EXAMPLE])
        text = made.example.summary
        assert set(text.split()) <= set(re.findall(r"\w+", SOURCE))
        assert len(SUMMARY) - 1 <= len(text) <= len(SUMMARY)


def test_random_words_of_a_short_source_are_used_again():
    [made] = RandomWords().damage([Example(source="two words", summary="x" * 59)])
    text = made.example.summary
    assert 57 <= len(text) <= 59
    assert abs(text.split().count("two") - text.split().count("words")) <= 2


def test_random_sentences_are_copies_about_as_long():
    seen = set()
    for seed in range(30):
        [made] = RandomSentences(seed=seed).damage([EXAMPLE])
        copied = sentences(made.example.summary)
        assert set(copied) <= set(sentences(SOURCE))
        assert len(copied) == len(set(copied))
        # Sentences have up to 77 letters: half of that off, and the space between.
        assert abs(len(made.example.summary) - len(SUMMARY)) <= 45
        seen.update(copied)
    assert seen == set(sentences(SOURCE))


@pytest.mark.slow
def test_the_guard_finds_every_copied_sentence_again():
    """A summary of all sentences is a copy of each: with the guard there is nothing to guess."""
    example = Example(source=SOURCE, summary="x" * len(SOURCE))
    [made] = RandomSentences().damage([example])
    assert sorted(sentences(made.example.summary)) == sorted(sentences(SOURCE))
    [guarded] = get_measure("blanc-help:guard=skip").score([made.example])
    assert guarded.problem == "the summary is a copy of every sentence that could be masked"
