"""The word mover's distance of sentences, by hand and on the vectors of a model."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tricolore.measures.gruen_focus import (
    LEAST,
    NORM,
    adjacent_distances,
    content_words,
    focus_score,
    word_mover_distance,
    word_vectors,
)
from tricolore.models import MaskedLM

VECTORS = {"cat": np.array([0.0, 0.0]), "dog": np.array([3.0, 4.0]), "car": np.array([0.0, 8.0])}


def test_by_hand() -> None:
    # The cat goes half to the dog (5) and half to the car (8).
    assert word_mover_distance({"cat": 1}, {"dog": 1, "car": 1}, VECTORS) == pytest.approx(6.5)
    # Weights are log 4 and log 2, that is 2/3 and 1/3.
    found = word_mover_distance({"cat": 1}, {"dog": 3, "car": 1}, VECTORS)
    assert found == pytest.approx(2 / 3 * 5 + 1 / 3 * 8)
    assert word_mover_distance({"cat": 2, "dog": 1}, {"cat": 2, "dog": 1}, VECTORS) == 0
    assert math.isnan(word_mover_distance({}, {"dog": 1}, VECTORS))
    assert math.isnan(word_mover_distance({"unknown": 1}, {"dog": 1}, VECTORS))


def test_which_distances_are_penalised() -> None:
    # 1 / (1 + exp(7 - d)) = 0.05 at d = 7 - ln 19 = 4.0556; the other way at 7 + ln 19 = 9.9444.
    assert focus_score(4.055, "near") < LEAST < focus_score(4.056, "near")
    assert focus_score(9.945, "distant") < LEAST < focus_score(9.944, "distant")
    assert focus_score(math.nan, "near") == focus_score(math.nan, "distant") == 1


def test_words() -> None:
    assert content_words("The dogs of 2 dogs met Anna; 3rd dogs!") == {
        "dogs": 3,
        "met": 1,
        "Anna": 1,
    }


def test_vectors_of_a_model(tiny: str) -> None:
    lm = MaskedLM.load(tiny)
    found = word_vectors(lm, ["dog", "dogs"])
    [dog, plural] = lm.input_vectors(lm.tokenize("dogs").ids).astype(float)
    mean = (dog + plural) / 2
    assert found["dogs"] == pytest.approx(NORM * mean / np.linalg.norm(mean), abs=1e-5)
    assert np.linalg.norm(found["dog"]) == pytest.approx(NORM)
    same, other, empty = adjacent_distances(
        lm, ["The dog saw Paris.", "Paris saw a dog.", "The king ate.", "It was."]
    )
    assert same == 0
    assert other > 1
    assert math.isnan(empty)
