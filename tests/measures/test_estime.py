"""ESTIME: whole scores by the definition, settings, evidence, odd texts."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tricolore import Example, get_measure
from tricolore.measures.estime import Estime, estime
from tricolore.measures.estime_tokens import TokenReader
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.model import shared
from tricolore.models.queries import Query

STORY = "the old king met the queen in Paris . the dog slept in London and a cat ate the fish ."
SUMMARY = "the king met a dog in London ."


def one(source: str | list[str], summary: str, *, evidence: bool = False, **chosen: Any):
    [score] = Estime(**chosen).score([Example(source=source, summary=summary)], evidence=evidence)
    return score


WORDS = STORY.split()


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    summary=st.lists(st.sampled_from([*WORDS, "bird", "Rome"]), min_size=1, max_size=12),
    source=st.lists(st.sampled_from(WORDS), min_size=1, max_size=20),
    layer=st.sampled_from([1, 2, 3]),
    lowercase=st.booleans(),
)
def test_the_measure_counts_what_the_definition_counts(tiny, summary, source, layer, lowercase):
    texts = " ".join(summary), " ".join(source)
    expected = estime(shared(MaskedLM, tiny), *texts, layer, lowercase=lowercase)
    # A distance longer than the texts: every token is masked alone, every window is all of it.
    rules = {"distance": 1000, "window": 60, "margin": 25}
    score = one(texts[1], texts[0], model=tiny, layer=str(layer), lowercase=lowercase, **rules)
    assert score.value == expected or (score.problem and not set(summary) & set(source))


def test_winners_by_the_definition(tiny):
    lm = shared(MaskedLM, tiny)

    def embedded(text: str) -> tuple[list[str], np.ndarray]:
        ids = lm.tokenize(text).ids
        queries = [
            Query(lm.frame(ids[:i], [lm.mask_id], ids[i + 1 :]), (i + 1,)) for i in range(len(ids))
        ]
        return lm.entries(ids), np.concatenate(lm.vectors(queries, [2]), axis=1)[0]

    t, e = embedded(SUMMARY)
    t_text, e_text = embedded(STORY)
    winners = 0
    for token, products in zip(t, e @ e_text.T, strict=True):
        same = [p for p, other in zip(products, t_text, strict=True) if other == token]
        others = [p for p, other in zip(products, t_text, strict=True) if other != token]
        winners += sum(p > max(same) for p in others)  # eq. (3); all tokens occur in the story
    score = one(STORY, SUMMARY, model=tiny, layer="2", distance=1000, window=60, margin=25)
    assert 0 < estime(lm, SUMMARY, STORY, 2) == score.parts["alarms"] < len(t)
    assert score.parts["winners"] == winners


@pytest.mark.parametrize("unit", ["tokens", "words"])
def test_lowercase_is_the_measure_of_lower_cased_texts(tiny, unit):
    """Every part: the model, not only the comparison, sees small letters. "Met" is a token."""
    story = f"The old king Met the queen in Paris . {STORY}"
    found = one(story, SUMMARY, model=tiny, unit=unit, lowercase=True, evidence=True)
    plain = one(story.lower(), SUMMARY.lower(), model=tiny, unit=unit, evidence=True)
    assert found == plain
    assert found.parts != one(story, SUMMARY, model=tiny, unit=unit).parts
    assert found.parts["alarms"] > 0


def test_lowercase_leaves_evidence_where_it_is(tiny):
    """İ has two characters in lower case: what comes after it must not move."""
    summary = f"İİİ {SUMMARY}"
    score = one(f"İİ İ {STORY}", summary, model=tiny, lowercase=True, evidence=True)
    words = {summary[span.start : span.end] for span in score.evidence}
    assert words
    assert words <= {"İİİ", *SUMMARY.split()}
    assert all(
        f"İİ İ {STORY}"[span.match.start : span.match.end] in {"İİ", "İ", *WORDS}
        for span in score.evidence
    )


def test_parts_fit_together(tiny):
    parts = one(STORY, SUMMARY, model=tiny).parts
    # "the king met a dog in London ." are 8 tokens and all of them occur in the story.
    assert (parts["tokens"], parts["checked"]) == (8, 8)
    assert parts["alarms_per_checked"] == parts["alarms"] / 8
    parts = one(STORY, "the bird met Rome .", model=tiny).parts
    # "the", "met" and "." occur, "bird" and "Rome" do not: they count in alarms_all only.
    assert (parts["tokens"], parts["checked"]) == (5, 3)
    assert parts["alarms_adjusted"] == parts["alarms"] * 5 / 3
    assert parts["alarms_all"] == parts["alarms"] + 2


def test_a_copy_has_no_alarms(tiny):
    # Each token then meets itself in its own context.
    score = one(STORY, STORY, model=tiny, similarity="cosine")
    assert score.parts["alarms"] == score.parts["winners"] == 0
    assert score.parts["soft"] == pytest.approx(1)
    assert score.parts["coherence"] == pytest.approx(1)


def test_swapped_names_raise_alarms():
    source = (
        "Anna Schmidt has won the election in Berlin, beating Peter Brown by a wide margin. "
        "Brown, who lost in the capital, said that Schmidt had run a fair campaign. "
        "The French president called Anna Schmidt on Monday to congratulate her."
    )
    honest = "Anna Schmidt has won the election in Berlin. Brown said that Schmidt had run fair."
    swapped = "Peter Brown has won the election in Monday. Schmidt said that Brown had run fair."
    examples = [Example(source=source, summary=text) for text in (honest, swapped)]
    fewer, more = Estime().score(examples)
    assert fewer.value < more.value


def test_nothing_in_common(tiny):
    score = one("the dog slept", "Berlin Rome", model=tiny)
    assert math.isnan(score.value)
    assert score.problem is not None
    assert "nothing to check" in score.problem
    soft = one("the dog slept", "Berlin Rome", model=tiny, value="soft")
    assert soft.problem is None
    assert (soft.parts["alarms"], soft.parts["checked"], soft.parts["alarms_all"]) == (0, 0, 2)
    assert math.isnan(soft.parts["alarms_per_checked"])
    assert math.isnan(soft.parts["alarms_adjusted"])
    # The released code then counts all tokens.
    released = get_measure(f"estime:preset=released,model={tiny}")
    [score] = released.score([Example(source="the dog slept", summary="Berlin Rome")])
    assert (score.value, score.parts["alarms_adjusted"]) == (2, 2)


@pytest.mark.parametrize("preset", ["paper", "released"])
@pytest.mark.parametrize(
    ("source", "summary"),
    [
        (STORY, "dog"),
        ("dog", STORY),
        ("dog", "dog"),
        ("😀 😀 🙃", "🙃 😀"),
        ("the dog \u200b met \ufe0f the king", "king \u200b dog"),
        ("the [MASK] met the dog", "[MASK] met the dog [MASK]"),
        ("=" * 200 + " the dog slept", "the dog " + "=" * 150),
        ("\x00 dog \ud800 slept", "dog \ud800"),
    ],
)
def test_odd_texts_have_a_value(tiny, preset, source, summary):
    made = get_measure(f"estime:preset={preset},model={tiny}")
    [score] = made.score([Example(source=source, summary=summary)], evidence=True)
    assert score.problem is None
    assert score.value >= 0
    for span in score.evidence:
        assert 0 <= span.start < span.end <= len(summary)
        assert span.match is not None
        assert 0 <= span.match.start < span.match.end <= len(source)


@pytest.mark.parametrize("preset", ["paper", "released"])
@pytest.mark.parametrize(
    ("source", "summary", "words"),
    [
        (STORY, " ", "the summary is empty"),
        ("", SUMMARY, "the source is empty"),
        (STORY, "\u200b", "the summary has no word"),
        ("\u200b\u200d", SUMMARY, "the source has no word"),
    ],
)
def test_nothing_to_read(tiny, preset, source, summary, words):
    made = get_measure(f"estime:preset={preset},model={tiny}")
    both = [Example(source=source, summary=summary), Example(source=STORY, summary=SUMMARY)]
    score, other = made.score(both)
    assert math.isnan(score.value)
    assert score.problem is not None
    assert score.problem.startswith(words)
    assert other.problem is None


def test_one_token_has_no_order(tiny):
    score = one(STORY, "dog", model=tiny, value="coherence")
    assert score.problem is not None
    assert "no order" in score.problem
    assert math.isnan(one(STORY, "dog", model=tiny).parts["coherence"])


def test_a_mask_in_the_text_is_text(tiny):
    text = TokenReader(shared(MaskedLM, tiny))("the [MASK] dog")
    assert [token.key for token in text.tokens] == ["the", "[", "MASK", "]", "dog"]


def test_direction_and_range_follow_the_value():
    assert Estime().direction == Estime(value="winners").direction == "lower"
    assert Estime(value="soft").direction == Estime(value="coherence").direction == "higher"
    assert Estime().bounds == (0, math.inf)
    assert Estime(value="soft").bounds == (-1, 1)
    assert Estime(value="alarms_per_checked").bounds == (0, 1)


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"layer": "top"}, "layer must be of whole numbers, not 'top'"),
        ({"layers": "1+x"}, "layers must be of whole numbers, not 'x'"),
        ({"distance": 0}, "distance must be 1 or more"),
        ({"window": 100}, "window more than two margins"),
        ({"pos": "NN+NOUN"}, "'NOUN' is not a part of speech"),
    ],
)
def test_settings_that_do_not_fit(chosen, words):
    with pytest.raises(ValueError, match=words.replace("+", r"\+")):
        Estime(**chosen)


def test_a_layer_that_is_not_there(tiny):
    with pytest.raises(ValueError, match="has layers 0 to 3, not 4"):
        one(STORY, SUMMARY, model=tiny, layer="4")


def test_layers_and_their_parts(tiny):
    swept = Estime(model=tiny, layer=2, layers="all")
    [score] = swept.score([Example(source=STORY, summary=SUMMARY)])
    assert tuple(score.parts) == swept.part_names
    assert swept.part_names[-4:] == ("alarms_l3", "winners_l3", "soft_l3", "coherence_l3")
    for layer in (1, 2, 3):
        alone = one(STORY, SUMMARY, model=tiny, layer=str(layer))
        assert tuple(alone.parts) == Estime(model=tiny).part_names
        for part in ("alarms", "winners", "soft", "coherence"):
            assert score.parts[f"{part}_l{layer}"] == pytest.approx(alone.parts[part])
    assert score.value == score.parts["alarms_l2"]
    assert one(STORY, SUMMARY, model=tiny, layer="-1") == one(STORY, SUMMARY, model=tiny, layer="3")
    some = Estime(model=tiny, layers="-1+0").part_names
    assert [part for part in some if part.startswith("alarms_l")] == ["alarms_l3", "alarms_l0"]


def test_the_sweep_is_one_pass(tiny, asked):
    one(STORY, SUMMARY, model=tiny, layer="2")
    alone = [len(queries) for queries, _, double in asked if not double]
    asked.clear()
    one(STORY, SUMMARY, model=tiny, layer="2", layers="all")
    assert [len(queries) for queries, _, double in asked if not double] == alone
    assert {layers for _, layers, _ in asked} == {(2, 1, 3)}


def test_the_default_layer(tiny, monkeypatch):
    # 21 of 24; 0.875 · 3 = 2.6.
    assert Estime(model=tiny).signature()["layer"] == 3
    for depth, layer in ((24, 21), (12, 10), (6, 5), (5, 4), (1, 1)):
        monkeypatch.setattr(Estime, "config", {"n_layers": depth})
        assert Estime()._layer() == layer
    advised = {"n_layers": 5, "tricolore_estime_layer": 3}
    monkeypatch.setattr(Estime, "config", advised)
    assert Estime()._layer() == 3
    assert Estime(layer=-1)._layer() == 5


def test_every_alarm_is_shown_with_the_word_that_beat_it(tiny):
    score = one(STORY, SUMMARY, model=tiny, evidence=True)
    assert len(score.evidence) == score.value > 0
    for span in score.evidence:
        assert span.where == "summary"
        assert span.label
        assert span.weight >= 0
        assert span.match is not None
        assert span.match.where == "source"
        word, other = SUMMARY[span.start : span.end], STORY[span.match.start : span.match.end]
        assert word in STORY.split()
        assert other in STORY.split()
        assert word != other
    assert one(STORY, SUMMARY, model=tiny).value == score.value
    assert not one(STORY, SUMMARY, model=tiny).evidence


def test_several_documents_are_read_by_themselves(tiny):
    first, second = "the king met the queen in Paris .", "a dog slept in London ."
    score = one([first, second], SUMMARY, model=tiny, evidence=True)
    assert score.parts["checked"] == 8
    shown = [span.match for span in score.evidence if span.match is not None]
    assert {span.document for span in shown} == {0, 1}
    for span in shown:
        assert (first, second)[span.document][span.start : span.end] in f"{first} {second}".split()


def test_evidence_counts_in_the_text_as_given(tiny):
    # NFKD makes two letters of one.
    summary = "ﬁ the dog met in ﬁ London . the queen"
    made = get_measure(f"estime:preset=released,model={tiny}")
    [score] = made.score([Example(source=STORY, summary=summary)], evidence=True)
    assert score.evidence
    assert {summary[span.start : span.end] for span in score.evidence} <= set(summary.split())


def test_label_makes_the_measure_again(tmp_path: Path):
    made = Estime(layer=-2, layers="3+4", pos="NN+NNP", value="soft")
    assert get_measure(made.label) == made
    assert made.label == "estime:value=soft,layer=-2,layers=3+4,pos=NN+NNP"
