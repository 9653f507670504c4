from __future__ import annotations

from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example
from tricolore.measures.bleu import Bleu

SHORT = Example(summary="the cat sat", references="the cat sat on the mat")
REPEATING = Example(summary="the the the the", references="the cat saw the dog")


def value(measure: Bleu, example: Example) -> float:
    return measure.score([example])[0].value


def test_by_hand() -> None:
    example = Example(summary="the cat sat on a mat", references="the cat sat on the mat")
    [score] = Bleu().score([example])
    assert score.value == pytest.approx(100 * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** (1 / 4))
    assert score.parts == {
        "sys_len": 6,
        "ref_len": 6,
        "correct_1": 5,
        "correct_2": 3,
        "correct_3": 2,
        "correct_4": 1,
        "total_1": 6,
        "total_2": 5,
        "total_3": 4,
        "total_4": 3,
    }


def test_the_three_variants_of_the_thesis() -> None:
    # 1: each n-gram of the reference is matched once. Two of four "the"; no two in a row.
    assert value(Bleu(variant="clipped", order=1), REPEATING) == pytest.approx(100 * 2 / 4)
    assert value(Bleu(variant="clipped", order=2), REPEATING) == pytest.approx(100 * (2 / 4) / 2)
    # 2: it may be matched many times.
    assert value(Bleu(variant="unclipped", order=1), REPEATING) == 100
    assert value(Bleu(variant="unclipped", order=2), REPEATING) == 100 / 2
    # 3: with a penalty for brevity, here exp(1 - 6/3). All n-grams match.
    assert value(Bleu(variant="clipped", order=3), SHORT) == 100
    assert value(Bleu(variant="brevity", order=3), SHORT) == pytest.approx(100 * exp(-1))
    # There are no 4-grams in three words, and so no precision of them to average.
    assert value(Bleu(variant="clipped"), SHORT) == 100


def test_several_references() -> None:
    example = Example(summary="the the the", references=["the the", "a the"])
    # The most that one reference has counts: 2 of 3.
    assert value(Bleu(variant="clipped", order=1), example) == pytest.approx(100 * 2 / 3)


def test_blank_references_are_none() -> None:
    # Otherwise the empty one would be the nearest in length, and brevity go unpunished.
    [score] = Bleu().score([Example(summary="the", references=["the cat sat", " "])])
    assert score.parts["ref_len"] == 3


@pytest.mark.parametrize("variant", ["sacrebleu", "clipped", "unclipped", "brevity"])
def test_a_corpus_of_one_is_that_one(variant: str) -> None:
    measure = Bleu(variant=variant, level="corpus")
    [score] = measure.score([SHORT])
    sums = {**score.parts, "value": score.value, "count": 1}
    assert measure.pooled(sums) == pytest.approx(score.value, abs=1e-9)


@pytest.mark.parametrize("smooth", ["exp", "floor", "add-k", "none"])
@pytest.mark.parametrize("variant", ["sacrebleu", "clipped", "brevity"])
def test_many_sums_at_once(variant: str, smooth: str) -> None:
    measure = Bleu(variant=variant, level="corpus", smoothing=smooth)
    scores = measure.score([SHORT, REPEATING, Example(summary="no", references="yes it is")])
    weights = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [3, 0, 2]])
    columns = {p: weights @ [s.parts[p] for s in scores] for p in measure.part_names}
    together = measure.pooled({**columns, "value": 0, "count": weights.sum(1)})
    alone = [
        float(measure.pooled({**{p: c[i] for p, c in columns.items()}, "value": 0, "count": 1}))
        for i in range(5)
    ]
    assert together.shape == (5,)
    assert together == pytest.approx(alone, abs=1e-12)


def test_a_resample_without_rows_has_no_value() -> None:
    measure = Bleu(level="corpus")
    sums = {part: np.zeros(2) for part in ("value", "count", *measure.part_names)}
    assert np.isnan(measure.pooled(sums)).all()


def test_sentences_are_averaged() -> None:
    assert Bleu().pooled({"value": 30.0, "count": 4, "correct_1": 1}) == 7.5


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=12).map(" ".join))
def test_bounds_and_identity(text: str) -> None:
    example = Example(summary=text, references=text)
    for variant in ("sacrebleu", "clipped", "unclipped", "brevity"):
        assert value(Bleu(variant=variant), example) == pytest.approx(100)


@given(*[st.lists(st.sampled_from("abc"), min_size=1, max_size=12).map(" ".join)] * 2)
def test_order_of_the_variants(summary: str, reference: str) -> None:
    example = Example(summary=summary, references=reference)
    clipped = value(Bleu(variant="clipped"), example)
    assert 0 <= value(Bleu(variant="brevity"), example) <= clipped + 1e-9
    assert clipped <= value(Bleu(variant="unclipped"), example) + 1e-9 <= 100 + 1e-6


def test_evidence_is_matched_runs() -> None:
    summary, references = "The cat sat on it.", ["A cat sat.", "Sit on it."]
    [score] = Bleu().score([Example(summary=summary, references=references)], evidence=True)
    matched = [
        (summary[s.start : s.end], s.match.where, s.match.document)
        for s in score.evidence
        if s.match
    ]
    assert matched == [("cat sat", "reference", 0), ("on it.", "reference", 1)]


def test_settings_and_rows_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match="order must be from 1 to 4, not 5"):
        Bleu(order=5)
    rows = [Example(summary="<skipped>", references="a"), Example(summary="a", references=" ")]
    assert [s.problem for s in Bleu().score(rows)] == [
        "there is no word in the summary",
        "there is no reference",
    ]


def test_signature_has_that_of_sacrebleu() -> None:
    import sacrebleu

    signed = Bleu(lowercase=True).signature()["sacrebleu"]
    expected = "nrefs:var|case:lc|eff:yes|tok:13a|smooth:exp"
    assert signed == f"{expected}|version:{sacrebleu.__version__}"


def test_the_lines_of_earlier_batches_are_forgotten() -> None:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

    for batch in range(3):
        Bleu().score(
            [Example(summary=f"batch {batch} line {i}", references="a line") for i in range(20)]
        )
    assert Tokenizer13a.__call__.cache_info().currsize <= 21
    assert TokenizerRegexp.__call__.cache_info().currsize <= 21
