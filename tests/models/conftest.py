"""Tiny random checkpoints of every family, made on the spot."""

from __future__ import annotations

import gc
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from tricolore.models import MaskedLM, Query

# The tools are scripts of the repository, not part of the installed package.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

TEXT = [
    "The council voted to close the old bridge after engineers warned of danger.",
    "A farmer found a gold coin in his field while looking for a lost dog.",
    "Shares in the airline fell sharply after the company warned of lower profits.",
    "Scientists discovered a small frog in the forests of a remote island.",
]
FAMILIES = ("bert", "distilbert", "albert", "roberta", "electra", "mpnet", "modernbert")
_BYTE_LEVEL = ("roberta", "modernbert")


def tiny_tokenizer(family: str) -> Any:
    """The kind of tokenizer that the family uses, trained on a few sentences."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    names = {"cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]", "pad": "[PAD]", "unk": "[UNK]"}
    if family in _BYTE_LEVEL:
        names = {"cls": "<s>", "sep": "</s>", "mask": "<mask>", "pad": "<pad>", "unk": "<unk>"}
    special = [names[kind] for kind in ("cls", "pad", "sep", "unk", "mask")]
    if family in _BYTE_LEVEL:
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=special)
    elif family == "albert":
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        trainer = trainers.UnigramTrainer(
            vocab_size=120, special_tokens=special, unk_token=names["unk"]
        )
    else:
        tokenizer = Tokenizer(models.WordPiece(unk_token=names["unk"]))
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        trainer = trainers.WordPieceTrainer(vocab_size=160, special_tokens=special)
    tokenizer.train_from_iterator(TEXT, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=40,
        **{f"{kind}_token": token for kind, token in names.items()},
    )


def tiny_net(family: str, vocabulary: int, pad: int) -> Any:
    """A random net of two layers, wide enough that its guesses differ."""
    import transformers

    # RoBERTa and MPNet count positions from the padding id, so they need that many more.
    shape = {
        "vocab_size": vocabulary,
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 64,
        "max_position_embeddings": 40 + (pad + 1 if family in ("roberta", "mpnet") else 0),
        "pad_token_id": pad,
        "initializer_range": 0.5,
    }
    if family == "distilbert":
        config = transformers.DistilBertConfig(
            vocab_size=vocabulary,
            dim=32,
            n_layers=2,
            n_heads=4,
            hidden_dim=64,
            max_position_embeddings=40,
            pad_token_id=pad,
            initializer_range=0.5,
        )
    elif family == "albert":
        config = transformers.AlbertConfig(embedding_size=16, **shape)
    elif family == "electra":
        config = transformers.ElectraConfig(embedding_size=16, **shape)
    elif family == "modernbert":
        special = {f"{kind}_token_id": pad for kind in ("bos", "eos", "cls", "sep")}
        config = transformers.ModernBertConfig(**shape, **special, initializer_cutoff_factor=2.0)
    else:
        kinds = {"bert": "BertConfig", "roberta": "RobertaConfig", "mpnet": "MPNetConfig"}
        config = getattr(transformers, kinds[family])(**shape)
    torch.manual_seed(7)
    return transformers.AutoModelForMaskedLM.from_config(config)


@pytest.fixture(scope="session", params=FAMILIES)
def checkpoint(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a tiny checkpoint, as `save_pretrained` writes it."""
    directory = tmp_path_factory.mktemp(request.param)
    tokenizer = tiny_tokenizer(request.param)
    tokenizer.save_pretrained(directory)
    net = tiny_net(request.param, len(tokenizer), tokenizer.pad_token_id)
    net.save_pretrained(directory)
    return directory


@pytest.fixture(scope="session")
def whole_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny checkpoint without damage."""
    directory = tmp_path_factory.mktemp("bert")
    tokenizer = tiny_tokenizer("bert")
    tokenizer.save_pretrained(directory)
    tiny_net("bert", len(tokenizer), tokenizer.pad_token_id).save_pretrained(directory)
    return directory


@pytest.fixture
def model(whole_bert: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    shutil.copytree(whole_bert, tmp_path / "model")
    return tmp_path / "model"


def queries_for(model: MaskedLM, gap: int = 4) -> list[Query]:
    """Sentences of many lengths with every fourth token masked."""
    found = []
    for text in TEXT:
        tokens = model.tokenize(text).ids
        for length in range(5, len(tokens), 3):
            ids = list(model.frame(tokens[: min(length, 30)]))
            positions = tuple(range(1, len(ids) - 1, gap))
            for position in positions:
                ids[position] = model.mask_id
            found.append(Query(tuple(ids), positions))
    return found


def save_tokenizer(checkpoint: Path, directory: Path) -> None:
    from transformers import AutoTokenizer

    AutoTokenizer.from_pretrained(checkpoint).save_pretrained(directory)


@pytest.fixture
def quick_collections() -> Iterator[None]:
    """Garbage collections, of which every lack of memory makes one, look at new objects only."""
    gc.freeze()
    yield
    gc.unfreeze()
