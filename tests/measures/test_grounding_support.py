"""The support of sentences by passages, from vectors that are written by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tricolore.measures.grounding_support import EncodedSource, encoded_sentences
from tricolore.measures.passages import Passage
from tricolore.measures.supert_tokens import SentenceTokens

VECTORS = {
    "Rain.": [[1, 0, 0]],
    "Wind.": [[0, 1, 0]],
    "Snow.": [[0, 0, 1]],
    "Rain wind.": [[1, 0, 0], [0, 1, 0]],
}


def reader(excerpts: Any) -> list[SentenceTokens]:
    """Every word is a token with a vector of its own; other texts have none."""
    found = []
    for excerpt in excerpts:
        [text] = excerpt.texts
        vectors = np.array(VECTORS.get(text, []), dtype=np.float32).reshape(-1, 3)
        places = np.array([(0, at, at + 1) for at in range(len(vectors))]).reshape(-1, 3)
        found.append(SentenceTokens(vectors, places, text == "Rain wind."))
    return found


def test_the_best_passage_may_be_a_run_of_sentences():
    source = EncodedSource(("Rain. Wind. Snow.",), reader)
    [support] = source.supports([np.array(VECTORS["Rain wind."], dtype=np.float32)])
    # The mean of rain and wind has the direction of the passage "Rain. Wind."; both tokens are in the source.
    assert support.passage == Passage(0, 0, 11)
    assert support.cosine == pytest.approx(1)
    assert support.precision == pytest.approx(1)
    assert support.value == 1


def test_a_sentence_with_half_of_its_tokens():
    source = EncodedSource(("Rain.",), reader)
    [support] = source.supports([np.array(VECTORS["Rain wind."], dtype=np.float32)])
    # cos((1, 1), (1, 0)) is 0.7071; one of two tokens has its like.
    assert support.cosine == pytest.approx(0.5**0.5)
    assert support.precision == pytest.approx(0.5)
    assert support.value == pytest.approx((0.5**0.5 + 0.5) / 2)
    assert support.best.tolist() == [1, 0]


def test_passages_do_not_cross_documents():
    source = EncodedSource(("Rain.", "Wind."), reader)
    [support] = source.supports([np.array(VECTORS["Rain wind."], dtype=np.float32)])
    assert support.cosine == pytest.approx(0.5**0.5)


def test_fit_wants_one_passage():
    near, far = (
        EncodedSource(("Rain. Wind.",), reader),
        EncodedSource(("Rain. Snow. Snow. Snow. Wind.",), reader),
    )
    text = np.array(VECTORS["Rain wind."], dtype=np.float32)
    assert near.fit(text) == pytest.approx(2)
    # No run of three sentences has both: cosine and precision are those of one of them.
    assert far.fit(text) == pytest.approx(0.5**0.5 + 0.5)


def test_what_the_encoder_cannot_read():
    assert not EncodedSource(("?!",), reader)
    assert EncodedSource(("Rain.",), reader)
    assert EncodedSource(("Rain wind.",), reader).is_cut
    assert [tokens.vectors.tolist() for _, tokens in encoded_sentences("Rain. ?!", reader)] == [
        [[1, 0, 0]]
    ]
