"""Equality with plain loops written from the description of the paper and of its public code.

The authors' code is not a package, so there is nothing to install and compare with. What follows
shares only the cutting of text into tokens with tricolore.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricolore import Example
from tricolore.measures.importance import Importance

pytestmark = pytest.mark.slow
Gram = tuple[int, ...]


def grams_of(ids: list[int], n: int) -> list[Gram]:
    return [tuple(ids[i : i + n]) for i in range(len(ids) - n + 1)]


def down(pairs: list[tuple[float, Gram]]) -> list[tuple[float, Gram]]:
    """Descending; Python keeps the order of equals. Equal means equal to nine decimals."""
    return sorted(pairs, key=lambda pair: round(pair[0] * 1e9), reverse=True)


def tf_idf(corpus: list[list[Gram]]) -> list[list[tuple[float, Gram]]]:
    df: Counter[Gram] = Counter()
    for grams in corpus:
        df.update(set(grams))
    found = []
    for grams in corpus:
        tf = Counter(grams)  # keeps the order of first appearance
        found.append([(tf[g] * math.log(len(corpus) / df[g]), g) for g in tf])
    return found


def paper(w: list[tuple[float, Gram]], document: int, summary: list[int]) -> float:
    in_summary = set(grams_of(summary, 3))
    earned = total = 0.0
    for r, (weight, gram) in enumerate(down(w), start=1):
        total += math.tanh(weight / r)
        if gram in in_summary:
            earned += math.tanh(weight / r)
    return earned / total / (1 + math.exp(20 * len(summary) / document - 10))


def window(listed: list[tuple[float, Gram]]) -> list[tuple[float, Gram]]:
    changed = []
    for i, (weight, gram) in enumerate(listed):
        near = [other for other, _ in listed[max(0, i - 2) : i + 2]]
        lesser = round(weight * 1e9) < round(max(near) * 1e9)
        changed.append((weight / 10 if lesser else weight, gram))
    return changed


def repeated(listed: list[tuple[float, Gram]]) -> list[tuple[float, Gram]]:
    used: Counter[int] = Counter()
    changed = []
    for weight, gram in listed:
        divisor = 1.0
        for token in gram:
            divisor += used[token] * 0.5
            used[token] += 1
        changed.append((weight / divisor, gram))
    return changed


def released(w: list[tuple[float, Gram]], document: int, summary: list[int]) -> float:
    in_summary = set(grams_of(summary, 3))
    earned = total = 0.0
    for r, (weight, gram) in enumerate(down(repeated(down(window(w)))), start=1):
        total += math.tanh((weight + 1e-6) / r)
        if gram in in_summary:
            earned += math.tanh((weight + 1e-6) / r)
    ratio = (len(summary) - 2) / (document + 1e-6)
    return earned / (total + 1e-6) / (1 + math.exp(20 * ratio - 10))


def expected(measure: Importance, corpus: list[str], pairs: list[tuple[int, str]]) -> list[float]:
    """For each document, by its place in the corpus, and summary."""
    assert measure._corpus is not None
    encode = measure._corpus.tokenizer.ids
    ids = [encode(text).tolist() for text in corpus]
    grams = [grams_of(document, 3) for document in ids]
    weights = tf_idf(grams)
    found = []
    for j, summary in pairs:
        w, tokens = weights[j], encode(summary).tolist()
        if measure.neighbours == "fixed":
            by_gram = {gram: weight for weight, gram in w}
            w = [(by_gram[gram], gram) for gram in grams[j]]
        rule = paper if measure.neighbours == "off" else released
        found.append(rule(w, len(ids[j]), tokens))
    return found


MEASURES = [
    Importance(),
    Importance(**Importance.presets["released"]),
    Importance(**{**Importance.presets["released"], "neighbours": "fixed"}),
]
NAMES = ["paper", "released", "released, fixed"]


@pytest.mark.parametrize("measure", MEASURES, ids=NAMES)
def test_equals_plain_loops_on_summeval(
    measure: Importance, summeval: list[dict[str, Any]]
) -> None:
    corpus = list(dict.fromkeys(row["source"] for row in summeval))
    some = summeval[::23]
    fitted = measure.fit([row["source"] for row in summeval])
    scores = fitted.score([Example(source=r["source"], summary=r["summary"]) for r in some])
    wanted = expected(fitted, corpus, [(corpus.index(r["source"]), r["summary"]) for r in some])
    assert [score.value for score in scores] == pytest.approx(wanted, abs=1e-9)


words = st.lists(
    st.sampled_from("the cat sat on mats Cats “Dog's dogs” barking 7 . ,".split()), min_size=3
)
texts = words.map(" ".join)


@pytest.mark.parametrize("measure", MEASURES, ids=NAMES)
@settings(deadline=None, max_examples=40)
@given(corpus=st.lists(texts, min_size=10, max_size=14, unique=True), summary=texts)
def test_equals_plain_loops_on_small_texts(
    measure: Importance, corpus: list[str], summary: str
) -> None:
    fitted = measure.fit(corpus)
    [score] = fitted.score([Example(source=corpus[0], summary=summary)])
    if score.problem is None:
        [wanted] = expected(fitted, corpus, [(0, summary)])
        assert score.value == pytest.approx(wanted, abs=1e-9)
