from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tricolore.text.tokenizer import (
    NgramTokenizer,
    TokenizerError,
    content_words,
    gpt2,
    ngram_keys,
    train,
)

TEXTS = ["the cat sat on the mat", "The dog's ball, the cat's mat.", "rain on the lake — again"]
MODEL = train(TEXTS, vocabulary=40, alphabet=0, lower=False)
LOWERED = train(TEXTS, vocabulary=40, alphabet=0, lower=True)


def _library(text: str) -> tuple[list[int], list[tuple[int, int]]]:
    from tokenizers import Tokenizer

    found = Tokenizer.from_str(MODEL).encode(text)
    return found.ids, found.offsets


@settings(deadline=None)  # the first call imports NLTK or tokenizers
@given(st.text())
def test_word_by_word_is_what_the_library_does_with_the_whole_text(text: str) -> None:
    ids, offsets = _library(text)
    tokenizer = NgramTokenizer("bpe", MODEL)
    assert tokenizer.ids(text).tolist() == ids
    assert [tuple(span) for span in tokenizer.spans(text).tolist()] == offsets


@settings(deadline=None)  # the first call imports NLTK or tokenizers
@given(st.text())
@pytest.mark.parametrize("kind", ["bpe", "space", "characters"])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("stop", [False, True])
def test_every_token_has_a_place_in_the_text(kind, lower, stop, text: str) -> None:
    model = (LOWERED if lower else MODEL) if kind == "bpe" else ""
    tokenizer = NgramTokenizer(kind, model, lower=lower, stop=stop)
    spans = tokenizer.spans(text)
    assert len(spans) == len(tokenizer.ids(text))
    assert all(0 <= start < end <= len(text) for start, end in spans.tolist())
    assert (np.diff(spans[:, 0]) >= 0).all()


def test_tokens_are_where_they_are_said_to_be() -> None:
    text = "İstanbul: the CAT's mat"  # lowered, the first letter becomes two characters
    spans = NgramTokenizer("bpe", LOWERED, lower=True).spans(text)
    assert text[spans[-1][0] : spans[-1][1]] in "mat"
    assert text[spans[-1][0] : spans[-1][1]] != ""
    words = [text[a:b] for a, b in NgramTokenizer("space", lower=True).spans(text).tolist()]
    assert words == ["İstanbul:", "the", "CAT's", "mat"]


def test_stop_words_and_quotes_keep_their_places() -> None:
    text = 'He said: "It is the mat."'
    # NLTK writes `` and '' for quotation marks; they stand for one character of the text.
    assert [word for word, _, _ in content_words(text)] == ["said", ":", "``", "mat", ".", "''"]
    places = [text[start:end] for _, start, end in content_words(text)]
    assert places == ["said", ":", '"', "mat", ".", '"']


def test_the_vocabulary_has_its_size_and_every_character() -> None:
    vocabulary = json.loads(MODEL)["model"]["vocab"]
    assert len(vocabulary) == 40
    assert {c for text in TEXTS for c in text if c != " "} <= vocabulary.keys()
    assert NgramTokenizer("bpe", MODEL).unknown(
        NgramTokenizer("bpe", MODEL).ids("мир cat")
    ) == pytest.approx(3 / (3 + len(NgramTokenizer("bpe", MODEL).ids("cat"))))


def test_training_is_the_same_in_any_process_and_order() -> None:
    program = (
        "from tricolore.text.tokenizer import train; import sys, hashlib\n"
        "texts = open(sys.argv[1], encoding='utf-8').read().split('. ')\n"
        "texts = texts[::-1] if sys.argv[2] == 'back' else texts\n"
        "model = train(texts, vocabulary=100, alphabet=0, lower=False)\n"
        "print(hashlib.sha256(model.encode()).hexdigest())"
    )
    found = set()
    for seed, order, threads in (("1", "on", "1"), ("2", "back", "4"), ("3", "on", "2")):
        env = {**os.environ, "PYTHONHASHSEED": seed, "RAYON_NUM_THREADS": threads}
        done = subprocess.run(
            [sys.executable, "-c", program, __file__, order],
            env=env,
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout)
    assert len(found) == 1


def test_training_leaves_the_environment_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "true")
    train(TEXTS, vocabulary=50, alphabet=0, lower=False)
    assert os.environ["TOKENIZERS_PARALLELISM"] == "true"
    monkeypatch.delenv("TOKENIZERS_PARALLELISM")
    train(TEXTS, vocabulary=50, alphabet=0, lower=False)
    assert "TOKENIZERS_PARALLELISM" not in os.environ


def test_a_word_without_end_is_cut_so_that_training_ends() -> None:
    model = train(["ab" * 500_000], vocabulary=100, alphabet=0, lower=False)
    ids = NgramTokenizer("bpe", model).ids("ab" * 500_000)
    assert 0 < len(ids) <= 1_000_000


@settings(deadline=None)  # the first call imports NLTK or tokenizers
@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 4))
def test_keys_are_equal_where_ngrams_are(ids: list[int], n: int) -> None:
    grams = [tuple(ids[i : i + n]) for i in range(len(ids) - n + 1)]
    array = np.array(ids, dtype=np.int64)
    for base in (10, 2**63):  # packed, and hashed
        keys = ngram_keys(array, n, base).tolist()
        assert len(set(zip(grams, keys, strict=True))) == len(set(grams)) == len(set(keys))


def test_gpt2_is_never_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setattr("huggingface_hub.try_to_load_from_cache", lambda *_: None)
    with pytest.raises(TokenizerError, match="not on this machine"):
        gpt2()
    with pytest.raises(TokenizerError, match="there is no tokenizer"):
        gpt2(str(tmp_path / "tokenizer.json"))
    (tmp_path / "tokenizer.json").write_bytes(b"\xff not JSON")
    with pytest.raises(TokenizerError, match="is not a tokenizer"):
        gpt2(str(tmp_path / "tokenizer.json"))


def test_gpt2_file_is_used_whole_or_in_pieces(tmp_path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    # As GPT-2's: bytes, and the space belongs to the word after it.
    original = Tokenizer(models.BPE())
    original.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    original.train_from_iterator(TEXTS, trainers.BpeTrainer(vocab_size=300, show_progress=False))
    path = tmp_path / "tokenizer.json"
    original.save(str(path))
    tokenizer = NgramTokenizer("gpt2", gpt2(str(path)))
    text = "the cat  sat on\nthe mat " * 2_000
    assert tokenizer.ids(text).tolist() == original.encode(text).ids
    assert [tuple(s) for s in tokenizer.spans(text).tolist()] == original.encode(text).offsets
