"""MoverScore: the definition, the values of the authors' two scripts, evidence, bad input."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tricolore import Example
from tricolore.measures.mover_score import MoverScore, mover_score
from tricolore.models import SentenceEncoder
from tricolore.models.queries import Query
from tricolore.testing import check_measure

REFERENCE = "The dogs met the old king in Paris."
SUMMARY = "A dog saw the king, and walks to the city."
EXAMPLE = Example(summary=SUMMARY, references=REFERENCE)


def emd(first: Any, second: Any, distances: Any) -> float:
    """The earth mover's distance of two histograms over the same bins, as pyemd takes them."""
    bins = len(first)
    leaves = np.kron(np.eye(bins), np.ones(bins))
    arrives = np.kron(np.ones(bins), np.eye(bins))
    found = linprog(
        distances.ravel(),
        A_eq=np.vstack([leaves, arrives]),
        b_eq=np.concatenate([first, second]),
        method="highs",
    )
    assert found.success
    return float(found.fun)


def kept(encoder: SentenceEncoder, text: str) -> tuple[list[int], Any]:
    """The tokens that the scripts keep, and the vectors of all layers but the embeddings."""
    ids = encoder.frame(encoder.tokenize(text).ids)
    words = encoder.entries(ids)
    places = [k for k, w in enumerate(words) if w not in string.punctuation and "##" not in w]
    layers = list(range(1, encoder.layers + 1))
    return places, encoder.vectors([Query(ids, tuple(range(len(ids))))], layers)[0].astype(float)


def histogram(here: Any, there: Any) -> tuple[Any, Any]:
    first = np.concatenate([here / sum(here), np.zeros(len(there))])
    return first, np.concatenate([np.zeros(len(here)), there / sum(there)])


def first_script(encoder: SentenceEncoder, reference: str, summary: str, n: int) -> float:
    """word_mover_score of moverscore.py with uniform weights, written out."""
    rows, counts = [], []
    for text in (reference, summary):
        places, layers = kept(encoder, text)
        layers /= np.linalg.norm(layers, axis=-1, keepdims=True)
        last = layers[-5:]
        joined = np.concatenate([last.min(0), last.mean(0), last.max(0)], axis=-1)[places]
        size = min(n, len(joined))
        grams = [joined[i : i + size].mean(0) for i in range(len(joined) - size + 1)]
        rows += grams
        counts.append(np.full(len(grams), float(size)))
    raw = np.array(rows)
    raw /= np.linalg.norm(raw, axis=-1, keepdims=True)
    distances = ((raw[:, None] - raw[None]) ** 2).sum(-1)
    return 1 - emd(*histogram(*counts), distances)


def second_script(encoder: SentenceEncoder, reference: str, summary: str) -> float:
    """word_mover_score of moverscore_v2.py with uniform weights, written out."""
    sides = [kept(encoder, text) for text in (reference, summary)]
    raw = np.concatenate([layers[-1][places] for places, layers in sides])
    raw /= np.linalg.norm(raw, axis=-1, keepdims=True)
    distances = np.sqrt(((raw[:, None] - raw[None]) ** 2).sum(-1))
    return 1 - emd(*histogram(*(np.ones(len(places)) for places, _ in sides)), distances)


@pytest.mark.parametrize("n", [1, 2])
def test_values_are_those_of_the_first_script(tiny: str, n: int) -> None:
    encoder = SentenceEncoder.load(tiny)
    [score] = MoverScore(model=tiny, n=n).score([EXAMPLE])
    assert score.value == pytest.approx(first_script(encoder, REFERENCE, SUMMARY, n), abs=1e-5)


