"""Shuffled and truncated summaries."""

import re

from tests.perturb.ferry_texts import EXAMPLE, SUMMARY
from tricolore.perturb.shuffles import SentenceShuffle, Truncation
from tricolore.text.sentences import sentence_spans, sentences


def test_a_shuffle_moves_sentences_and_leaves_what_is_between():
    seen = set()
    for seed in range(50):
        [made] = SentenceShuffle(seed=seed).damage([EXAMPLE])
        text = made.example.summary
        assert sorted(sentences(text)) == sorted(sentences(SUMMARY))
        assert text != SUMMARY
        gaps = [m[0] for m in re.finditer(r"\s{2,}", text)]
        assert gaps == ["  ", "\n\n"]
        seen.add(tuple(sentences(text)))
    assert len(seen) == 5  # all orders of three but the one that was


def test_a_cut_is_within_a_sentence():
    ends = {end for _, end in sentence_spans(SUMMARY)}
    seen = set()
    for seed in range(80):
        [made] = Truncation(seed=seed).damage([EXAMPLE])
        text = made.example.summary
        assert SUMMARY.startswith(text)
        assert len(text) not in ends
        assert SUMMARY[len(text)].isspace()
        seen.add(text)
    # 3 + 1 + 4 places between the words of the three sentences
    assert len(seen) == 8
