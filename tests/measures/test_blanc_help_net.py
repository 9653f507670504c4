"""BLANC-help with a tiny random BERT: what must hold whatever it guesses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricolore import Example
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
    return saved_bert(tmp_path_factory.mktemp("tiny"), WORDS, is_cased=False)


@pytest.fixture(scope="module")
def tiny_cased(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same with a capital for each word, too."""
    words = [*WORDS, *(word.capitalize() for word in WORDS)]
    return saved_bert(tmp_path_factory.mktemp("cased"), words, is_cased=True)


def saved_bert(directory: Path, words: list[str], *, is_cased: bool) -> str:
    import torch
    from transformers import BertConfig, BertForMaskedLM, BertTokenizer

    letters = "abcdefghijklmnopqrstuvwxyz"
    entries = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "[", "]", *words]
    entries += [*letters, *(f"##{letter}" for letter in letters)]
    tokenizer = BertTokenizer(
        vocab={entry: number for number, entry in enumerate(entries)},
        model_max_length=48,
        do_lower_case=not is_cased,
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
    lowercase=st.booleans(),
)
def test_the_measure_gives_what_the_definition_gives(
    tiny_cased, summary, source, gap, min_word, lowercase
):
    text = " ".join(f"{' '.join(sentence).capitalize()}." for sentence in source)
    front = " ".join(summary)
    chosen = {"gap": gap, "min_word": min_word, "lowercase": lowercase}
    made = BlancHelp(**{**BlancHelp.presets["paper"], "model": tiny_cased, **chosen})
    score = one(made, text, front)
    if score.problem:
        assert all(len(word) < min_word for sentence in source for word in sentence)
    else:
        expected = blanc_help(shared(MaskedLM, tiny_cased), front, text, **chosen)
        assert score.value == expected


CASED = "Bear honey Noon river. Stone Cloud winter bread. Water night House summer."


def test_lowercase_is_the_measure_of_lower_cased_texts(tiny_cased):
    [found, cased] = [
        one(BlancHelp(model=tiny_cased, lowercase=lowercase), CASED, "Stone Bread.", evidence=True)
        for lowercase in (True, False)
    ]
    plain = one(BlancHelp(model=tiny_cased), CASED.lower(), "stone bread.", evidence=True)
    assert found == plain
    assert found.parts != cased.parts


@pytest.mark.parametrize("unicode", ["nfkd", "none"])
def test_lowercase_leaves_evidence_where_it_is(tiny_cased, unicode):
    """İ has two characters in lower case, and in NFKD: what comes after it must not move."""
    source = f"İİ İ {CASED}"
    measure = BlancHelp(model=tiny_cased, lowercase=True, unicode=unicode)
    score = one(measure, source, "Bear honey.", evidence=True)
    words = {source[span.start : span.end] for span in score.evidence}
    assert {"Bear", "Stone", "House"} <= words <= {"İİ", "İ", *CASED.replace(".", "").split()}


def test_sentences_are_those_of_the_text_as_it_is_written(tiny_cased):
    """ "The" after "etc." begins a sentence, "the" does not."""
    text = "Bear honey etc. The stone bread."
    measure = BlancHelp(model=tiny_cased, lowercase=True)
    read = [
        [text[start:end] for start, end in sentence.spans if end - start > 3]
        for sentence in measure._read(text)
    ]
    assert read == [["Bear", "honey"], ["stone", "bread"]]
    assert len(measure._read(text.lower())) == 1


def test_a_copy_in_other_letters_is_a_copy_with_lowercase(tiny_cased):
    source = "Bear honey. Stone bread."
    [cased, small] = [
        one(BlancHelp(model=tiny_cased, guard="skip", lowercase=lowercase), source, "bear honey.")
        for lowercase in (False, True)
    ]
    assert (sum(counts(cased)), sum(counts(small))) == (4, 2)
