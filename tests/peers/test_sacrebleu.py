"""BLEU and chrF against sacrebleu's own functions, to 1e-9."""

from __future__ import annotations

from typing import Any

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example
from tricolore.measure import Measure
from tricolore.measures.bleu import Bleu
from tricolore.measures.chrf import Chrf

texts = st.lists(st.sampled_from(["a", "b", "C", "c", "d."]), min_size=1, max_size=12).map(" ".join)
corpora = st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=5)

SMOOTH = ("exp", "floor", "add-k", "none")


def sums(measure: Measure, examples: list[Example]) -> dict[str, float]:
    scores = measure.score(examples)
    parts = {name: sum(score.parts[name] for score in scores) for name in measure.part_names}
    return {**parts, "value": sum(score.value for score in scores), "count": len(scores)}


@given(texts, st.lists(texts, min_size=1, max_size=3), st.sampled_from(SMOOTH), st.booleans())
def test_sentence_bleu(summary: str, references: list[str], smooth: str, lower: bool) -> None:
    theirs = sacrebleu.sentence_bleu(
        summary, references, smooth_method=smooth, lowercase=lower
    ).score
    measure = Bleu(smoothing=smooth, lowercase=lower)
    [score] = measure.score([Example(summary=summary, references=references)])
    assert score.value == pytest.approx(theirs, abs=1e-9)
    # The way that works on arrays of counts agrees with the one that does not.
    assert float(measure._together(score.parts)) == pytest.approx(theirs, abs=1e-9)


@given(corpora, st.sampled_from(SMOOTH))
def test_corpus_bleu(rows: list[tuple[str, str, str]], smooth: str) -> None:
    theirs = sacrebleu.corpus_bleu(
        [row[0] for row in rows],
        [[row[1] for row in rows], [row[2] for row in rows]],
        smooth_method=smooth,
    ).score
    examples = [Example(summary=row[0], references=row[1:]) for row in rows]
    measure = Bleu(level="corpus", smoothing=smooth)
    assert measure.pooled(sums(measure, examples)) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_bleu_of_other_orders(order: int) -> None:
    summary, reference = "a b c d e f", "a b c x d e f"
    theirs = sacrebleu.BLEU(max_ngram_order=order, effective_order=True).sentence_score(
        summary, [reference]
    )
    [score] = Bleu(order=order).score([Example(summary=summary, references=reference)])
    assert score.value == pytest.approx(theirs.score, abs=1e-9)


@given(texts, st.lists(texts, min_size=1, max_size=3), st.integers(0, 2), st.integers(1, 3))
def test_sentence_chrf(summary: str, references: list[str], word_order: int, beta: int) -> None:
    theirs = sacrebleu.sentence_chrf(summary, references, word_order=word_order, beta=beta).score
    measure = Chrf(word_order=word_order, beta=beta)
    [score] = measure.score([Example(summary=summary, references=references)])
    assert score.value == pytest.approx(theirs, abs=1e-9)


@given(corpora, st.integers(0, 2))
def test_corpus_chrf(rows: list[tuple[str, str, str]], word_order: int) -> None:
    theirs = sacrebleu.corpus_chrf(
        [row[0] for row in rows],
        [[row[1] for row in rows], [row[2] for row in rows]],
        word_order=word_order,
    ).score
    examples = [Example(summary=row[0], references=row[1:]) for row in rows]
    measure = Chrf(level="corpus", word_order=word_order)
    assert measure.pooled(sums(measure, examples)) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.slow
def test_on_real_summaries(summeval: list[dict[str, Any]]) -> None:
    rows = summeval[::25]
    examples = [Example(summary=row["summary"], references=row["references"]) for row in rows]
    for row, bleu, chrf in zip(rows, Bleu().score(examples), Chrf().score(examples), strict=True):
        theirs = sacrebleu.sentence_bleu(row["summary"], row["references"]).score
        assert bleu.value == pytest.approx(theirs, abs=1e-9)
        theirs = sacrebleu.sentence_chrf(row["summary"], row["references"]).score
        assert chrf.value == pytest.approx(theirs, abs=1e-9)
    summaries = [row["summary"] for row in rows]
    references = list(map(list, zip(*(row["references"] for row in rows), strict=True)))
    pooled = Bleu(level="corpus").pooled(sums(Bleu(level="corpus"), examples))
    assert pooled == pytest.approx(sacrebleu.corpus_bleu(summaries, references).score, abs=1e-9)
    pooled = Chrf(level="corpus").pooled(sums(Chrf(level="corpus"), examples))
    assert pooled == pytest.approx(sacrebleu.corpus_chrf(summaries, references).score, abs=1e-9)
