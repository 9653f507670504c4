"""YiSi-1: by hand, the author's formula, evidence and bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore import Example
from tricolore.measures.yisi import Yisi, yisi_1
from tricolore.models import SentenceEncoder
from tricolore.testing import check_measure

EXAMPLE = Example(summary="A dog saw the king.", references="The dogs met the old king in Paris.")


def released(cosines: Any, here: Any, there: Any, alpha: float, n: int) -> list[float]:
    """n-gram idf-weighted precision and recall as github.com/chikiulo/yisi has it, in loops."""

    def one_way(similarity: Any, weights: Any) -> float:
        top = bottom = 0.0
        for i in range(len(similarity) - n + 1):
            best = 0.0
            mass = sum(weights[i + k] for k in range(n))
            for j in range(len(similarity[0]) - n + 1):
                found = sum(weights[i + k] * similarity[i + k][j + k] for k in range(n))
                best = max(best, found / mass)
            top += mass * best
            bottom += mass
        return top / bottom

    precision = one_way(cosines.tolist(), here)
    recall = one_way(cosines.T.tolist(), there)
    if precision == 0 or recall == 0:
        return [0.0, precision, recall]
    value = precision * recall / (alpha * precision + (1 - alpha) * recall)
    return [value, precision, recall]


@given(
    st.integers(2, 6), st.integers(2, 6), st.integers(1, 2), st.floats(0, 1), st.integers(0, 10**6)
)
def test_values_are_those_of_the_formula(a: int, b: int, n: int, alpha: float, seed: int) -> None:
    draw = np.random.default_rng(seed)
    cosines = draw.uniform(-1, 1, size=(a, b))
    weights = draw.random(a) + 0.1, draw.random(b) + 0.1
    right = released(cosines, *weights, alpha, n)
    assert list(yisi_1(cosines, *weights, alpha, n)) == pytest.approx(right)


def test_by_hand() -> None:
    cosines = np.array([[1.0, 0.0], [0.5, 0.2]])
    # Precision: (1 * 1 + 3 * 0.5) / 4; recall: (1 * 1 + 1 * 0.2) / 2.
    value, precision, recall = yisi_1(cosines, np.array([1.0, 3.0]), np.ones(2), alpha=0.8)
    assert (precision, recall) == pytest.approx((0.625, 0.6))
    assert value == pytest.approx(0.625 * 0.6 / (0.8 * 0.625 + 0.2 * 0.6))
    assert yisi_1(np.array([[-0.5]]), np.ones(1), np.ones(1)) == (0, 0, 0)
    # A text of one token has no bigram: both are compared by single tokens.
    assert yisi_1(np.array([[0.5, 0.7]]), np.ones(1), np.ones(2), n=2)[1] == pytest.approx(0.7)


def test_the_measure_has_the_value_of_the_definition(tiny: str) -> None:
    encoder = SentenceEncoder.load(tiny)
    here, there = (
        encoder.token_vectors([text], layer=2)[0].vectors.astype(float)
        for text in (EXAMPLE.summary, EXAMPLE.references[0])
    )
    here /= np.linalg.norm(here, axis=1, keepdims=True)
    there /= np.linalg.norm(there, axis=1, keepdims=True)
    right = yisi_1(here @ there.T, np.ones(len(here)), np.ones(len(there)))
    [score] = Yisi(model=tiny, layer="2").score([EXAMPLE])
    assert [score.value, score.parts["precision"], score.parts["recall"]] == pytest.approx(
        list(right), abs=1e-5
    )


def test_the_measure_weighs_recall_by_alpha(tiny: str) -> None:
    [score] = Yisi(model=tiny, alpha=0.8).score([EXAMPLE])
    precision, recall = score.parts["precision"], score.parts["recall"]
    assert precision != pytest.approx(recall, abs=1e-3)  # else the test proves nothing
    right = precision * recall / (0.8 * precision + 0.2 * recall)
    assert score.value == pytest.approx(right)


def test_idf(tiny: str, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("The dog met Paris\nThe king\n")
    encoder = SentenceEncoder.load(tiny)
    here, there = (
        encoder.token_vectors([text], layer=3)[0].vectors.astype(float)
        for text in ("The dog", "The bird")
    )
    here /= np.linalg.norm(here, axis=1, keepdims=True)
    there /= np.linalg.norm(there, axis=1, keepdims=True)
    # Of two texts, "The" is in both, "dog" in one, "bird" in none: log2(1 + 3/3, 3/2, 3/1).
    weights = np.log2([2, 2.5]), np.log2([2, 4])
    [score] = Yisi(model=tiny, idf=str(texts), layer="-1").score(
        [Example(summary="The dog", references="The bird")]
    )
    assert score.value == pytest.approx(yisi_1(here @ there.T, *weights)[0], abs=1e-5)


def test_checks_of_every_measure(tiny: str) -> None:
    check_measure(
        Yisi(model=tiny), [EXAMPLE, Example(summary="a king", references="Rome")], tolerance=1e-4
    )


def test_evidence(tiny: str) -> None:
    [score] = Yisi(model=tiny, layer="0").score(
        [Example(summary="king", references=("Rome", "king the"))], evidence=True
    )
    [span] = score.evidence
    assert (span.label, span.kind) == ("most like “king”", "similar")
    assert span.match is not None
    assert (span.match.document, span.match.start, span.match.end) == (1, 0, 4)


@pytest.mark.parametrize("settings", [{"n": 0}, {"alpha": 1.5}, {"layer": "top"}])
def test_settings_that_do_not_fit(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(settings))):
        Yisi(**settings)
