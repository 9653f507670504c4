"""Ranks of n-grams, their neighbours and repetitions."""

from __future__ import annotations

import math

import pytest

from tests.measures.importance_texts import CORPUS, score
from tricolore.measures.importance import Importance


def test_equal_importance_is_ranked_by_first_appearance() -> None:
    # Four bigrams, each once and in no other document: w = log(10) for all.
    source = "q r s t u"
    fitted = Importance(tokenizer="space", n=2, scoring="inv-rank", penalty=False).fit(
        [source, *CORPUS[1:]]
    )
    total = 1 + 1 / 2 + 1 / 3 + 1 / 4
    assert score(fitted, "q r", source).value == pytest.approx(1 / total)
    assert score(fitted, "t u", source).value == pytest.approx(1 / 4 / total)


def test_rounding_decides_no_rank() -> None:
    # "a b" has log(25 / 9), and "c d" 2 · log(25 / 15), which is the same: (25 / 15)² = 25 / 9.
    assert 2 * math.log(25 / 15) > math.log(25 / 9)  # but not to a computer
    source = "a b c d c d"
    others = [f"a b o{i}" for i in range(8)] + [f"c d p{i}" for i in range(14)] + ["q r", "s t"]
    fitted = Importance(tokenizer="space", n=2, scoring="inv-rank", penalty=False).fit(
        [source, *others]
    )
    # "b c" and "d c" are first and second with log(25), then "a b", which comes before "c d".
    total = 1 + 1 / 2 + 1 / 3 + 1 / 4
    assert score(fitted, "a b", source).value == pytest.approx(1 / 3 / total)
    assert score(fitted, "c d", source).value == pytest.approx(1 / 4 / total)


def test_neighbours_and_repetition_by_hand() -> None:
    # In order of appearance: "a b" 2·log 10, "b c" log 5, "c a" log 10. Windows from two before
    # to one after: "b c" and "c a" see "a b", which is larger, so they keep a tenth.
    w = {"ab": 2 * math.log(10), "bc": math.log(5) / 10, "ca": math.log(10) / 10}
    assert w["ab"] > w["ca"] > w["bc"]
    # Down the ranks: "a b" is new; "c a" has one earlier use, of a; "b c" has two, of b and c.
    w["ca"] /= 1 + 0.5 * 1
    w["bc"] /= 1 + 0.5 * 2
    total = math.tanh(w["ab"]) + math.tanh(w["ca"] / 2) + math.tanh(w["bc"] / 3)
    measure = Importance(
        tokenizer="space", n=2, neighbours="legacy", repetition=0.5, penalty=False
    ).fit(CORPUS)
    assert score(measure, "c a").value == pytest.approx(math.tanh(w["ca"] / 2) / total, abs=1e-12)


def test_neighbours_by_position() -> None:
    # With `fixed`, "a b" is listed twice, at positions 0 and 3, and both are largest there.
    w = sorted([2 * math.log(10)] * 2 + [math.log(5) / 10, math.log(10) / 10], reverse=True)
    weights = [math.tanh(x / r) for r, x in enumerate(w, start=1)]
    measure = Importance(tokenizer="space", n=2, neighbours="fixed", penalty=False).fit(CORPUS)
    found = score(measure, "a b")
    assert found.value == pytest.approx((weights[0] + weights[1]) / sum(weights), abs=1e-12)
