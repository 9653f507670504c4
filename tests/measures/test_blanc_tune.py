"""BLANC-tune: what is compared, and what must not change a value."""

from __future__ import annotations

import random
from math import isnan
from typing import Any

import pytest
import torch

from tests.measures.bridge_texts import OTHER, SOURCE, SUMMARY
from tricolore import Example
from tricolore.measures.blanc_tune import BlancTune, blanc_tune
from tricolore.memo import forget
from tricolore.registry import get_measure

QUICK = {"epochs": 2, "learning_rate": 1e-2}


def pair(source: str | tuple[str, ...] = SOURCE, summary: str = SUMMARY) -> Example:
    return Example(source=source, summary=summary)


def values(measure: BlancTune, examples: list[Example]) -> list[dict[str, float]]:
    return [dict(score.parts) for score in measure.score(examples)]


# What is compared.


@pytest.mark.slow
def test_a_model_that_learnt_the_source_knows_it(small_bert):
    measure = BlancTune(model=small_bert, epochs=30, learning_rate=5e-3)
    [score] = measure.score([pair(summary=SOURCE)])
    assert score.value == score.parts["relative"] > 0.1
    assert score.parts["s01"] > score.parts["s10"]
    [other] = measure.score([pair(summary=OTHER)])
    assert other.value < score.value


def test_before_and_after_see_the_same_masks(small_bert, monkeypatch):
    """Also where masks are random, which the package draws twice."""
    measure = BlancTune(model=small_bert, masks="randomly", **QUICK)
    asked = spy(measure, monkeypatch)
    [score] = measure.score([pair()])
    base, tuned = asked
    assert base == tuned
    forget()
    assert measure.score([pair()]) == [score]
    assert asked[2:] == [base, base]  # drawn anew, and the same
    long_enough = {ask.masking for ask in measure._asks(measure._read(SOURCE))}
    assert sum(map(len, long_enough)) == sum(score.parts[s] for s in ("s00", "s01", "s10", "s11"))


def spy(measure: BlancTune, monkeypatch: pytest.MonkeyPatch) -> list[list[Any]]:
    forget()
    asked: list[list[Any]] = []
    predict = measure.lm.predict

    def watched(queries: Any) -> Any:
        asked.append(list(queries))
        return predict(queries)

    monkeypatch.setattr(measure.lm, "predict", watched)
    return asked


def test_the_untuned_model_is_asked_once_for_all_summaries(small_bert, monkeypatch):
    measure = BlancTune(model=small_bert, **QUICK)
    asked = spy(measure, monkeypatch)
    measure.score([pair(), pair(summary=OTHER), pair(), pair(OTHER)])
    # Once for each source; then after each of two summaries, the first for both sources.
    assert [len(queries) for queries in asked] == [6, 2, 8, 6]
    measure.score([pair(summary="Engineers warned.")])  # in another call
    assert [len(queries) for queries in asked[4:]] == [6]


# What must not matter.


@pytest.mark.slow
def test_company_order_and_threads_do_not_matter(small_bert):
    measure = BlancTune(model=small_bert, **QUICK)
    examples = [
        pair(),
        pair(summary=OTHER),
        pair(OTHER),
        pair(OTHER, OTHER),
        pair((SOURCE, OTHER), "It rebuilt the bridge."),
    ]
    alone = [values(measure, [example])[0] for example in examples]
    usual = torch.get_num_threads()
    try:
        for seed in (1, 2, 3):
            order = random.Random(seed).sample(range(len(examples)), len(examples))
            torch.set_num_threads(seed)
            forget()
            together = values(measure, [examples[at] for at in order])
            assert together == [alone[at] for at in order]
    finally:
        torch.set_num_threads(usual)
    assert any(parts["s01"] for parts in alone)


def test_the_state_of_the_process_does_not_matter_and_stays(small_bert):
    measure = BlancTune(model=small_bert, **{**BlancTune.presets["paper"], **QUICK, "passes": 1})
    first = values(measure, [pair()])
    forget()
    torch.manual_seed(99)
    random.seed(99)
    before = torch.get_rng_state(), random.getstate()
    assert values(measure, [pair()]) == first
    assert torch.equal(torch.get_rng_state(), before[0])
    assert random.getstate() == before[1]


