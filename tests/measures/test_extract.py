"""Which sentences of a long source are kept."""

from __future__ import annotations

import pytest

from tricolore import Example
from tricolore.measures.extract import ExtractError, extract
from tricolore.measures.importance import Importance
from tricolore.text.sentences import sentence_spans

LONG = (
    "It was a day like any other, and there was not much to say about it at all. "
    "Engineers found cracks in three pillars of the Ouse bridge. "
    "There were some people there, and some of them were there before the others. "
    "Mayor Anna Bell closed the bridge on Monday."
)


def test_a_short_source_is_kept_whole() -> None:
    found = extract((LONG, "And more."), len(LONG.split()) + 2)
    assert found.texts == (LONG, "And more.")
    assert found.spans == ((0, 0, len(LONG)), (1, 0, 9))
    assert not found.is_cut


def test_the_heaviest_sentences_are_kept_in_their_order() -> None:
    found = extract((LONG,), 18)
    assert found.is_cut
    assert found.texts == (
        "Engineers found cracks in three pillars of the Ouse bridge. "
        "Mayor Anna Bell closed the bridge on Monday.",
    )
    assert " ".join(LONG[start:end] for _, start, end in found.spans) == found.texts[0]


def test_the_weights_are_those_of_the_importance_measure() -> None:
    importance = Importance(corpus="background", penalty=False)
    spans = [(77, 136), (0, 76)]
    weights = importance.span_weights(LONG, spans)
    assert not isinstance(weights, str)
    for (start, end), weight in zip(spans, weights, strict=True):
        [score] = importance.score([Example(source=LONG, summary=LONG[start:end])])
        assert weight == pytest.approx(score.parts["relevance"], abs=1e-12)


def test_documents_without_a_kept_sentence_are_left_out() -> None:
    first, rest = LONG.split(" Engineers")
    found = extract((first, "Engineers" + rest), 18)
    assert found.texts == (extract((LONG,), 18).texts[0],)
    assert {document for document, *_ in found.spans} == {1}


def test_sentences_are_weighed_where_they_are_in_many_documents() -> None:
    # One character too few per document would move the last sentence onto the one before it.
    heavy = "Engineers found cracks in three pillars of the Ouse bridge."
    light = "There were some people there, and some of them were not so."
    assert len(heavy) == len(light) == 59
    found = extract((*["It was."] * 59, heavy, light), 12)
    assert (59, 0, 59) in found.spans
    assert heavy in found.texts
    assert light not in found.texts


def test_there_is_always_a_sentence_and_it_is_the_heaviest() -> None:
    # All four have more than one word.
    sentences = sentence_spans(LONG)
    weights = Importance(corpus="background", penalty=False).span_weights(LONG, sentences)
    assert not isinstance(weights, str)
    heaviest = max(range(4), key=lambda at: weights[at])
    assert heaviest > 0  # else the test proves nothing
    assert extract((LONG,), 1).spans == ((0, *sentences[heaviest]),)


def test_a_source_that_cannot_be_weighed_is_an_error() -> None:
    with pytest.raises(ExtractError, match="no sentences can be chosen by importance: most char"):
        extract(("橋は月曜日に閉鎖された。 " * 30,), 5)
