from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example
from tricolore.measures.novelty import Novelty

texts = st.lists(st.sampled_from("abcde"), min_size=1, max_size=15).map(" ".join)


def by_definition(summary: str, source: str, n: int) -> float:
    def grams(text: str) -> set[tuple[str, ...]]:
        cut = text.split()
        return {tuple(cut[at : at + n]) for at in range(len(cut) - n + 1)}

    return len(grams(summary) - grams(source)) / len(grams(summary))


def test_by_hand() -> None:
    # Bigrams: the cat, cat ate, ate the, the cat (again), cat slept: four distinct, three new.
    [score] = Novelty().score([Example(source="the cat sat", summary="the cat ate the cat slept")])
    assert score.value == 3 / 4
    # Words: the, cat, ate, slept, of which two are new; all three- and four-grams are.
    assert score.parts == {"novel_1": 2 / 4, "novel_2": 3 / 4, "novel_3": 1, "novel_4": 1}


@pytest.mark.parametrize("n", [1, 2, 3])
def test_many_ngrams_are_counted_alike(n: int) -> None:
    """Beyond some number of n-grams, another way of looking them up gives the same."""
    summary = " ".join(f"w{at * at % 977}" for at in range(900))
    source = " ".join(f"w{at * at % 977}" for at in range(400, 1600, 2))
    [score] = Novelty(n=n).score([Example(source=source, summary=summary)], evidence=True)
    assert score.value == by_definition(summary, source, n)
    assert 0 < score.value < 1 or n > 1
    assert score.evidence


@given(texts, texts, st.integers(1, 6))
def test_definition(summary: str, source: str, n: int) -> None:
    [score] = Novelty(n=n).score([Example(source=source, summary=summary)])
    if len(summary.split()) < n:
        assert math.isnan(score.value)
        assert "too few" in str(score.problem)
    else:
        assert score.value == pytest.approx(by_definition(summary, source, n))
        assert set(score.parts) == set(Novelty.part_names)


@given(texts, st.data())
def test_a_copied_passage_has_nothing_new(source: str, data: st.DataObject) -> None:
    cut = source.split()
    start = data.draw(st.integers(0, len(cut) - 1))
    copied = " ".join(cut[start:])
    [score] = Novelty(n=1).score([Example(source=source, summary=copied)])
    assert score.value == 0
    assert all(part == 0 or math.isnan(part) for part in score.parts.values())


@given(texts, texts)
def test_longer_runs_are_new_where_shorter_are(summary: str, source: str) -> None:
    [score] = Novelty(n=1).score([Example(source=source, summary=summary)])
    assert (score.value == 1) <= all(part == 1 or math.isnan(part) for part in score.parts.values())


def test_no_run_crosses_from_one_document_to_the_next() -> None:
    [score] = Novelty().score([Example(source=["a b", "c d"], summary="a b c")])
    assert score.value == 1 / 2


def test_unknown_words_are_told_apart() -> None:
    # x y and y x are two bigrams though none of their words is in the source.
    [score] = Novelty().score([Example(source="a b c", summary="x y x a b")])
    assert score.value == 3 / 4


def test_evidence_is_what_is_new() -> None:
    summary = "The cat ate fish. The dog sat on it."
    [score] = Novelty().score(
        [Example(source="The cat ate. The dog sat.", summary=summary)], evidence=True
    )
    found = [(summary[s.start : s.end], s.weight) for s in score.evidence]
    assert found == [("ate fish.", 3), ("sat on it.", 4)]


def test_released_keeps_capitals() -> None:
    row = [Example(source="the Cat", summary="The cat")]
    assert Novelty(n=1).score(row)[0].value == 0
    assert Novelty(n=1, **Novelty.presets["released"]).score(row)[0].value == 1


def test_settings_and_rows_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match="n must be 1 or more, not 0"):
        Novelty(n=0)
    rows = [Example(source="a b", summary="a"), Example(source="شكرا", summary="a b")]
    assert [s.problem for s in Novelty(tokenizer="google").score(rows)] == [
        "the summary has 1 words, too few for n=2",
        "there is no word in the source",
    ]