def test_the_seed_chooses_the_samples(small_bert):
    one, other = (
        list(BlancTune(model=small_bert, seed=seed, masks_tune="randomly").samples(SUMMARY))
        for seed in (1, 2)
    )
    assert one != other
    assert one == list(BlancTune(model=small_bert, masks_tune="randomly").samples(SUMMARY))


def test_the_model_is_as_before_when_scoring_is_broken_off(small_bert, monkeypatch):
    lm = BlancTune(model=small_bert).lm
    before = {name: p.detach().clone() for name, p in lm.net.module.named_parameters()}
    loss, steps = lm.net.loss, 0

    def interrupted(*args: Any) -> Any:
        nonlocal steps
        steps += 1
        if steps == 3:
            raise KeyboardInterrupt
        return loss(*args)

    monkeypatch.setattr(lm.net, "loss", interrupted)
    with pytest.raises(KeyboardInterrupt):
        BlancTune(model=small_bert).score([pair()])
    after = dict(lm.net.module.named_parameters())
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_a_masking_that_occurs_twice_counts_twice(small_bert):
    """Rows of two in a sentence of two words: both starts mask both words."""
    [score] = BlancTune(model=small_bert, gap=6, gap_mask=2, **QUICK).score([pair("bridge danger")])
    assert sum(score.parts[s] for s in ("s00", "s01", "s10", "s11")) == 4


# Section 2.4: sentences that the summary copies.

FIRST, SECOND, THIRD = (f"{sentence.strip()}." for sentence in SOURCE.split(".")[:3])


def added(*found: dict[str, float]) -> list[float]:
    return [sum(parts[name] for parts in found) for name in ("s00", "s01", "s10", "s11")]


@pytest.mark.parametrize(
    ("guard", "learnt"),
    [
        ("none", f"{OTHER} {FIRST} Drivers must take the old road."),
        ("skip", None),
        ("remove", f"{OTHER} Drivers must take the old road."),
        # Both other sentences differ from the first by one token: the earlier one is taken.
        ("replace", f"{OTHER} {SECOND} Drivers must take the old road."),
    ],
)
def test_guard(small_bert, guard, learnt):
    """The copied sentence is guessed after another text is learnt, the others after the summary."""
    without_chance = {"use_dropout": False, "p_replace": 0.0, "p_keep": 0.0}
    settings = {"model": small_bert, "epochs": 20, "learning_rate": 3e-3, "batch": 2}
    settings |= without_chance
    whole = f"{OTHER} {FIRST} Drivers must take the old road."
    lengths = [len(BlancTune(**settings).lm.tokenize(text)) for text in (FIRST, SECOND, THIRD)]
    assert lengths == [14, 15, 13]
    [found] = values(BlancTune(guard=guard, **settings), [pair(SOURCE, whole)])
    plain = BlancTune(**settings)
    expected = values(plain, [pair(f"{SECOND} {THIRD}", whole)])
    if learnt:
        expected += values(plain, [pair(FIRST, learnt)])
    assert added(found) == added(*expected)
    if guard != "none":
        assert found != values(plain, [pair(SOURCE, whole)])[0], "else it would prove little"


@pytest.mark.parametrize("guard", ["skip", "remove", "replace"])
def test_a_guard_changes_nothing_without_a_copy(small_bert, guard):
    measure = BlancTune(model=small_bert, guard=guard, **QUICK)
    assert values(measure, [pair()]) == values(BlancTune(model=small_bert, **QUICK), [pair()])


@pytest.mark.parametrize(
    ("guard", "summary", "learnt"),
    [
        ("remove", f"{FIRST} Rest.", "Rest."),
        ("remove", f"Rest.\n{FIRST}", "Rest."),
        ("remove", f"{FIRST} Rest. {FIRST} End.", "Rest. End."),
        ("remove", FIRST, ""),
        ("replace", f"Rest. {FIRST} End.", f"Rest. {SECOND} End."),
        ("replace", f"{SECOND} {FIRST}", f"{SECOND} "),  # no other sentence is left
    ],
)
def test_what_is_learnt_in_place_of_a_copy(small_bert, guard, summary, learnt):
    measure = BlancTune(model=small_bert, guard=guard)
    example = pair(f"{FIRST} {SECOND}", summary)
    texts = [asked.learnt for asked in measure._state(example).asked]
    first = texts[: len(list(measure._asks(measure._read(FIRST))))]
    assert {text.strip() for text in first} == {learnt.strip()}
    assert not any("  " in text for text in texts)


