"""Sentence order: the losses of transformers' own heads."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.models.conftest import TEXT
from tests.models.nli_checkpoint import nli_net, pair_tokenizer, save_nli
from tricolore.models.errors import BrokenModelError
from tricolore.models.sentence_order import SentenceOrder


def save_order(directory: Path, family: str = "albert") -> Path:
    """A tiny pretrained ALBERT or BERT with its head for pairs of sentences."""
    import json

    import transformers

    tokenizer = pair_tokenizer(family)
    tokenizer.save_pretrained(directory)
    config = json.loads((directory / "tokenizer_config.json").read_text())
    config["model_input_names"] = ["input_ids", "token_type_ids", "attention_mask"]
    (directory / "tokenizer_config.json").write_text(json.dumps(config))
    shape = nli_net(family, len(tokenizer), tokenizer.pad_token_id).config
    torch.manual_seed(5)
    transformers.AutoModelForPreTraining.from_config(shape).save_pretrained(directory)
    return directory


@pytest.mark.parametrize("family", ["albert", "bert"])
def test_losses_are_those_of_transformers(family: str, tmp_path: Path) -> None:
    import transformers

    save_order(tmp_path, family)
    net = transformers.AutoModelForPreTraining.from_pretrained(tmp_path).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    pairs = [(TEXT[0], TEXT[1]), (TEXT[1], TEXT[0]), (TEXT[2], "A dog.")]
    right = []
    for first, second in pairs:
        with torch.no_grad():
            output = net(**tokenizer(first, second, return_tensors="pt"))
        logits = output.sop_logits if family == "albert" else output.seq_relationship_logits
        right.append(float(torch.nn.functional.cross_entropy(logits, torch.tensor([0]))))
    model = SentenceOrder.load(str(tmp_path))
    assert model.losses(pairs) == pytest.approx(right, abs=1e-5)
    assert right[0] != pytest.approx(right[1], abs=1e-3)
    assert len(model.losses([])) == 0


def test_long_pairs_are_cut(tmp_path: Path) -> None:
    model = SentenceOrder.load(str(save_order(tmp_path)))
    assert model.losses([("danger " * 300, "danger " * 300)])[0] >= 0


def test_a_model_without_the_head(tmp_path: Path) -> None:
    save_nli(tmp_path, "albert")
    with pytest.raises(BrokenModelError, match="it has no head"):
        SentenceOrder.load(str(tmp_path))


def test_a_kind_of_model_that_has_no_such_head(tmp_path: Path) -> None:
    import transformers

    save_nli(tmp_path, "distilbert")
    config = nli_net("distilbert", len(pair_tokenizer("distilbert")), 1).config
    transformers.AutoModelForMaskedLM.from_config(config).save_pretrained(tmp_path)
    with pytest.raises(BrokenModelError, match="distilbert has no head for sentence order"):
        SentenceOrder.load(str(tmp_path))
