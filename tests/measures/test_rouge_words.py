"""The words and sentences that ROUGE compares."""

from __future__ import annotations

import pytest

from tricolore.example import Example
from tricolore.measures.rouge import Rouge
from tricolore.score import Score


def score(summary: str, *references: str, evidence: bool = False, **settings: object) -> Score:
    example = Example(summary=summary, references=references)
    [found] = Rouge(**settings).score([example], evidence=evidence)
    return found


def prf(found: Score) -> tuple[float, float, float]:
    return found.parts["precision"], found.parts["recall"], found.parts["f1"]


def test_stemming_spares_short_words() -> None:
    assert score("cats ate", "cat eat", stem=True).value == pytest.approx(0.5)
    assert score("ties", "tie", stem=True).value == 1  # ties and tie: both "tie"
    assert score("was", "wa", stem=True).value == 0  # three letters stay as they are


def test_stop_words_go_before_stemming() -> None:
    found = score("the cat was there", "a cat was here", stop_words="smart")
    assert prf(found) == (1, 1, 1)


def test_sentences_by_rule() -> None:
    summary = "It rained all day. We left."
    reference = "We left. It rained all day."
    # As one sentence the order of words is broken: 4 of 6 words are in the LCS.
    assert score(summary, reference, variant="lsum").value == pytest.approx(4 / 6)
    assert score(summary, reference, variant="lsum", sentences="rule").value == 1


def test_other_scripts() -> None:
    assert score("привет мир", "Привет", tokenizer="unicode").value == pytest.approx(2 / 3)