def test_nothing_is_learnt_if_the_guard_leaves_nothing(small_bert):
    """As where no word can be masked: the tuned model is the model."""
    [score] = BlancTune(model=small_bert, guard="remove", **QUICK).score([pair(FIRST, FIRST)])
    assert (score.value, score.parts["s01"], score.parts["s10"]) == (0, 0, 0)


def test_nothing_left_by_the_guard(small_bert):
    [score] = BlancTune(model=small_bert, guard="skip", **QUICK).score([pair(SOURCE, SOURCE)])
    assert score.problem == "the summary is a copy of every sentence that could be masked"


def test_a_copy_in_other_letters_is_a_copy_with_lowercase(small_bert):
    measure = BlancTune(model=small_bert, guard="skip", **QUICK)
    [cased] = measure.score([pair(SOURCE, SOURCE.lower())])
    assert cased.problem is None
    [small] = BlancTune(**{**measure.settings, "lowercase": True}).score(
        [pair(SOURCE, SOURCE.lower())]
    )
    assert small.problem == "the summary is a copy of every sentence that could be masked"


# Case.


def test_lowercase_is_the_measure_of_lower_cased_texts(small_bert):
    small = BlancTune(model=small_bert, lowercase=True, **QUICK)
    plain = BlancTune(model=small_bert, **QUICK)
    example = pair(SOURCE.title(), SUMMARY.title())
    lowered = pair(SOURCE.lower(), SUMMARY.lower())
    assert small.score([example], evidence=True) == plain.score([lowered], evidence=True)
    assert values(small, [example]) != values(plain, [example])


# Texts of all kinds.


@pytest.mark.parametrize(
    "summary", ["is to of a old.", ".", "a", "😀", "[MASK]", "[CLS] [SEP]", "\x00."]
)
@pytest.mark.parametrize("preset", ["released", "paper"])
def test_a_summary_that_teaches_nothing_is_worth_nothing(small_bert, summary, preset):
    """No word of it is long enough to be masked: the tuned model is the model."""
    measure = BlancTune(**{**BlancTune.presets[preset], "model": small_bert, **QUICK})
    [score] = measure.score([pair(summary=summary)])
    if list(measure.samples(summary)):  # the package takes an unknown token for a word of five
        assert -1 <= score.value <= 1
    else:
        assert (score.value, score.parts["s01"], score.parts["s10"]) == (0, 0, 0)
        assert score.parts["s00"] + score.parts["s11"] > 0


def test_one_word(small_bert):
    [score] = BlancTune(model=small_bert, **QUICK).score([pair(summary="bridge")])
    assert -1 <= score.value <= 1


@pytest.mark.parametrize(
    ("example", "problem"),
    [
        (pair(summary=" \n"), "the summary is empty"),
        (pair(source=""), "the source is empty"),
        (pair(source="is to of a. A old."), "no word of the source is long enough to be masked"),
        (pair(summary="\u200b"), "the summary has nothing that the model can read"),
    ],
)
def test_no_value(small_bert, example, problem):
    found = BlancTune(model=small_bert, **QUICK).score([pair(), example, pair()])
    assert isnan(found[1].value)
    assert found[1].problem == problem
    assert found[0] == found[2]
    assert not found[0].problem


def test_a_mask_in_the_text_is_text(small_bert):
    measure = BlancTune(model=small_bert)
    mask = measure.lm.mask_id
    assert mask not in {target for s in measure.samples("a [MASK] here") for target in s.targets}
    [score] = measure.score([pair(source="They [MASK] the bridge.", summary="Some [MASK] text.")])
    assert -1 <= score.value <= 1


