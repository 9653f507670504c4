"""BLANC-help with a tiny random BERT: what must hold whatever it guesses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricolore import Example, get_measure
from tricolore.measures.blanc_help import BlancHelp, blanc_help
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.model import shared

WORDS = "bear honey noon river stone cloud winter summer bread water night house".split()


def counts(score: Any) -> tuple[float, ...]:
    return tuple(score.parts[name] for name in ("s00", "s01", "s10", "s11"))


def one(measure: BlancHelp, source: Any, summary: str, **more: Any) -> Any:
    [score] = measure.score([Example(source=source, summary=summary)], **more)
    return score


@pytest.fixture(scope="module")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A random BERT of 48 positions that knows a dozen words, and letters."""
    import torch
    from transformers import BertConfig, BertForMaskedLM, BertTokenizer

    letters = "abcdefghijklmnopqrstuvwxyz"
    entries = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "[", "]", *WORDS]
    entries += [*letters, *(f"##{letter}" for letter in letters)]
    directory = tmp_path_factory.mktemp("tiny")
    tokenizer = BertTokenizer(
        vocab={entry: number for number, entry in enumerate(entries)}, model_max_length=48
    )
    tokenizer.save_pretrained(directory)
    torch.manual_seed(3)
    net = BertForMaskedLM(
        BertConfig(
            vocab_size=len(entries),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=48,
            initializer_range=0.3,
        )
    )
    with torch.no_grad():
        net.cls.predictions.bias[[i for i, entry in enumerate(entries) if len(entry) < 4]] = -50
    net.save_pretrained(directory)
    return str(directory)


texts = st.lists(
    st.lists(st.sampled_from([*WORDS, "a", "of", "bears", "stoney"]), min_size=1, max_size=9),
    min_size=1,
    max_size=3,
).map(lambda parts: " ".join(" ".join(part) + "." for part in parts))
some_settings = st.fixed_dictionaries(
    {},
    optional={
        "gap": st.integers(2, 6),
        "unit": st.just("words"),
        "guard": st.sampled_from(["skip", "remove", "replace"]),
        "filler_step": st.sampled_from([1, 8]),
        "short": st.just("next"),
        "composite": st.just(True),
    },
)


@pytest.mark.slow
@given(
    sources=st.lists(texts, min_size=1, max_size=3),
    summaries=st.lists(texts, min_size=1, max_size=3),
    more=some_settings,
    data=st.data(),
)
@settings(max_examples=10, deadline=None)
def test_a_value_does_not_depend_on_its_company(tiny_bert, sources, summaries, more, data):
    import torch

    measure = BlancHelp(model=tiny_bert, **more)
    examples = [Example(source=a, summary=b) for a in sources for b in summaries]
    alone = [measure.score([example], evidence=True)[0] for example in examples]
    order = data.draw(st.permutations(range(len(examples))))
    budget, threads = measure.lm.budget.limit, torch.get_num_threads()
    try:
        measure.lm.budget.limit = data.draw(st.sampled_from([1, 100, 5000]))
        torch.set_num_threads(data.draw(st.sampled_from([1, 2])))
        together = measure.score([examples[i] for i in order])
    finally:
        measure.lm.budget.limit = budget
        torch.set_num_threads(threads)
    for place, score in zip(order, together, strict=True):
        assert same(score, replace(alone[place], evidence=()))


def same(a: Any, b: Any) -> bool:
    return a == b or (a.problem == b.problem is not None)


@given(source=texts, summary=texts, more=some_settings)
@settings(max_examples=40, deadline=None)
def test_what_is_counted_is_what_is_masked(tiny_bert, source, summary, more):
    measure = BlancHelp(model=tiny_bert, **{**more, "guard": "none"})
    score = one(measure, source, summary, evidence=True)
    items = [
        item
        for sentence in measure._read(source)
        for m in measure._maskings(sentence)
        for item in m
    ]
    if not items:
        assert score.problem == "no word of the source is long enough to be masked"
        return
    assert sum(counts(score)) == len(items) == len(score.evidence)
    assert -1 <= score.value <= 1
    assert 0 <= score.parts["improve"] <= 1
    assert sum(span.weight for span in score.evidence) == score.parts["s01"] - score.parts["s10"]


def test_a_net_is_right_now_and_then(tiny_bert):
    """Else the properties above would prove little."""
    source = " ".join(f"{a} {b} {a} of {b}." for a in WORDS for b in WORDS[:4])
    score = one(BlancHelp(model=tiny_bert), source, "bear honey noon.")
    assert min(counts(score)) > 0


@pytest.mark.parametrize(
    "summary",
    ["bear.", "🙂", "🙂🙂 🙂.", "\u200b", "[MASK]", "a", "\ud800.", "bear " * 300, "bear. " * 300],
)
@pytest.mark.parametrize(
    "source",
    [
        "honey.",
        "🙂",
        "\u200b",
        "[MASK] [SEP] bears.",
        "a",
        "\ud800",
        "honey " * 300,
        "honey. " * 100,
    ],
)
def test_odd_texts(tiny_bert, source, summary):
    for preset in ("released", "paper"):
        measure = BlancHelp(model=tiny_bert, **BlancHelp.presets[preset])
        score = one(measure, source, summary, evidence=True)
        if summary == "\u200b":
            assert score.problem == "the summary has nothing that the model can read"
        elif source in ("\u200b", "a", "\ud800") or (preset == "paper" and source == "🙂"):
            assert score.problem == "no word of the source is long enough to be masked"
        else:
            assert score.problem is None
            assert sum(counts(score)) > 0
            for span in score.evidence:
                assert 0 <= span.start < span.end <= len(source)


def test_a_mask_in_the_text_is_text(tiny_bert):
    measure = BlancHelp(model=tiny_bert)
    for tokens in measure._read("The [MASK] of bears."):
        assert measure.lm.mask_id not in tokens.ids


short_texts = st.lists(st.sampled_from([*WORDS, "a", "of"]), min_size=1, max_size=8)


@settings(max_examples=30, deadline=None)
@given(
    summary=short_texts,
    source=st.lists(short_texts, min_size=1, max_size=3),
    gap=st.integers(1, 6),
    min_word=st.integers(1, 5),
)
def test_the_measure_gives_what_the_definition_gives(tiny_bert, summary, source, gap, min_word):
    text = " ".join(f"{' '.join(sentence).capitalize()}." for sentence in source)
    front = " ".join(summary)
    made = get_measure(f"blanc-help:preset=paper,model={tiny_bert},gap={gap},min_word={min_word}")
    score = one(made, text, front)
    if score.problem:
        assert all(len(word) < min_word for sentence in source for word in sentence)
    else:
        expected = blanc_help(shared(MaskedLM, tiny_bert), front, text, gap=gap, min_word=min_word)
        assert score.value == expected
