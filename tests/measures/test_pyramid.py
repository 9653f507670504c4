"""Pyramid: recall of content units by people and by models, and the scores of the papers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.models.conftest import TEXT
from tests.models.nli_checkpoint import save_nli
from tricolore import Example, get_measure
from tricolore.errors import SpecError
from tricolore.example import ContentUnit
from tricolore.measures.grounding import Grounding
from tricolore.measures.pyramid import Pyramid, length_factor, pyramid_score, recall
from tricolore.models import Entailment
from tricolore.testing import check_measure

SUMMARY = "The harbour bridge was closed on Monday. Ferries took passengers across the river."
BRIDGE = "The harbour bridge is closed."
DOG = "A dog won the race."
FERRIES = "Ferries carry passengers."


def labelled(*units: tuple[float, bool], **texts):
    made = [
        ContentUnit(f"Fact {n}.", weight, is_there) for n, (weight, is_there) in enumerate(units)
    ]
    return Example(**{"summary": SUMMARY, "units": made, **texts})


def one(spec, example, *, evidence=False):
    [score] = get_measure(spec).score([example], evidence=evidence)
    return score


@pytest.fixture(scope="session")
def directory(tmp_path_factory):
    return str(save_nli(tmp_path_factory.mktemp("nli")))


def test_recall_is_weighted():
    score = one("pyramid", labelled((4, True), (3, False), (2, True), (1, False)))
    assert score.value == pytest.approx((4 + 2) / 10)
    # Two units are present, and the two heaviest weigh 4 + 3.
    assert score.parts["pyramid"] == pytest.approx((4 + 2) / (4 + 3))
    assert (score.parts["present"], score.parts["units"]) == (2, 4)
    assert score.parts["soft"] == score.value


def test_human_score_of_lite3pyramid():
    # `human_score` of the authors' metric/score.py, written out: sum(label * weight) / sum(weight).
    labels, weights = [1, 0, 0, 1, 1], [1, 4, 2, 2, 3]
    gold = sum(label * weight for label, weight in zip(labels, weights, strict=True)) / sum(weights)
    units = [(weight, bool(label)) for label, weight in zip(labels, weights, strict=True)]
    assert one("pyramid", labelled(*units)).value == pytest.approx(gold)


@pytest.mark.parametrize(
    ("words", "acu", "published"),
    [
        # RoSE, cnndm_test, the first document, whose reference has 36 words: the words of the
        # summaries (NLTK's word_tokenize), and acu and normalized_acu as published.
        (79, 1.0, 0.5503382086753845),  # bart
        (44, 0.3, 0.2684518098831177),  # gold
        (54, 0.8, 0.6230406165122986),  # brio
        (54, 1.0, 0.7788007855415344),  # cliff
        (42, 0.4, 0.3680177628993988),  # glob
        (36, 0.3, 0.30000001192092896),  # frost
    ],
)
def test_normalized_acu_is_that_of_rose(words, acu, published):
    units = [(1, n < round(10 * acu)) for n in range(10)]
    texts = {"summary": " ".join(["word"] * words), "references": " ".join(["word"] * 36)}
    score = one("pyramid:preset=acu", labelled(*units, **texts))
    assert score.parts["recall"] == pytest.approx(acu)
    assert score.value == pytest.approx(published, abs=1e-6)


def test_length_counts_words_of_the_treebank_in_sentences():
    texts = {"summary": "It can't be. It's late.", "references": "It is."}
    # It ca n't be . It 's late . = 9 words; It is . = 3
    score = one("pyramid:value=normalized,length_penalty=4", labelled((1, True), **texts))
    assert score.parts["length_ratio"] == 3
    assert score.value == pytest.approx(math.exp((1 - 3) / 4))


def test_the_length_of_several_references_is_their_mean():
    # The summary has 9 words as above, the references have 3 and 5: 9 / 4.
    references = ("It is.", "It is late now.")
    texts = {"summary": "It can't be. It's late.", "references": references}
    score = one("pyramid:value=normalized", labelled((1, True), **texts))
    assert score.parts["length_ratio"] == 9 / 4
    assert score.value == pytest.approx(math.exp((1 - 9 / 4) / 2))


def test_normalized_needs_a_reference_and_recall_does_not():
    example = labelled((1, True))
    assert one("pyramid", example).value == 1
    score = one("pyramid:value=normalized", example)
    assert score.problem == "there is no reference, whose length `normalized` needs"


weights = st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=12)


@given(weights)
def test_properties_of_the_formulas(units):
    given_weights, present = [w for w, _ in units], [is_there for _, is_there in units]
    if not sum(given_weights):
        return
    share, score = recall(given_weights, present), pyramid_score(given_weights, present)
    assert 0 <= share <= score <= 1 + 1e-12  # the best X units weigh at most as much as all
    assert recall(given_weights, [True] * len(units)) == 1
    more = [True, *present[1:]]
    assert recall(given_weights, more) >= share


@given(st.floats(0.01, 50), st.floats(0.1, 10))
def test_no_summary_gains_by_its_length(ratio, alpha):
    assert 0 <= length_factor(ratio, alpha) <= 1
    assert (length_factor(ratio, alpha) == 1) == (ratio <= 1)


def test_grounding_judges_each_unit_with_the_summary_as_its_source():
    example = Example(summary=SUMMARY, units=[{"text": BRIDGE, "weight": 3}, DOG, FERRIES])
    claims = [Example(source=SUMMARY, summary=text) for text in (BRIDGE, DOG, FERRIES)]
    bridge, dog, ferries = (score.value for score in Grounding().score(claims))
    assert min(bridge, ferries) > 0.5 > dog  # else the test proves nothing
    score = one("pyramid:labels=grounding", example)
    assert score.value == pytest.approx((3 + 1) / 5)
    assert score.parts["soft"] == pytest.approx((3 * bridge + dog + ferries) / 5)
    strict = one("pyramid:labels=grounding,threshold=0.99", example)
    assert strict.value == 0
    assert strict.parts["soft"] == score.parts["soft"]


def test_nli_is_lite3pyramid(directory):
    # metric/score.py of Lite3Pyramid: p3c is the mean of the probability of entailment with the
    # whole summary as the premise, l3c the share of units for which entailment is the likeliest.
    texts = [TEXT[0], "Shares fell.", "A dog found a coin.", "The council warned of danger."]
    unit_weights = [1, 2, 3, 4]
    units = [ContentUnit(text, weight) for text, weight in zip(texts, unit_weights, strict=True)]
    summary = " ".join(TEXT[:3])
    model = Entailment.load(directory)
    probabilities = model.probabilities([(summary, text) for text in texts])
    p3c = probabilities[:, 0] @ unit_weights / sum(unit_weights)
    l3c = (probabilities.argmax(axis=1) == 0) @ unit_weights / sum(unit_weights)
    spec = f"pyramid:preset=lite3pyramid,model={directory}"
    score = one(spec, Example(summary=summary, units=units))
    assert score.value == pytest.approx(p3c, abs=1e-6)
    assert score.parts["recall"] == pytest.approx(l3c)


def test_a_summary_that_the_model_cannot_read_to_its_end_is_flagged(directory):
    spec = f"pyramid:labels=nli,model={directory}"
    assert one(spec, Example(summary="danger " * 200, units=["A dog."])).flags == ("truncated",)
    assert one(spec, Example(summary="danger", units=["A dog."])).flags == ()


def test_evidence_names_every_unit_and_where_it_is():
    example = Example(summary=SUMMARY, units=[{"text": BRIDGE, "weight": 3}, DOG])
    bridge, dog = one("pyramid:labels=grounding", example, evidence=True).evidence
    assert (bridge.where, bridge.document, bridge.kind) == ("unit", 0, "match")
    assert (dog.where, dog.document, dog.kind) == ("unit", 1, "missing")
    assert SUMMARY[bridge.match.start : bridge.match.end].startswith("The harbour bridge")
    assert bridge.label.startswith("present, support 0.")
    assert bridge.label.endswith(", weight 3")
    by_people = one("pyramid", labelled((1, False)), evidence=True).evidence
    assert [(span.label, span.match) for span in by_people] == [("not present", None)]


@pytest.mark.parametrize(
    ("example", "problem"),
    [
        (Example(summary="A cat."), "there are no content units"),
        (Example(summary="", units=["A cat."]), "the summary is empty"),
        (
            Example(summary="A cat.", units=["A cat.", ContentUnit("A dog.", present=True)]),
            "1 of 2 content units have no human label; labels=grounding or labels=nli needs none",
        ),
        (labelled((0, True), (0, False)), "all content units have the weight 0"),
    ],
)
def test_what_has_no_value(example, problem):
    assert one("pyramid", example).problem == problem


def test_a_unit_that_the_model_cannot_read_is_a_problem():
    score = one("pyramid:labels=grounding", Example(summary=SUMMARY, units=[BRIDGE, "\u200b"]))
    words = "a unit could not be judged: the unit has no word that the model can read"
    assert score.problem == words


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("pyramid:threshold=1.5", "threshold must be between 0 and 1"),
        ("pyramid:length_penalty=0", "length_penalty must be above 0"),
        ("pyramid:model=some/model", "human labels need no model"),
        ("pyramid:labels=nobody", "labels must be one of human, grounding, nli"),
    ],
)
def test_settings_that_do_not_fit(spec, words):
    with pytest.raises(SpecError, match=words):
        get_measure(spec)


def test_the_signature_has_the_weights_of_the_model():
    signature = get_measure("pyramid:labels=grounding").signature()
    assert signature["matcher"]["weights"] == Grounding().signature()["weights"]
    assert "matcher" not in get_measure("pyramid").signature()


def test_it_passes_the_checks_of_measures():
    check_measure(Pyramid(), [labelled((3, True), (1, False), references="A reference.")])
    units = [BRIDGE, DOG]
    check_measure(Pyramid(labels="grounding"), [Example(summary=SUMMARY, units=units)])