@pytest.mark.parametrize("preset", ["released", "paper"])
def test_texts_longer_than_the_model_reads(small_bert, preset):
    """60 tokens: sentences are cut there, summaries are learnt in parts."""
    measure = BlancTune(
        **{**BlancTune.presets[preset], "model": small_bert, "passes": 1, "epochs": 1}
    )
    summary = " ".join([SUMMARY] * 12)
    samples = list(measure.samples(summary))
    assert max(len(sample.query.ids) for sample in samples) <= 60
    seen = {target for sample in samples for target in sample.targets}
    assert len(seen) == 8
    [score] = measure.score([pair(source=SOURCE.replace(".", ",") * 4, summary=summary)])
    assert sum(score.parts[s] for s in ("s00", "s01", "s10", "s11")) > 0


# Evidence.


def test_evidence_is_a_heat_map_of_the_source(small_bert):
    measure = BlancTune(model=small_bert, epochs=8, learning_rate=1e-2)
    example = pair((OTHER, SOURCE), SOURCE)
    [plain] = measure.score([example])
    [score] = measure.score([example], evidence=True)
    assert score.parts == plain.parts
    assert not plain.evidence
    assert {span.document for span in score.evidence} == {0, 1}
    for span in score.evidence:
        assert span.where == "source"
        assert example.source[span.document][span.start : span.end].isalpha()
    # With gap_mask = 1 every word is masked once, so the weights make the numerator.
    assert any(span.weight for span in score.evidence)
    assert sum(span.weight for span in score.evidence) == score.parts["s01"] - score.parts["s10"]
    assert len(score.evidence) == sum(score.parts[s] for s in ("s00", "s01", "s10", "s11"))


# Settings.


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"p_mask": 0.0}, "p_mask=0.0"),
        ({"p_replace": 0.7, "p_keep": 0.5}, "together"),
        ({"p_keep": -0.1}, "p_keep"),
        ({"epochs": 0}, "epochs=0"),
        ({"threads": 0}, "threads=0"),
        ({"learning_rate": 0.0}, "learning_rate"),
        ({"dtype": "int8"}, "int8"),
        ({"gap_mask_tune": 3}, "for the summary"),
        ({"gap": 1, "gap_mask": 2}, "gap_mask"),
    ],
)
def test_settings_that_make_no_sense(settings, words):
    with pytest.raises(ValueError, match=words):
        BlancTune(**settings)


def test_more_frozen_layers_than_the_model_has(small_bert):
    [score] = BlancTune(model=small_bert, freeze_below=2, freeze_above=1).score([pair()])
    assert isnan(score.value)
    assert "the model's 2" in score.problem


def test_presets_and_parts(small_bert):
    measure = get_measure(f"blanc-tune:preset=paper,model={small_bert},passes=1")
    assert isinstance(measure, BlancTune)
    assert (measure.gap, measure.unit, measure.passes, measure.epochs) == (6, "words", 1, 1)
    assert measure.gap == int(1 / measure.p_mask)
    assert BlancTune() == BlancTune(**BlancTune.presets["released"])
    [score] = measure.score([pair()])
    assert tuple(score.parts) == measure.part_names
    [improve] = BlancTune(**{**measure.settings, "value": "improve"}).score([pair()])
    assert improve.value == score.parts["improve"]


def test_importing_it_loads_no_torch():
    import subprocess
    import sys

    code = "import sys, tricolore.measures.blanc_tune; print('torch' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"


@pytest.mark.slow
@pytest.mark.parametrize("lowercase", [False, True])
def test_the_measure_gives_what_the_definition_gives(small_bert, lowercase):
    presets = {**BlancTune.presets["paper"], "passes": 2, "epochs": 3, "learning_rate": 0.01}
    measure = BlancTune(model=small_bert, lowercase=lowercase, **presets)
    samples = list(measure.samples(SUMMARY))
    expected = blanc_tune(measure.lm, samples, SOURCE, measure._tuning(), lowercase=lowercase)
    [score] = measure.score([pair()])
    assert score.value == expected
    assert score.parts["s01"] + score.parts["s10"] > 0, "else it would prove little"
