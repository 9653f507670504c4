"""BERTScore: the equations by hand, its settings, its evidence, and what must hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricolore import Example, get_measure
from tricolore.errors import SpecError
from tricolore.measures import bert_score as bert_score_module
from tricolore.measures.bert_score import BertScore, bert_score
from tricolore.measures.bert_score_idf import Idf
from tricolore.models.model import shared
from tricolore.models.sentence_encoder import SentenceEncoder

BRIDGE = "The council voted on Monday to close the old bridge. Engineers had warned of danger."
CATS = "Cats sleep for most of the day, and wake when it is time to eat."
SUMMARY = "The old bridge will be closed."
INVISIBLE = "\u200b\u200b"


@pytest.fixture(scope="module")
def minilm() -> Any:
    return BertScore().encoder


def one(references: Any, summary: str = SUMMARY, *, evidence: bool = False, **chosen: Any) -> Any:
    kind = chosen.get("against", "references")
    example = Example(summary=summary, **{kind: references})
    [score] = BertScore(**chosen).score([example], evidence=evidence)
    return score


WORDS = st.sampled_from("the dog cats king queen Paris Rome met slept saw old new , .".split())
TEXTS = st.lists(WORDS, min_size=1, max_size=15).map(" ".join)


@settings(max_examples=30, deadline=None)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), st.sampled_from([1, 2, 3]))
def test_the_measure_gives_what_the_definition_gives(tiny, reference, summaries, layer):
    encoder = shared(SentenceEncoder, tiny)
    examples = [Example(summary=summary, references=reference) for summary in summaries]
    for example, score in zip(
        examples, BertScore(model=tiny, layer=str(layer)).score(examples), strict=True
    ):
        expected = bert_score(encoder, example.summary, reference, layer)
        found = [score.parts[part] for part in ("precision", "recall", "f1")]
        assert found == pytest.approx(expected, abs=1e-6)


def test_the_definition_with_the_default_encoder(minilm):
    found = [one(BRIDGE).parts[part] for part in ("precision", "recall", "f1")]
    assert found == pytest.approx(bert_score(minilm, SUMMARY, BRIDGE, 5), abs=1e-6)


def test_weights():
    # Two texts: "a" is in both, log(3/3); "b" in one, log(3/2); "c" in none, log(3/1).
    idf = Idf.of(["a b", "a a"], lambda text: [ord(word) for word in text.split()])
    expected = [0.0, math.log(1.5), math.log(3)]
    assert idf([97, 98, 99]).tolist() == pytest.approx(expected)
    # The second text twice: three texts, "b" in one of them.
    idf = Idf.of(["a b", "a a", "a a"], lambda text: [ord(word) for word in text.split()])
    assert idf([98]).tolist() == pytest.approx([math.log(4 / 2)])
    assert Idf()([97, 98]).tolist() == [1, 1]


def test_the_same_text_is_1():
    assert one(SUMMARY).parts == pytest.approx({"precision": 1, "recall": 1, "f1": 1}, abs=1e-6)
    assert one(CATS).value < one(BRIDGE).value < 1


def test_special_tokens_match_but_do_not_count(minilm):
    """One word each: precision and recall are its cosine with the best of three places."""
    from tricolore.models.queries import Query

    frames = [minilm.frame(minilm.tokenize(word).ids) for word in ("bridge", "eat")]
    bridge, eat = (v[0] for v in minilm.vectors([Query(f, (0, 1, 2)) for f in frames], [5]))
    bridge /= np.linalg.norm(bridge, axis=1, keepdims=True)
    eat /= np.linalg.norm(eat, axis=1, keepdims=True)
    score = one("eat", summary="bridge")
    assert score.parts["precision"] == pytest.approx((bridge[1] @ eat.T).max(), abs=1e-5)
    assert score.parts["recall"] == pytest.approx((eat[1] @ bridge.T).max(), abs=1e-5)


def test_several_references_give_the_best_of_each_part():
    scores = [one(text) for text in (BRIDGE, CATS, "The bridge will be closed.")]
    together = one([BRIDGE, CATS, "", "The bridge will be closed."])
    for part in BertScore.part_names:
        best = max(score.parts[part] for score in scores)
        assert together.parts[part] == pytest.approx(best, abs=1e-6)


def test_the_value_is_the_part_that_is_asked_for():
    parts = one(BRIDGE).parts
    assert len({round(part, 4) for part in parts.values()}) == 3
    for part in BertScore.part_names:
        assert one(BRIDGE, value=part).value == pytest.approx(parts[part], abs=1e-6)


def test_the_source_in_place_of_references():
    assert BertScore(against="source").needs == {"source"}
    assert BertScore().needs == {"references"}
    assert one(BRIDGE, against="source").parts == pytest.approx(one(BRIDGE).parts, abs=1e-6)
    [score] = BertScore().score([Example(source=BRIDGE, summary=SUMMARY)])
    assert score.problem == "there is no reference"


def test_layers():
    assert BertScore().signature()["layer"] == 5  # three quarters of 6, rounded up
    assert BertScore(layer=-1).signature()["layer"] == 6
    assert abs(one(BRIDGE, layer="1").value - one(BRIDGE).value) > 0.01
    with pytest.raises(SpecError, match="has layers 0 to 6, not 7"):
        BertScore(layer="7").signature()
    with pytest.raises(SpecError, match="layer must be of whole numbers"):
        get_measure("bert-score:layer=top")


def test_long_texts_are_cut_or_read_in_pieces():
    # 8 tokens are two special ones and "The council voted on Monday to".
    cut = one(BRIDGE, max_tokens=8)
    assert cut.parts == one("The council voted on Monday to sing", max_tokens=8).parts
    whole = one(BRIDGE, max_tokens=8, long="chunk", evidence=True)
    assert whole.parts["precision"] > cut.parts["precision"] + 0.05
    words = [BRIDGE[s.match.start : s.match.end] for s in whole.evidence if s.match]
    assert {"old", "bridge", "close"} <= set(words)  # beyond the first piece
    assert one(BRIDGE, long="chunk").parts == one(BRIDGE).parts  # one piece


def test_rescaling(tmp_path):
    plain = one(BRIDGE).parts
    [p, r, f] = [plain[part] for part in BertScore.part_names]
    one_number = one(BRIDGE, baseline=0.5).parts
    assert [*one_number.values()] == pytest.approx([2 * p - 1, 2 * r - 1, 2 * f - 1], abs=1e-6)
    three = one(BRIDGE, baseline="0.5+0+-1").parts
    assert [*three.values()] == pytest.approx([2 * p - 1, r, (f + 1) / 2], abs=1e-6)
    assert BertScore(baseline=0.5).bounds == (-math.inf, 1)
    file = tmp_path / "baseline.tsv"
    file.write_text("LAYER,P,R,F\n4,0.1,0.1,0.1\n5,0.5,0.5,0.5\n")
    assert one(BRIDGE, baseline=str(file)).parts == pytest.approx(one_number, abs=1e-6)
    with pytest.raises(SpecError, match="has no layer 6"):
        BertScore(baseline=str(file), layer="6").signature()
    for bad in ("1", "0.1+0.2", "nowhere.tsv"):
        with pytest.raises(SpecError, match="must be a number below 1, three of them"):
            get_measure(f"bert-score:baseline={bad}")


def test_what_has_no_value():
    assert one(BRIDGE, INVISIBLE).problem == "the summary has no word that the model can read"
    assert one(INVISIBLE).problem == "the reference has no word that the model can read"
    assert one([INVISIBLE, BRIDGE]).value == pytest.approx(one(BRIDGE).value, abs=1e-6)


def test_evidence_is_the_best_match_of_every_token():
    summary, references = " The bridges will be shut.", [CATS, "\n The old bridge will be closed."]
    score = one(references, summary, evidence=True)
    assert score.parts == one(references, summary).parts
    found = {summary[span.start : span.end]: span for span in score.evidence}
    assert [*found] == ["The", "bridges", "will", "be", "shut", "."]
    matched = {
        word: references[span.match.document][span.match.start : span.match.end]
        for word, span in found.items()
        if span.match
    }
    assert matched["bridges"] == "bridge"
    assert matched["shut"] == "closed"
    assert {span.match.where for span in found.values() if span.match} == {"reference"}
    assert found["shut"].label == "most like “closed”"
    weights = [span.weight for span in score.evidence]
    alone = one(references[1], summary).parts["precision"]
    assert np.mean(weights) == pytest.approx(alone, abs=1e-4)


def test_a_piece_of_a_word_names_the_whole_word():
    score = one("Merson was late.", "Merson came", evidence=True)
    first, second = score.evidence[:2]
    assert (first.start, first.end, second.start, second.end) == (0, 3, 3, 6)
    assert first.label == second.label == "most like “Merson”"


def test_company_order_and_batches_change_nothing(monkeypatch):
    texts = [BRIDGE, CATS, SUMMARY, "Shares fell.", "A dog barked at the old cat on Monday."]
    examples = [
        Example(summary=a, references=(b, texts[0])) for a in texts for b in texts[1:] if a != b
    ]
    alone = [BertScore().score([example])[0].value for example in examples]
    for held in (64_000, 200, 1):
        monkeypatch.setattr(bert_score_module, "_CHARACTERS", held)
        together = [score.value for score in BertScore().score(examples[::-1])][::-1]
        assert together == pytest.approx(alone, abs=1e-6)


@pytest.mark.parametrize("characters", [64_000, 60])
def test_a_reference_is_encoded_once_for_all_its_summaries(minilm, monkeypatch, characters):
    # 60: all summaries together, and fewer than the references have
    monkeypatch.setattr(bert_score_module, "_CHARACTERS", characters)
    asked: list[int] = []
    vectors = minilm.net.vectors

    def note(queries: Any, layers: Any) -> Any:
        asked.extend(len(query.ids) for query in queries)
        return vectors(queries, layers)

    monkeypatch.setattr(minilm.net, "vectors", note)
    summaries = ["The bridge closes.", "Engineers warned.", "The bridge closes.", "It is."]
    BertScore().score([Example(summary=s, references=(BRIDGE, CATS)) for s in summaries])
    assert len(asked) == 5  # two references and three different summaries
