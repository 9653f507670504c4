"""Tiny random checkpoints of entailment models, with the tokenizer's own way to join two texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from tests.models.conftest import tiny_tokenizer

NLI_FAMILIES = ("bert", "distilbert", "albert", "roberta", "deberta", "electra", "modernbert")
LABELS = ("contradiction", "entailment", "neutral")
POSITIONS = 100


def pair_tokenizer(family: str) -> Any:
    """A tokenizer that joins two texts as the family does."""
    from tokenizers import processors

    tokenizer = tiny_tokenizer("bert" if family == "deberta" else family)
    cls, sep = tokenizer.cls_token, tokenizer.sep_token
    between = f"{sep} {sep}" if family == "roberta" else sep
    second = "" if family in ("roberta", "distilbert") else ":1"
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{cls} $A {sep}",
        pair=f"{cls} $A {between} $B{second} {sep}{second}",
        special_tokens=[(token, tokenizer.convert_tokens_to_ids(token)) for token in (cls, sep)],
    )
    tokenizer.model_max_length = POSITIONS
    return tokenizer


def nli_net(family: str, vocabulary: int, pad: int, labels: Sequence[str] = LABELS) -> Any:
    """A random net of two layers with a classifier; its config names the labels in their order."""
    import transformers

    shape: dict[str, Any] = {
        "vocab_size": vocabulary,
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 64,
        "max_position_embeddings": POSITIONS + (pad + 1 if family == "roberta" else 0),
        "type_vocab_size": 1 if family == "roberta" else 2,
        "pad_token_id": pad,
        "initializer_range": 0.5,
    }
    if family == "deberta":
        shape |= {"type_vocab_size": 0, "relative_attention": True, "position_buckets": 16}
        shape |= {
            "pos_att_type": ["p2c", "c2p"],
            "norm_rel_ebd": "layer_norm",
            "share_att_key": True,
        }
        config: Any = transformers.DebertaV2Config(**shape)
    elif family == "distilbert":
        config = transformers.DistilBertConfig(
            vocab_size=vocabulary,
            dim=32,
            n_layers=2,
            n_heads=4,
            hidden_dim=64,
            max_position_embeddings=POSITIONS,
            pad_token_id=pad,
            initializer_range=0.5,
        )
    elif family == "modernbert":
        special = {f"{kind}_token_id": pad for kind in ("bos", "eos", "cls", "sep")}
        del shape["type_vocab_size"]
        config = transformers.ModernBertConfig(**shape, **special, initializer_cutoff_factor=2.0)
    else:
        kinds = {"bert": "Bert", "roberta": "Roberta", "albert": "Albert", "electra": "Electra"}
        if family in ("albert", "electra"):
            shape["embedding_size"] = 16
        config = getattr(transformers, f"{kinds[family]}Config")(**shape)
    config.id2label = dict(enumerate(labels))
    config.label2id = {label: at for at, label in enumerate(labels)}
    torch.manual_seed(11)
    return transformers.AutoModelForSequenceClassification.from_config(config)


def save_nli(directory: Path, family: str = "bert", labels: Sequence[str] = LABELS) -> Path:
    """Write a checkpoint as `save_pretrained` does."""
    tokenizer = pair_tokenizer(family)
    tokenizer.save_pretrained(directory)
    if family not in ("roberta", "distilbert"):
        config = json.loads((directory / "tokenizer_config.json").read_text())
        config["model_input_names"] = ["input_ids", "token_type_ids", "attention_mask"]
        (directory / "tokenizer_config.json").write_text(json.dumps(config))
    nli_net(family, len(tokenizer), tokenizer.pad_token_id, labels).save_pretrained(directory)
    return directory