def test_values_are_those_of_the_second_script(tiny: str) -> None:
    encoder = SentenceEncoder.load(tiny)
    released = MoverScore(model=tiny, **MoverScore.presets["released"])
    [score] = released.score([EXAMPLE])
    assert score.value == pytest.approx(second_script(encoder, REFERENCE, SUMMARY), abs=1e-5)


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 3), st.integers(0, 10**6))
def test_the_definition(a: int, b: int, n: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    here, there = draw.normal(size=(a, 4)), draw.normal(size=(b, 4))
    weights = draw.random(a) + 0.1, draw.random(b) + 0.1
    value = mover_score(here, there, weights, n)
    assert -3 <= value <= 1
    assert value == pytest.approx(mover_score(there, here, weights[::-1], n))
    assert mover_score(here, here, (weights[0], weights[0]), n) == pytest.approx(1)


def test_the_measure_has_the_value_of_the_definition(tiny: str) -> None:
    encoder = SentenceEncoder.load(tiny)
    (first, one), (second, two) = (kept(encoder, text) for text in (SUMMARY, REFERENCE))
    unit = [v[-1] / np.linalg.norm(v[-1], axis=-1, keepdims=True) for v in (one, two)]
    weights = np.ones(len(first)), np.ones(len(second))
    right = mover_score(unit[0][first], unit[1][second], weights, 2)
    [score] = MoverScore(model=tiny, aggregation="last", n=2).score([EXAMPLE])
    assert score.value == pytest.approx(right, abs=1e-6)


def test_tokens_that_continue_a_word_may_count(tiny: str) -> None:
    encoder = SentenceEncoder.load(tiny)
    texts = "the dogs", "the king"
    assert encoder.entries(encoder.tokenize("dogs").ids) == ["dog", "##s"]
    # Neither text has punctuation, so that all tokens count.
    one, two = (vectors[-1] for _, vectors in (kept(encoder, text) for text in texts))
    unit = [v / np.linalg.norm(v, axis=-1, keepdims=True) for v in (one, two)]
    right = mover_score(unit[0], unit[1], (np.ones(5), np.ones(4)))
    measure = MoverScore(model=tiny, aggregation="last", subwords=True)
    [score] = measure.score([Example(summary=texts[0], references=texts[1])])
    assert score.value == pytest.approx(right, abs=1e-6)


def test_idf(tiny: str, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("The dog met Paris\nThe king\n")
    measure = MoverScore(model=tiny, idf=str(texts), aggregation="last")
    encoder = SentenceEncoder.load(tiny)
    (first, one), (second, two) = (kept(encoder, t) for t in ("The dog met", "The king met"))
    unit = [v[-1] / np.linalg.norm(v[-1], axis=-1, keepdims=True) for v in (one, two)]
    # [CLS] and [SEP] and "The" are in both texts: log(3 / 3) = 0; the others in one: log(3 / 2).
    rare = np.log(3 / 2)
    weights = np.array([0, 0, rare, rare, 0]), np.array([0, 0, rare, rare, 0])
    right = mover_score(unit[0][first], unit[1][second], weights)
    [score] = measure.score([Example(summary="The dog met", references="The king met")])
    assert score.value == pytest.approx(right, abs=1e-6)
    assert measure.signature()["idf"].startswith("texts.txt (")


def test_several_references(tiny: str) -> None:
    texts = (REFERENCE, SUMMARY, "A bird slept.")
    each = [
        MoverScore(model=tiny).score([Example(summary=SUMMARY, references=text)])[0].value
        for text in texts
    ]
    many = [Example(summary=SUMMARY, references=texts)]
    assert MoverScore(model=tiny).score(many)[0].value == pytest.approx(1)
    mean = MoverScore(model=tiny, references="mean").score(many)[0].value
    assert mean == pytest.approx(np.mean(each), abs=1e-5)


def test_checks_of_every_measure(tiny: str) -> None:
    examples = [EXAMPLE, Example(summary="The king slept", references=("A king", "Paris"))]
    check_measure(MoverScore(model=tiny), examples, tolerance=1e-4)


def test_evidence(tiny: str) -> None:
    [score] = MoverScore(model=tiny).score(
        [Example(summary=" the king", references="the king")], evidence=True
    )
    found = [(span.start, span.end, span.label, span.weight) for span in score.evidence]
    assert found == [(1, 4, "most like “the”", 1.0), (5, 9, "most like “king”", 1.0)]


def test_what_has_no_value(tiny: str) -> None:
    [many] = MoverScore(model=tiny, max_references=1).score(
        [Example(summary="a", references=("b", "c"))]
    )
    assert "more than max_references=1" in str(many.problem)
    [long] = MoverScore(model=tiny, max_pairs=9).score([EXAMPLE])
    assert "max_pairs=9" in str(long.problem)


@pytest.mark.parametrize(
    "settings", [{"n": 0}, {"max_pairs": 0}, {"max_references": 0}, {"idf": "no/such/file"}]
)
def test_settings_that_do_not_fit(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(settings))):
        MoverScore(**settings)
