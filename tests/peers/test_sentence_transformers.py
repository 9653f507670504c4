"""The sentence encoder gives what sentence-transformers gives."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tricolore import Example
from tricolore.measures.sbert import Sbert
from tricolore.models.loading import home
from tricolore.models.sentence_encoder import SentenceEncoder

pytestmark = pytest.mark.slow


sys.path.insert(0, str(Path(__file__).parents[2]))  # for the tiny checkpoints

MINILM = home("all-MiniLM-L6-v2")
LINES = [
    "The Council VOTED to close the old bridge after engineers warned of danger.",
    "A farmer found a gold coin in his field while looking for a lost dog.",
    "Shares fell.",
    "",
]
LINES.append(" ".join(LINES * 3))


@pytest.fixture(scope="module")
def texts(newsroom: list[dict[str, Any]]) -> list[str]:
    """Articles, some longer than the model reads, and summaries of them."""
    rows = newsroom[::35]
    found = [row["source"] for row in rows] + [row["summary"] for row in rows]
    assert sum(len(text.split()) > 300 for text in found) > 3
    return found


@pytest.fixture(scope="module")
def minilm() -> SentenceEncoder:
    return SentenceEncoder.load()


def pooled(directory: str, mode: str, *, normalise: bool, **settings: Any) -> Any:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import (
        Normalize,
        Pooling,
        Transformer,
    )

    net = Transformer(directory, **settings)
    modules = [net, Pooling(net.model.config.hidden_size, pooling_mode=mode)]
    return SentenceTransformer(modules=modules + [Normalize()] * normalise, device="cpu")


def test_minilm(texts, minilm):
    from sentence_transformers import SentenceTransformer

    peer = SentenceTransformer(MINILM, device="cpu")
    np.testing.assert_allclose(minilm.embed(texts), peer.encode(texts), atol=1e-5)


@pytest.mark.parametrize("mode", ["cls", "mean", "max"])
def test_poolings_of_minilm(texts, minilm, mode):
    peer = pooled(MINILM, mode, normalise=False, max_seq_length=128)
    found = minilm.embed(texts[::2], pooling=mode, normalised=False, max_tokens=128)
    np.testing.assert_allclose(found, peer.encode(texts[::2]), atol=1e-5)


def test_sbert_is_the_cosine_of_the_peers_vectors(texts):
    from sentence_transformers import SentenceTransformer

    half = len(texts) // 2
    examples = [
        Example(source=s, summary=t) for s, t in zip(texts[:half], texts[half:], strict=True)
    ]
    peer = SentenceTransformer(MINILM, device="cpu")
    vectors = peer.encode(texts)
    cosines = (vectors[:half] * vectors[half:]).sum(axis=1)
    found = [score.parts["cosine"] for score in Sbert().score(examples)]
    np.testing.assert_allclose(found, cosines, atol=1e-5)


@pytest.mark.parametrize("family", ["bert", "roberta", "mpnet"])
@pytest.mark.parametrize("mode", ["cls", "mean", "max"])
def test_saved_checkpoints(tmp_path, family, mode):
    """Made on the spot, written by the peer, read by both."""
    from sentence_transformers import SentenceTransformer

    plain = plain_checkpoint(family, tmp_path / "plain")
    lower = mode == "max"
    pooled(plain, mode, normalise=mode != "mean", max_seq_length=16, do_lower_case=lower).save(
        str(tmp_path / "made")
    )
    ours = SentenceEncoder.load(str(tmp_path / "made"))
    assert (ours.layout.pooling, ours.usual_tokens) == (mode, 16)
    peer = SentenceTransformer(str(tmp_path / "made"), device="cpu")
    np.testing.assert_allclose(ours.embed(LINES), peer.encode(LINES), atol=1e-5)


def test_the_settings_of_older_checkpoints(tmp_path):
    """Small letters and the longest text stand in sentence_bert_config.json."""
    from sentence_transformers import SentenceTransformer

    plain = plain_checkpoint("bert", tmp_path / "plain")
    made = tmp_path / "made"
    pooled(plain, "mean", normalise=False).save(str(made))
    upper = SentenceEncoder.load(str(made)).embed(LINES)
    (made / "sentence_bert_config.json").write_text('{"max_seq_length": 12, "do_lower_case": true}')
    ours = SentenceEncoder.load(str(made))
    assert (ours.usual_tokens, ours.layout.lower) == (12, True)
    peer = SentenceTransformer(str(made), device="cpu")
    np.testing.assert_allclose(ours.embed(LINES), peer.encode(LINES), atol=1e-5)
    assert not np.allclose(ours.embed(LINES), upper, atol=0.1)


def plain_checkpoint(family: str, directory: Path) -> str:
    """A tiny net whose tokenizer frames a text by itself, as those of real checkpoints do."""
    from tokenizers.processors import TemplateProcessing

    from tests.models.conftest import tiny_net, tiny_tokenizer

    tokenizer = tiny_tokenizer(family)
    opening, closing = tokenizer.cls_token, tokenizer.sep_token
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single=f"{opening} $A {closing}",
        special_tokens=[(opening, tokenizer.cls_token_id), (closing, tokenizer.sep_token_id)],
    )
    tokenizer.save_pretrained(directory)
    tiny_net(family, len(tokenizer), tokenizer.pad_token_id).save_pretrained(directory)
    return str(directory)
