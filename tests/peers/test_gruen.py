"""GRUEN's formulas against those of the authors' code (github.com/WanzhengZhu/GRUEN, main.py).

The code is no package, and its CoLA classifier is a download, so its
formulas are written out, with algorithms of our own for what it takes from libraries.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricolore.measures.gruen import gruen
from tricolore.measures.gruen_focus import focus_score
from tricolore.measures.gruen_redundancy import redundancy_flags


def longest_common_substring(a: str, b: str) -> str:
    """The first of the longest in `a`."""
    for length in range(min(len(a), len(b)), 0, -1):
        for start in range(len(a) - length + 1):
            if a[start : start + length] in b:
                return a[start : start + length]
    return ""


def edit_distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (x != y)))
    return row[-1]


def released_flags(a: str, b: str) -> int:
    if a in b or b in a:
        return 4
    wa, wb = a.split(), b.split()
    if len(wa) < 5 and len(wb) < 5:
        return 0
    common = longest_common_substring(a, b)
    flags = 0
    flags += len(common) > 0.8 * min(len(a), len(b))
    flags += len(common.split()) > 0.8 * min(len(wa), len(wb))
    flags += edit_distance(a, b) < 0.6 * max(len(a), len(b))
    flags += len([word for word in wa if word in wb]) > 0.8 * min(len(wa), len(wb))
    return flags


vocabulary = "the The old bridge was closed on Monday in York after it cracked . ,".split()
sentence = st.lists(st.sampled_from(vocabulary), min_size=1, max_size=10).map(" ".join)


@settings(deadline=None, max_examples=300)
@given(sentence, sentence)
def test_flags(a: str, b: str) -> None:
    assert redundancy_flags(a, b) == released_flags(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The old bridge was closed on Monday.", "The old bridge was closed on Sunday."),
        ("UKIP now trail the Tories by 18 per cent.", "UKIP has fallen 18 points."),
        ("it was closed on Monday after it cracked", "after it cracked it was closed on Monday"),
    ],
)
def test_flags_of_sentences(a: str, b: str) -> None:
    assert redundancy_flags(a, b) == released_flags(a, b)


numbers = st.floats(1, 50)
logits = st.floats(-6, 6)


@given(
    st.lists(st.tuples(numbers, logits, st.floats(0, 12)), min_size=1, max_size=5),
    st.integers(0, 12),
)
def test_score(sentences: list[tuple[float, float, float]], flags: int) -> None:
    count = len(sentences)
    lm_score = sum(perplexity for perplexity, _, _ in sentences) / count
    cola_score = sum(logit for _, logit, _ in sentences) / count
    grammaticality = max(0, (math.exp(-0.5 * lm_score) + cola_score) / 8.0 + 0.5)
    redundancy = -0.1 * flags
    # What the code calls a similarity is the word mover's distance.
    distances = [distance for _, _, distance in sentences[1:]]
    scores = [1.0 / (1.0 + math.exp(-distance + 7)) for distance in distances] or [1.0]
    focus = -0.1 if min(scores) < 0.05 else 0.0
    expected = min(1, max(0, grammaticality + redundancy + focus))
    found = gruen(
        [perplexity for perplexity, _, _ in sentences],
        [logit for _, logit, _ in sentences],
        flags,
        [focus_score(distance, "near") for distance in distances],
    )
    assert found == pytest.approx(expected)
