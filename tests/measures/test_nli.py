"""Entailment: the definition, the values of SummaC's code, evidence, and what has no value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.models.conftest import TEXT
from tests.models.nli_checkpoint import save_nli
from tricolore import Example, get_measure
from tricolore.errors import SpecError
from tricolore.measures.nli import Nli, _Judgements, summac_zs
from tricolore.models import Entailment, ModelNotFoundError, Placement, placed
from tricolore.testing import check_measure
from tricolore.text.sentences import sentences

SOURCE = " ".join(TEXT)
SUMMARY = "The council warned of danger. A dog found a coin. Shares fell."
LABELS = ("entailment", "neutral", "contradiction")


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_nli(tmp_path_factory.mktemp("nli")))


@pytest.fixture(scope="session")
def two_labels(tmp_path_factory: pytest.TempPathFactory) -> str:
    labels = ("unsupported", "supported")
    return str(save_nli(tmp_path_factory.mktemp("two"), labels=labels))


@pytest.fixture(scope="session")
def model(directory: str) -> Entailment:
    return Entailment.load(directory)


def one(directory: str, source: Any = SOURCE, summary: str = SUMMARY, **chosen: Any) -> Any:
    [score] = Nli(model=directory, **chosen).score(
        [Example(source=source, summary=summary)], evidence=True
    )
    return score


words = st.lists(st.sampled_from(" ".join(TEXT).split()), min_size=1, max_size=12).map(" ".join)
texts = st.lists(
    words.map(lambda text: f"{text.rstrip('.').capitalize()}."), min_size=1, max_size=4
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_values_are_those_of_the_definition(directory, model, given_texts):
    examples = [Example(source=" ".join(a), summary=" ".join(b)) for a, b in given_texts]
    found = [score.value for score in Nli(model=directory).score(examples)]
    expected = [summac_zs(model, e.summary, e.source[0]) for e in examples]
    assert found == pytest.approx(expected, abs=1e-5)


def test_values_are_those_of_summac():
    # The matrices (passages x sentences), and what `SummaCZS.image2score` of summac 0.0.4 gives for
    # them: use_ent alone and with use_con, op1=max, op2=mean and min.
    entailment = [[0.9, 0.2, 0.05], [0.1, 0.3, 0.02], [0.4, 0.25, 0.6]]
    contradiction = [[0.05, 0.7, 0.15], [0.2, 0.1, 0.9], [0.3, 0.35, 0.1]]
    neutral = 1 - np.array(entailment) - np.array(contradiction)
    table = _Judgements(np.stack([entailment, neutral, contradiction], axis=2), LABELS)
    parts = table.parts()
    assert parts["entailment"] == pytest.approx(0.6)
    assert parts["lowest_entailment"] == pytest.approx(0.3)
    assert parts["difference"] == pytest.approx(-0.033333333333333305)
    assert parts["lowest_difference"] == pytest.approx(-0.39999999999999997)
    # By hand: the first and the third sentence are entailed by a passage (0.9, 0.6); the second is
    # not, and the first passage contradicts it (0.7).
    assert parts["entailed"] == pytest.approx(2 / 3)
    assert parts["contradicted"] == pytest.approx(1 / 3)
    assert parts["sentences"] == 3
    assert table.verdict(0) == ("entailed with probability 0.90", 0.9, 0)
    assert table.verdict(1) == ("contradicted with probability 0.70", 0.7, 0)
    assert table.verdict(2) == ("entailed with probability 0.60", 0.6, 2)


def test_a_sentence_that_is_neither_entailed_nor_contradicted():
    table = _Judgements(np.array([[[0.1, 0.8, 0.1]], [[0.3, 0.6, 0.1]]]), LABELS)
    assert table.parts()["entailed"] == table.parts()["contradicted"] == 0
    label, weight, deciding = table.verdict(0)
    assert (label, deciding) == ("not entailed: the highest probability is 0.30", 1)
    assert weight == pytest.approx(0.7)


def test_evidence(directory, model):
    found = one(directory)
    here = sentences(SUMMARY)
    judged = model.probabilities([(passage, s) for s in here for passage in TEXT])
    judged = judged.reshape(len(here), len(TEXT), 3)
    assert [SUMMARY[span.start : span.end] for span in found.evidence] == here
    for span, rows in zip(found.evidence, judged, strict=True):
        likeliest = set(rows.argmax(axis=1))
        assert span.where == "summary"
        assert span.item == "sentence"
        assert span.kind == ("similar" if 0 in likeliest else "fault")
        column = 0 if 0 in likeliest or 2 not in likeliest else 2
        passage = SOURCE[span.match.start : span.match.end]
        assert passage == TEXT[rows[:, column].argmax()]
        word = "entailed" if 0 in likeliest else "contradicted" if column else "not entailed"
        assert span.label.startswith(word)
    kinds = {span.kind for span in found.evidence}
    assert found.parts["entailed"] == pytest.approx(
        sum(span.kind == "similar" for span in found.evidence) / 3
    )
    assert kinds <= {"similar", "fault"}


def test_the_deciding_passage_may_be_in_any_document(directory):
    whole = one(directory)
    split = one(directory, source=[" ".join(TEXT[:2]), " ".join(TEXT[2:])])
    assert split.parts == pytest.approx(whole.parts, abs=1e-5)
    for a, b in zip(whole.evidence, split.evidence, strict=True):
        there = [" ".join(TEXT[:2]), " ".join(TEXT[2:])][b.match.document]
        assert there[b.match.start : b.match.end] == SOURCE[a.match.start : a.match.end]


@pytest.mark.parametrize("granularity", ["two_sentences", "paragraph", "window", "document"])
def test_passages_are_the_premises(directory, model, granularity):
    source = f"{TEXT[0]} {TEXT[1]}\n\n{TEXT[2]}"
    premises = {
        "two_sentences": [f"{TEXT[0]} {TEXT[1]}", f"{TEXT[1]}\n\n{TEXT[2]}", TEXT[2]],
        "paragraph": [f"{TEXT[0]} {TEXT[1]}", TEXT[2]],
        "window": [f"{TEXT[0]} {TEXT[1]}", TEXT[2]],
        "document": [source],
    }[granularity]
    window = len(model.tokenize(premises[0]))
    score = one(directory, source=source, granularity=granularity, window=window)
    best = [
        model.probabilities([(premise, s) for premise in premises])[:, 0].max()
        for s in sentences(SUMMARY)
    ]
    assert score.value == pytest.approx(np.mean(best), abs=1e-5)
    assert score.parts["lowest_entailment"] == pytest.approx(min(best), abs=1e-5)
    assert score.flags == ()


def test_company_and_order_change_nothing(directory):
    measure = Nli(model=directory)
    examples = [
        Example(source=" ".join(TEXT[: n % 3 + 1]), summary=" ".join(sentences(SUMMARY)[n % 2 :]))
        for n in range(6)
    ] + [Example(source=SOURCE, summary=TEXT[2])]
    alone = [measure.score([example], evidence=True)[0] for example in examples]
    together = measure.score(examples[::-1], evidence=True)[::-1]
    for a, b in zip(alone, together, strict=True):
        assert b.parts == pytest.approx(a.parts, abs=1e-5)
        assert [(s.kind, s.match) for s in b.evidence] == [(s.kind, s.match) for s in a.evidence]
    check_measure(measure, examples, tolerance=2e-4)


def test_two_labels_have_no_contradiction(two_labels):
    score = one(two_labels)
    assert 0 <= score.value <= 1
    assert math.isnan(score.parts["difference"])
    assert math.isnan(score.parts["contradicted"])
    missing = one(two_labels, value="difference")
    assert missing.problem == "the model has no label for contradiction; choose another value"


def test_texts_that_are_cut_are_flagged(directory):
    long = TEXT[0].rstrip(".") + " and the old bridge" * 60 + "."
    assert one(directory, source=long).flags == ("truncated",)
    assert one(directory, max_tokens=20).flags == ("truncated",)
    assert one(directory, max_passages=2).flags == ("truncated",)
    assert one(directory, max_passages=4).flags == ()
    first = one(directory, source=" ".join(TEXT[:2]))
    assert one(directory, max_passages=2).parts == pytest.approx(first.parts, abs=1e-5)


def test_short_sentences_can_be_left_out(directory):
    # "Shares fell." has 12 characters.
    short = one(directory, min_characters=13)
    assert short.parts["sentences"] == 2
    assert one(directory, min_characters=12).parts["sentences"] == 3
    nothing = one(directory, summary="Oh.", min_characters=11).problem
    assert nothing == "the summary has no sentence of 11 characters or more that the model can read"


def test_what_has_no_value(directory):
    assert one(directory, summary=" ").problem == "the summary is empty"
    assert one(directory, source="").problem == "the source is empty"
    nothing = one(directory, source="Oh. Ah.", min_characters=11).problem
    assert nothing == "the source has no passage of 11 characters or more that the model can read"
    many = one(directory, max_pairs=11).problem
    assert many.startswith("the summary has 3 sentences and what it is compared with 4 passages")
    assert one(directory, max_pairs=12).problem is None


@pytest.mark.parametrize("summary", ["42!", "Η αστυνομία.", "🙂", "a" * 3000, "a. " * 300])
def test_strange_summaries_have_a_value_or_a_problem(directory, summary):
    score = one(directory, summary=summary)
    assert score.problem or 0 <= score.value <= 1


def test_settings(directory):
    assert get_measure(f"nli:model={directory}").label == f"nli:model={directory}"
    lower = Nli(model=directory, value="contradicted")
    assert (lower.direction, lower.bounds) == ("lower", (0.0, 1.0))
    assert Nli(value="difference").bounds == (-1.0, 1.0)
    assert Nli().part_directions["contradicted"] == "lower"
    assert "sentences" not in Nli().part_directions
    for wrong in ("window=0", "max_tokens=-1", "max_pairs=0", "min_characters=-1"):
        with pytest.raises(SpecError, match="must be"):
            get_measure(f"nli:{wrong}")
    with pytest.raises(SpecError, match="reads at most 100 tokens at a time, not 500"):
        Nli(model=directory, max_tokens=500).signature()
    signed = Nli(model=directory).signature()
    assert signed["weights"] == Entailment.load(directory).revision
    assert set(signed) >= {"measure", "tricolore", "revision", *Nli().settings}


def test_the_presets_are_those_of_summac():
    paper, released = (
        get_measure("nli:preset=summac-zs"),
        get_measure("nli:preset=summac-zs-released"),
    )
    assert isinstance(paper, Nli)
    assert isinstance(released, Nli)
    assert (paper.value, paper.granularity) == ("entailment", "sentence")
    assert (released.value, released.granularity) == ("difference", "sentence")
    assert (released.max_passages, released.max_tokens) == (100, 500)
    assert released.model == "tals/albert-xlarge-vitaminc-mnli"


def test_a_missing_model_is_reported_with_advice():
    with placed(Placement(offline=True)), pytest.raises(ModelNotFoundError) as error:
        Nli(model="no-such/nli-model").score([Example(source=SOURCE, summary=SUMMARY)])
    assert "two ways to get an entailment model" in str(error.value)
