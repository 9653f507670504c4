from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example
from tricolore.measures.chrf import Chrf

texts = st.text("ab c", min_size=1, max_size=20).filter(str.strip)


def test_by_hand() -> None:
    # "thecat" and "thecats": all n-grams of the summary match; of the reference 6 of 7 letters,
    # 5 of 6 pairs, 4 of 5, 3 of 4, 2 of 3, 1 of 2.
    recall = (6 / 7 + 5 / 6 + 4 / 5 + 3 / 4 + 2 / 3 + 1 / 2) / 6
    [score] = Chrf().score([Example(summary="the cat", references="the cats")])
    assert score.parts == pytest.approx({"precision": 100, "recall": 100 * recall})
    assert score.value == pytest.approx(100 * (1 + 4) * recall / (4 + recall))


def test_settings() -> None:
    example = Example(summary="AB c", references="ab  c")
    assert Chrf(lowercase=True).score([example])[0].value == pytest.approx(100)
    assert Chrf().score([example])[0].value < 50
    assert Chrf(lowercase=True, whitespace=True).score([example])[0].value < 100
    with pytest.raises(ValueError, match="char_order must be 1 or more"):
        Chrf(char_order=0)
    with pytest.raises(ValueError, match="beta must be 1 or more, not 0"):
        Chrf(beta=0)


@given(texts, texts, st.sampled_from(["sentence", "corpus"]))
def test_bounds_parts_and_corpus_of_one(summary: str, reference: str, level: str) -> None:
    measure = Chrf(level=level, word_order=2)
    [score] = measure.score([Example(summary=summary, references=reference)])
    assert -1e-9 <= score.value <= 100 + 1e-9
    assert tuple(score.parts) == measure.part_names
    sums = {**score.parts, "value": score.value, "count": 1}
    assert measure.pooled(sums) == pytest.approx(score.value, abs=1e-9)


@given(texts)
def test_identity(text: str) -> None:
    [score] = Chrf().score([Example(summary=text, references=["b" * 30, text])])
    assert score.value == pytest.approx(100)


def test_the_parts_follow_the_orders() -> None:
    assert Chrf().part_names == ("precision", "recall")
    corpus = Chrf(level="corpus", char_order=1, word_order=1)
    assert corpus.part_names == (
        *("summary_char1", "reference_char1", "match_char1"),
        *("summary_word1", "reference_word1", "match_word1"),
    )
    assert Chrf.part_names == ("precision", "recall")


def test_many_sums_at_once() -> None:
    measure = Chrf(level="corpus")
    sums = {part: np.array([6.0, 0.0]) for part in measure.part_names}
    pooled = measure.pooled({**sums, "value": np.zeros(2), "count": np.array([2, 0])})
    assert pooled[0] == pytest.approx(100)
    assert np.isnan(pooled[1])


def test_signature_has_that_of_sacrebleu() -> None:
    import sacrebleu

    signed = Chrf(word_order=2).signature()["sacrebleu"]
    expected = "nrefs:var|case:mixed|eff:yes|nc:6|nw:2|space:no"
    assert signed == f"{expected}|version:{sacrebleu.__version__}"
