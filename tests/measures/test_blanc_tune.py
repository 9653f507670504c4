"""BLANC-tune: figure 4 by hand, chance by counting, and what must not change a value."""

from __future__ import annotations

import random
from collections import Counter
from math import isnan, sqrt
from typing import Any

import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from tricolore import Example
from tricolore.measures.blanc_tune import BlancTune, blanc_tune
from tricolore.memo import forget
from tricolore.registry import get_measure

SOURCE = (
    "The council voted to close the old bridge after engineers warned of danger. "
    "Drivers must take the long road around the valley until the bridge is rebuilt. "
    "A farmer found a gold coin while looking for his lost sheep."
)
SUMMARY = "The old bridge is closed after engineers warned of danger and must be rebuilt."
OTHER = "A farmer looking for lost sheep found a gold coin."
QUICK = {"epochs": 2, "learning_rate": 1e-2}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A random BERT that reads 60 tokens, its words those above and as many as make 1100."""
    words = sorted({*SOURCE.replace(".", " .").split(), *SUMMARY.replace(".", "").split()})
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    entries = [*special, *words, "re", "##build", "##ing"]
    entries += [f"word{number}" for number in range(1100 - len(entries))]
    vocabulary = {entry: at for at, entry in enumerate(entries)}
    cutter = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    cutter.normalizer = normalizers.BertNormalizer(lowercase=False)
    cutter.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    directory = tmp_path_factory.mktemp("bert")
    names = zip(("pad", "unk", "cls", "sep", "mask"), special, strict=True)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=cutter,
        model_max_length=60,
        **{f"{name}_token": token for name, token in names},
    ).save_pretrained(directory)
    config = transformers.BertConfig(
        vocab_size=1100,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=60,
    )
    torch.manual_seed(1)
    transformers.BertForMaskedLM(config).save_pretrained(directory)
    return str(directory)


def pair(source: str | tuple[str, ...] = SOURCE, summary: str = SUMMARY) -> Example:
    return Example(source=source, summary=summary)


def values(measure: BlancTune, examples: list[Example]) -> list[dict[str, float]]:
    return [dict(score.parts) for score in measure.score(examples)]


# Figure 4.


def test_every_word_is_masked_once_a_pass(model):
    measure = BlancTune(model=model, **BlancTune.presets["paper"], p_replace=0.0, p_keep=0.0)
    # 13 words and a full stop, so N_mask = int(14 · 0.15) = 2; eight words of four letters or
    # more, so each of the ten passes makes four samples.
    long_enough = ["bridge", "closed", "after", "engineers", "warned", "danger", "must", "rebuilt"]
    tokens = measure.lm.tokenize(SUMMARY)
    words = [SUMMARY[start:end] for start, end in tokens.spans]
    samples = list(measure._samples(SUMMARY))
    assert [len(sample.targets) for sample in samples] == [2] * 40
    orders = set()
    for first in range(0, 40, 4):
        masked = [at - 1 for s in samples[first : first + 4] for at in s.query.positions]
        assert sorted(words[at] for at in masked) == sorted(long_enough)
        orders.add(tuple(masked))
    assert len(orders) == 10
    for sample in samples:
        shown = list(sample.query.ids)
        for at, target in zip(sample.query.positions, sample.targets, strict=True):
            assert shown[at] == measure.lm.mask_id
            shown[at] = target
        assert tuple(shown) == measure.lm.frame(tokens.ids)


def test_every_second_word_is_masked_once(model):
    measure = BlancTune(model=model, p_replace=0.0, p_keep=0.0)
    words = [SUMMARY[start:end] for start, end in measure.lm.tokenize(SUMMARY).spans]
    masked = [[words[at - 1] for at in s.query.positions] for s in measure._samples(SUMMARY)]
    # The old bridge is | closed after engineers warned | of danger and must | be rebuilt .
    assert masked == [
        ["bridge", "closed", "engineers"],
        ["after", "warned", "danger", "must", "rebuilt"],
    ]


def test_80_10_10(model):
    """Many draws: a share p of n is within four times sqrt(n·p·(1 − p)) of n·p."""
    measure = BlancTune(model=model, **{**BlancTune.presets["paper"], "passes": 500})
    found: Counter[str] = Counter()
    strangers: Counter[int] = Counter()
    for sample in measure._samples(SUMMARY):
        for at, target in zip(sample.query.positions, sample.targets, strict=True):
            shown = sample.query.ids[at]
            if shown == measure.lm.mask_id:
                found["masked"] += 1
            elif shown == target:
                found["kept"] += 1
            else:
                found["replaced"] += 1
                strangers[shown] += 1
    total = 500 * 8
    assert found.total() == total
    for kind, share in (("masked", 0.8), ("replaced", 0.1), ("kept", 0.1)):
        assert abs(found[kind] - total * share) < 4 * sqrt(total * share * (1 - share))
    assert 5 <= min(strangers) < 100  # the first five are special
    assert 1000 < max(strangers) < 1100


def test_random_tokens_of_the_package(model):
    """Ids 1000 to 29999; this model has 1100."""
    assert BlancTune(model=model)._replacements() == range(1000, 1100)
    assert set(BlancTune(model=model, replacement="vocabulary")._replacements()) == {
        *range(5, 1100)
    }
    measure = BlancTune(model=model, p_replace=1.0, p_keep=0.0)
    [shown, *_] = [[s.query.ids[at] for at in s.query.positions] for s in measure._samples(SUMMARY)]
    assert all(1000 <= token < 1100 for token in shown)


@pytest.mark.parametrize(
    ("length", "settings", "expected"),
    [
        (0, {}, []),
        (30, {}, [(0, 30)]),
        # Starts 0 and 32; the first 32 tokens are in one chunk only, so they are one more.
        (50, {}, [(0, 50), (32, 50), (0, 32)]),
        (100, {}, [(0, 64), (32, 96), (0, 32), (64, 100), (96, 100)]),
        (100, {"top": False}, [(0, 64), (32, 96), (64, 100), (96, 100)]),
        (100, {"chunk": 0, "stride": 0, "top": False}, [(0, 100)]),
        (700, {"chunk": 0, "stride": 0, "top": False}, [(0, 510), (255, 700), (510, 700)]),
    ],
)
def test_chunks(length, settings, expected):
    assert list(BlancTune(**settings)._chunks(length, room=510)) == expected


@given(
    length=st.integers(0, 300),
    chunk=st.integers(0, 80),
    stride=st.integers(0, 80),
    top=st.booleans(),
    room=st.integers(2, 60),
)
def test_chunks_leave_nothing_out(length, chunk, stride, top, room):
    found = list(BlancTune(chunk=chunk, stride=stride, top=top)._chunks(length, room))
    assert {at for start, end in found for at in range(start, end)} == set(range(length))
    assert all(0 < end - start <= room for start, end in found)


def test_a_piece_at_the_head_of_a_chunk_follows(model):
    """`re ##build ##ing`, cut before `##build`: follow-up pieces are not masked by default."""
    measure = BlancTune(model=model, chunk=1, stride=1, min_lead=2, p_replace=0.0, p_keep=0.0)
    tokens = measure.lm.tokenize("rebuilding bridge")
    assert measure.lm.entries(tokens.ids) == ["re", "##build", "##ing", "bridge"]
    targets = [measure.lm.entries(s.targets) for s in measure._samples("rebuilding bridge")]
    # `re` leads no longer once the chunk ends after it: two letters are too few for a word.
    assert targets == [["bridge"]]
    by_words = BlancTune(model=model, chunk=2, stride=2, top=False, unit="words", gap=1)
    plain = BlancTune(**{**by_words.settings, "p_replace": 0.0, "p_keep": 0.0})
    targets = [plain.lm.entries(s.targets) for s in plain._samples("rebuilding bridge")]
    assert targets == [["re", "##build"], ["##ing", "bridge"]]


def test_settings_of_the_summary_are_its_own(model):
    measure = BlancTune(model=model, gap_tune=1, min_word_tune=9, p_replace=0.0, p_keep=0.0)
    [sample] = measure._samples(SUMMARY)
    assert measure.lm.entries(sample.targets) == ["engineers"]
    assert [len(ask.masking) for ask in measure._asks("The old bridge warned of danger.")] == [
        1,
        2,
    ]


# What is compared.


def test_a_model_that_learnt_the_source_knows_it(model):
    measure = BlancTune(model=model, epochs=30, learning_rate=5e-3)
    [score] = measure.score([pair(summary=SOURCE)])
    assert score.value == score.parts["relative"] > 0.1
    assert score.parts["s01"] > score.parts["s10"]
    [other] = measure.score([pair(summary=OTHER)])
    assert other.value < score.value


def test_before_and_after_see_the_same_masks(model, monkeypatch):
    """Also where masks are random, which the package draws twice."""
    measure = BlancTune(model=model, masks="randomly", **QUICK)
    asked = spy(measure, monkeypatch)
    [score] = measure.score([pair()])
    base, tuned = asked
    assert base == tuned
    forget()
    assert measure.score([pair()]) == [score]
    assert asked[2:] == [base, base]  # drawn anew, and the same
    long_enough = {ask.masking for ask in measure._asks(SOURCE)}
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


def test_the_untuned_model_is_asked_once_for_all_summaries(model, monkeypatch):
    measure = BlancTune(model=model, **QUICK)
    asked = spy(measure, monkeypatch)
    measure.score([pair(), pair(summary=OTHER), pair(), pair(OTHER)])
    # Once for each source; then after each of two summaries, the first for both sources.
    assert [len(queries) for queries in asked] == [6, 2, 8, 6]
    measure.score([pair(summary="Engineers warned.")])  # in another call
    assert [len(queries) for queries in asked[4:]] == [6]


# What must not matter.


def test_company_order_and_threads_do_not_matter(model):
    measure = BlancTune(model=model, **QUICK)
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


def test_the_state_of_the_process_does_not_matter_and_stays(model):
    measure = BlancTune(model=model, **{**BlancTune.presets["paper"], **QUICK, "passes": 1})
    first = values(measure, [pair()])
    forget()
    torch.manual_seed(99)
    random.seed(99)
    before = torch.get_rng_state(), random.getstate()
    assert values(measure, [pair()]) == first
    assert torch.equal(torch.get_rng_state(), before[0])
    assert random.getstate() == before[1]


def test_the_seed_chooses_the_samples(model):
    one, other = (
        list(BlancTune(model=model, seed=seed, masks_tune="randomly")._samples(SUMMARY))
        for seed in (1, 2)
    )
    assert one != other
    assert one == list(BlancTune(model=model, masks_tune="randomly")._samples(SUMMARY))


def test_the_model_is_as_before_when_scoring_is_broken_off(model, monkeypatch):
    lm = BlancTune(model=model).lm
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
        BlancTune(model=model).score([pair()])
    after = dict(lm.net.module.named_parameters())
    assert all(torch.equal(before[name], after[name]) for name in before)


# Texts of all kinds.


@pytest.mark.parametrize(
    "summary", ["is to of a old.", ".", "a", "😀", "[MASK]", "[CLS] [SEP]", "\x00."]
)
@pytest.mark.parametrize("preset", ["released", "paper"])
def test_a_summary_that_teaches_nothing_is_worth_nothing(model, summary, preset):
    """No word of it is long enough to be masked: the tuned model is the model."""
    measure = BlancTune(**{**BlancTune.presets[preset], "model": model, **QUICK})
    [score] = measure.score([pair(summary=summary)])
    if list(measure._samples(summary)):  # the package takes an unknown token for a word of five
        assert -1 <= score.value <= 1
    else:
        assert (score.value, score.parts["s01"], score.parts["s10"]) == (0, 0, 0)
        assert score.parts["s00"] + score.parts["s11"] > 0


def test_one_word(model):
    [score] = BlancTune(model=model, **QUICK).score([pair(summary="bridge")])
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
def test_no_value(model, example, problem):
    found = BlancTune(model=model, **QUICK).score([pair(), example, pair()])
    assert isnan(found[1].value)
    assert found[1].problem == problem
    assert found[0] == found[2]
    assert not found[0].problem


def test_a_mask_in_the_text_is_text(model):
    measure = BlancTune(model=model)
    mask = measure.lm.mask_id
    assert mask not in {target for s in measure._samples("a [MASK] here") for target in s.targets}
    [score] = measure.score([pair(source="They [MASK] the bridge.", summary="Some [MASK] text.")])
    assert -1 <= score.value <= 1


@pytest.mark.parametrize("preset", ["released", "paper"])
def test_texts_longer_than_the_model_reads(model, preset):
    """60 tokens: sentences are cut there, summaries are learnt in parts."""
    measure = BlancTune(**{**BlancTune.presets[preset], "model": model, "passes": 1, "epochs": 1})
    summary = " ".join([SUMMARY] * 12)
    samples = list(measure._samples(summary))
    assert max(len(sample.query.ids) for sample in samples) <= 60
    seen = {target for sample in samples for target in sample.targets}
    assert len(seen) == 8
    [score] = measure.score([pair(source=SOURCE.replace(".", ",") * 4, summary=summary)])
    assert sum(score.parts[s] for s in ("s00", "s01", "s10", "s11")) > 0


# Evidence.


def test_evidence_is_a_heat_map_of_the_source(model):
    measure = BlancTune(model=model, epochs=8, learning_rate=1e-2)
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


def test_more_frozen_layers_than_the_model_has(model):
    [score] = BlancTune(model=model, freeze_below=2, freeze_above=1).score([pair()])
    assert isnan(score.value)
    assert "the model's 2" in score.problem


def test_presets_and_parts(model):
    measure = get_measure(f"blanc-tune:preset=paper,model={model},passes=1")
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


def test_the_measure_gives_what_the_definition_gives(model):
    presets = {**BlancTune.presets["paper"], "passes": 2, "epochs": 3, "learning_rate": 0.01}
    measure = BlancTune(model=model, **presets)
    samples = list(measure._samples(SUMMARY))
    expected = blanc_tune(measure.lm, samples, SOURCE, measure._tuning())
    [score] = measure.score([pair()])
    assert score.value == expected
    assert score.parts["s01"] + score.parts["s10"] > 0, "else it would prove little"
