"""SBERT cosine: the mapping, the average over documents, long texts, and what must hold."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tricolore import Example, get_measure
from tricolore.errors import SpecError
from tricolore.measures.sbert import Sbert

BRIDGE = "The council voted on Monday to close the old bridge. Engineers had warned of danger."
CATS = "Cats sleep for most of the day, and wake when it is time to eat."
SUMMARY = "The old bridge will be closed."
INVISIBLE = "\u200b\u200b"


@pytest.fixture(scope="module")
def minilm() -> Any:
    return Sbert().encoder


def one(source: Any, summary: str = SUMMARY, **chosen: Any) -> Any:
    [score] = Sbert(**chosen).score([Example(source=source, summary=summary)])
    return score


def cosine(a: Any, b: Any) -> float:
    a, b = a.astype(float), b.astype(float)
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_the_cosine_is_mapped_to_0_to_1(minilm):
    summary, bridge = minilm.embed([SUMMARY, BRIDGE])
    expected = cosine(summary, bridge)
    score = one(BRIDGE)
    assert score.parts == {"cosine": pytest.approx(expected, abs=1e-6)}
    assert score.value == pytest.approx((1 + expected) / 2, abs=1e-6)
    assert one(SUMMARY).value == pytest.approx(1, abs=1e-6)
    assert one(SUMMARY).value <= 1
    assert one(CATS).value < score.value - 0.2


def test_several_documents_are_averaged(minilm):
    both = (one(BRIDGE).parts["cosine"] + one(CATS).parts["cosine"]) / 2
    assert one([BRIDGE, CATS]).parts["cosine"] == pytest.approx(both, abs=1e-6)
    # A document without a word is none.
    assert one([BRIDGE, "", INVISIBLE, CATS]).value == pytest.approx((1 + both) / 2, abs=1e-6)


@pytest.mark.parametrize("pooling", ["cls", "mean", "max"])
def test_pooling(minilm, pooling):
    summary, bridge = minilm.embed([SUMMARY, BRIDGE], pooling=pooling, normalised=False)
    expected = cosine(summary, bridge)
    assert one(BRIDGE, pooling=pooling).parts["cosine"] == pytest.approx(expected, abs=1e-6)
    as_trained = one(BRIDGE).parts["cosine"]
    assert (as_trained == pytest.approx(expected, abs=1e-6)) == (pooling == "mean")


def test_long_texts_are_cut_or_read_in_pieces(minilm):
    # "The council voted on Monday to" is six tokens, and two special ones make eight.
    beginning = "The council voted on Monday to"
    assert len(minilm.tokenize(beginning)) == 6
    cut = one(BRIDGE, summary=CATS, max_tokens=8).value
    assert cut == one(f"{beginning} sing.", summary=CATS, max_tokens=8).value
    whole = one(BRIDGE, summary=CATS, max_tokens=8, long="chunk").value
    assert abs(whole - cut) > 1e-3
    vectors = minilm.embed([BRIDGE, CATS], max_tokens=8, long="chunk")
    assert whole == pytest.approx((1 + cosine(*vectors)) / 2, abs=1e-6)


def test_what_has_no_value():
    assert one(BRIDGE, summary=INVISIBLE).problem.startswith("the summary has no word")
    assert one([INVISIBLE, INVISIBLE]).problem.startswith("the source has no word")
    assert one(BRIDGE, summary=" ").problem == "the summary is empty"


def test_a_source_is_encoded_once_for_all_its_summaries(minilm, monkeypatch):
    asked: list[int] = []
    vectors = minilm.net.vectors

    def note(queries: Any, layers: Any) -> Any:
        asked.extend(len(query.ids) for query in queries)
        return vectors(queries, layers)

    monkeypatch.setattr(minilm.net, "vectors", note)
    summaries = ["The bridge closes.", "Engineers warned.", "The bridge closes.", "It is old."]
    Sbert().score([Example(source=BRIDGE, summary=summary) for summary in summaries])
    assert len(asked) == 4  # the source and three different summaries


def test_company_and_order_change_nothing():
    words = f"{BRIDGE} {CATS}".split()
    draw = random.Random(5)
    examples = [
        Example(
            source=" ".join(draw.choices(words, k=draw.randint(1, 60))),
            summary=" ".join(draw.choices(words, k=draw.randint(1, 20))),
        )
        for _ in range(8)
    ]
    alone = [Sbert().score([example], evidence=True)[0].value for example in examples]
    together = [score.value for score in Sbert().score(examples[::-1])][::-1]
    assert together == pytest.approx(alone, abs=1e-6)
    assert len(set(alone)) == 8


def test_settings():
    assert Sbert() == get_measure("sbert:preset=paper")
    assert get_measure("sbert:pooling=max,long=chunk").label == "sbert:pooling=max,long=chunk"
    with pytest.raises(SpecError, match="max_tokens must be 3 or more"):
        get_measure("sbert:max_tokens=2")
    with pytest.raises(SpecError, match="reads at most 512 tokens at a time, not 600"):
        Sbert(max_tokens=600).signature()
    assert Sbert().signature()["weights"] == Sbert().encoder.revision


def test_another_model():
    score = one(BRIDGE, model="embedded")
    assert 0.5 < one(CATS, model="embedded").value < score.value <= 1
