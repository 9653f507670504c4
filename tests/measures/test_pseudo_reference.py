"""The choice of sentences, by vectors whose cosines can be read off."""

from __future__ import annotations

import numpy as np
import pytest

from tricolore.measures import pseudo_reference
from tricolore.measures.pseudo_reference import (
    Rule,
    before_repetition,
    choose,
    cluster_centres,
    highest,
    lexrank,
    pacsum,
    read,
    top_and_cliques,
)
from tricolore.memo import forget
from tricolore.models.model import shared
from tricolore.models.sentence_encoder import SentenceEncoder


def vectors(*given):
    return np.array(given, dtype=np.float32)


# Cosines of the first with the second 0.8, with the third 0, of the second with the third 0.6.
THREE = vectors((1, 0), (0.8, 0.6), (0, 1))


def test_lexrank_is_the_sum_of_similarities_to_all_others():
    assert lexrank(THREE) == pytest.approx([0.8 + 0, 0.8 + 0.6, 0 + 0.6])


def test_pacsum_takes_earlier_sentences_off():
    # Later: (0.8 + 0) / 2, 0.6, nothing. Earlier: nothing, 0.8, (0 + 0.6) / 2.
    assert pacsum(THREE, np.array([0, 1, 2])) == pytest.approx([0.4, 0.6 - 0.8, -0.3])


def test_pacsum_of_two_documents_goes_by_the_place_in_each():
    # The third is the first of its document: the second comes after both others.
    assert pacsum(THREE, np.array([0, 1, 0])) == pytest.approx([0.8, -(0.8 + 0.6) / 2, 0.6])


def test_the_first_of_near_equal_ones():
    scores = np.array([0.5, 0.9, 0.9 + 1e-7, 0.1])
    assert highest(scores, 1) == [1]
    assert highest(scores, 2) == [1, 2]
    assert highest(scores, 9) == [0, 1, 2, 3]


def test_up_to_the_first_repetition():
    sentences = vectors((1, 0), (0, 1), (0.8, 0.6), (0, -1))
    assert before_repetition(sentences, 0.75) == [0, 1]
    assert before_repetition(sentences, 0.85) == [0, 1, 2, 3]
    assert before_repetition(sentences[:1], 0.1) == [0]


def test_top_and_cliques():
    sentences = vectors(
        (1, 0, 0),  # the first sentence, taken in any case
        (0, 1, 0),  # a clique with the next two: 0.96 + 0.8 = 1.76
        (0, 0.96, 0.28),  # its centre: 0.96 + 0.936 = 1.896
        (0, 0.8, 0.6),  # 0.8 + 0.936 = 1.736
        (0.96, 0.28, 0),  # a clique with the next, but like the first sentence: 0.96
        (0.96, 0.28, 0),
        (0, 0, -1),  # like none: no clique
    )
    first = np.array([True] + [False] * 6)
    assert top_and_cliques(sentences, first, 0.75) == [0, 2]
    # From 0.9 on the second and fourth are no longer joined: two cliques share the third, whose
    # centres are the earlier of two each time.
    assert top_and_cliques(sentences, first, 0.9) == [0, 1, 2]


def test_cluster_centres():
    tight = [(1, 0), (0.98, 0.199), (0.98, -0.199)]
    other = [(y, x) for x, y in tight]
    assert cluster_centres(vectors(*tight, *other)) == [0, 3]
    assert cluster_centres(vectors((1, 0))) == [0]
    assert len(cluster_centres(vectors(*[(1, 0)] * 4))) >= 1


STORY = ["the old king met the queen . the dog slept . a cat ate the fish .", "the bird saw Rome ."]


def chosen(tiny, against, source=STORY, **given):
    rule = Rule(**{"reference_from": against, "sentences": 1, "pool": 1, "similar": 0.75, **given})
    [found] = choose(rule, [tuple(source)], lambda: shared(SentenceEncoder, tiny))
    return [(sentence.document, sentence.number) for sentence in found]


def test_by_place(tiny):
    assert chosen(tiny, "mech") == [(0, 0), (1, 0)]
    assert chosen(tiny, "mech", sentences=2) == [(0, 0), (0, 1), (1, 0)]
    assert chosen(tiny, "sd") == chosen(tiny, "ref") == chosen(tiny, "snip")
    assert len(chosen(tiny, "sd")) == 4
    long = ["the dog slept . " * 30]
    assert len(chosen(tiny, "top20", long)) == 20
    assert len(chosen(tiny, "mech", long, sentences=25)) == 25


@pytest.mark.parametrize("kind", ["slr", "sps"])
def test_of_each_document_or_of_all(tiny, kind):
    each = chosen(tiny, f"{kind}_i", sentences=1)
    assert [document for document, _ in each] == [0, 1]
    assert len(chosen(tiny, f"{kind}_g", pool=1)) == 1
    assert len(chosen(tiny, f"{kind}_g", pool=9)) == 4


def test_the_graph_is_that_of_the_encoder(tiny):
    sentences = read(STORY)
    texts = [STORY[s.document][s.start : s.end] for s in sentences]
    found = shared(SentenceEncoder, tiny).embed(texts, normalised=True)
    cosines = found @ found.T
    central = int(np.argmax(cosines.sum(axis=1)))
    wanted = [(sentences[central].document, sentences[central].number)]
    assert chosen(tiny, "slr_g", pool=1) == wanted


def test_clusters_cliques_and_repetition_keep_to_the_text(tiny):
    for against in ("sc_i", "sc_g", "tc", "simmax"):
        found = chosen(tiny, against)
        assert found == sorted(set(found))
        assert found
    assert {document for document, _ in chosen(tiny, "sc_i")} == {0, 1}
    assert chosen(tiny, "tc", similar=1.0) == [(0, 0), (1, 0)]
    assert (0, 1) not in chosen(tiny, "simmax", ["the dog slept . the dog slept . a cat ate ."])


def test_a_choice_is_made_once(tiny, monkeypatch):
    asked = []
    embed = SentenceEncoder.embed

    def note(self, texts, **given):
        asked.append(list(texts))
        return embed(self, texts, **given)

    monkeypatch.setattr(SentenceEncoder, "embed", note)
    forget()
    rule = Rule("slr_g", 1, 1, 0.75)
    sources = [("the king slept . a fish ate .",), ("the queen slept .",)]
    first = choose(rule, sources, lambda: shared(SentenceEncoder, tiny))
    assert choose(rule, sources[::-1], lambda: shared(SentenceEncoder, tiny)) == first[::-1]
    assert [len(texts) for texts in asked] == [3]
    monkeypatch.setattr(pseudo_reference._choices, "limit", 1000)
    many = [(f"the king saw {n:03} .",) for n in range(200)]  # of 18 characters, and 100 each
    assert len(choose(rule, many, lambda: shared(SentenceEncoder, tiny))) == 200
    assert [key[-1] for key in pseudo_reference._choices.kept] == many[-8:]
