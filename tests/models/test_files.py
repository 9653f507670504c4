"""Damaged, incomplete or odd files of a model: each is one clear error, never a traceback."""

from __future__ import annotations

import json
import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from tricolore import Example, Run
from tricolore.errors import Unavailable
from tricolore.models import MaskedLM, SentenceEncoder
from tricolore.models.errors import BrokenModelError, ModelNotFoundError

from .conftest import TEXT


def change_json(path: Path, **changed: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changed}))


def overwrite(name: str, content: bytes) -> Callable[[Path], object]:
    return lambda model: (model / name).write_bytes(content)


def cut(name: str, length: int) -> Callable[[Path], object]:
    return lambda model: os.truncate(model / name, length)


def header(tensors: dict[str, Any], data: bytes = b"\0" * 64) -> bytes:
    words = json.dumps(tensors).encode()
    return struct.pack("<Q", len(words)) + words + data


def one(**changed: Any) -> dict[str, Any]:
    plain = {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}
    return {"bert.embeddings.LayerNorm.bias": {**plain, **changed}}


def set_config(**changed: Any) -> Callable[[Path], object]:
    return lambda model: change_json(model / "config.json", **changed)


def set_tokenizer(**changed: Any) -> Callable[[Path], object]:
    return lambda model: change_json(model / "tokenizer.json", **changed)


DEEP = b"[" * 100_000 + b"]" * 100_000
DAMAGES: dict[str, Callable[[Path], object]] = {
    "weights: empty": overwrite("model.safetensors", b""),
    "weights: no header": cut("model.safetensors", 4),
    "weights: half a header": cut("model.safetensors", 100),
    "weights: half the data": cut("model.safetensors", 60_000),
    "weights: huge header": overwrite("model.safetensors", b"\xff" * 8 + b"{}" * 100),
    "weights: header is no JSON": overwrite("model.safetensors", struct.pack("<Q", 4) + b"abcd"),
    "weights: deep header": overwrite("model.safetensors", struct.pack("<Q", len(DEEP)) + DEEP),
    "weights: unknown dtype": overwrite("model.safetensors", header(one(dtype="F99"))),
    "weights: overlapping": overwrite(
        "model.safetensors", header({**one(), "b": one()["bert.embeddings.LayerNorm.bias"]})
    ),
    "weights: out of the file": overwrite("model.safetensors", header(one(data_offsets=[0, 999]))),
    "weights: huge shape": overwrite("model.safetensors", header(one(shape=[2**40, 2**40]))),
    "weights: none": overwrite("model.safetensors", header({}, b"")),
    "weights: noise": overwrite("model.safetensors", bytes(range(256)) * 40),
    "weights: a directory": lambda model: (
        (model / "model.safetensors").unlink(),
        (model / "model.safetensors").mkdir(),
    ),
    "weights: gone": lambda model: (model / "model.safetensors").unlink(),
    "weights: only pickled": lambda model: (
        (model / "model.safetensors").unlink(),
        torch.save({"a": torch.ones(1)}, model / "pytorch_model.bin"),
    ),
    "config: empty": overwrite("config.json", b""),
    "config: gone": lambda model: (model / "config.json").unlink(),
    "config: half": cut("config.json", 50),
    "config: a list": overwrite("config.json", b"[1, 2]"),
    "config: a number": overwrite("config.json", b"7"),
    "config: null": overwrite("config.json", b"null"),
    "config: deep": overwrite("config.json", DEEP),
    "config: not UTF-8": overwrite("config.json", b'{"a": "\xff\xfe"}'),
    "config: a number of 5000 digits": overwrite("config.json", b'{"a": %s}' % (b"9" * 5000)),
    "config: no keys": overwrite("config.json", b"{}"),
    "config: no kind of model": set_config(model_type=None, architectures=None),
    "config: unknown kind of model": set_config(model_type="nonsense"),
    "config: another kind of model": set_config(model_type="distilbert"),
    "config: a decoder": set_config(model_type="gpt2"),
    "config: width as text": set_config(hidden_size="thirty"),
    "config: width as a list": set_config(hidden_size=[32]),
    "config: no width": set_config(hidden_size=None),
    "config: negative width": set_config(hidden_size=-32),
    "config: width 0": set_config(hidden_size=0),
    "config: huge width": set_config(hidden_size=2**40),
    "config: heads that do not fit": set_config(num_attention_heads=5),
    "config: no heads": set_config(num_attention_heads=0),
    "config: too few layers": set_config(num_hidden_layers=1),
    "config: too many layers": set_config(num_hidden_layers=3),
    "config: layers as text": set_config(num_hidden_layers="two"),
    "config: no layers": set_config(num_hidden_layers=0),
    "config: a norm as text": set_config(layer_norm_eps="tiny"),
    "config: a norm that is infinite": set_config(layer_norm_eps=-1e30),
    "config: unknown activation": set_config(hidden_act="nonsense"),
    "config: vocabulary as text": set_config(vocab_size="many"),
    "config: another vocabulary": set_config(vocab_size=7),
    "config: other positions": set_config(max_position_embeddings=3),
    "config: unknown numbers": set_config(dtype="float99"),
    "tokenizer: empty": overwrite("tokenizer.json", b""),
    "tokenizer: gone": lambda model: (
        (model / "tokenizer.json").unlink(),
        (model / "tokenizer_config.json").unlink(),
    ),
    "tokenizer: half": cut("tokenizer.json", 800),
    "tokenizer: a list": overwrite("tokenizer.json", b"[]"),
    "tokenizer: no keys": overwrite("tokenizer.json", b"{}"),
    "tokenizer: deep": overwrite("tokenizer.json", DEEP),
    "tokenizer: not UTF-8": overwrite("tokenizer.json", b"\xff\xfe\x00"),
    "tokenizer: no model": set_tokenizer(model=None),
    "tokenizer: unknown model": set_tokenizer(model={"type": "Nonsense"}),
    "tokenizer: vocabulary as text": set_tokenizer(model={"type": "WordPiece", "vocab": "a b c"}),
    "tokenizer: ids below 0": set_tokenizer(model={"type": "WordPiece", "vocab": {"a": -1}}),
    "tokenizer: ids beyond the net": set_tokenizer(
        model={
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {"[CLS]": 0, "[PAD]": 1, "[SEP]": 2, "[UNK]": 3, "[MASK]": 4, "the": 999_999},
        }
    ),
    "tokenizer config: empty": overwrite("tokenizer_config.json", b""),
    "tokenizer config: a list": overwrite("tokenizer_config.json", b"[]"),
    "tokenizer config: deep": overwrite("tokenizer_config.json", DEEP),
    "tokenizer config: a token as a number": lambda model: change_json(
        model / "tokenizer_config.json", mask_token=5
    ),
    "tokenizer config: no [CLS]": lambda model: change_json(
        model / "tokenizer_config.json", cls_token=None
    ),
    "tokenizer config: length as text": lambda model: change_json(
        model / "tokenizer_config.json", model_max_length="long"
    ),
}


@pytest.mark.parametrize("kind", [MaskedLM, SentenceEncoder])
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_one_clear_error(model: Path, kind: Any, damage: str) -> None:
    DAMAGES[damage](model)
    with pytest.raises((BrokenModelError, ModelNotFoundError)) as caught:
        kind.load(str(model))
    first = caught.value.problem
    assert "the model" in first
    assert str(model) in first
    assert "\n" not in first


LAYOUTS: dict[str, bytes] = {
    "empty": b"",
    "half": b'[{"type": ',
    "a number": b"3",
    "text": b'"abc"',
    "numbers": b"[1, 2]",
    "no type": b"[{}]",
    "no path": b'[{"type": "a.Transformer"}]',
    "no modules": b"[]",
    "type is a list": b'[{"type": [], "path": []}]',
    "deep": DEEP,
    "not UTF-8": b"\xff\xfe\xff",
}


@pytest.mark.parametrize("content", LAYOUTS.values(), ids=LAYOUTS)
def test_a_damaged_layout_of_sentence_transformers(model: Path, content: bytes) -> None:
    (model / "modules.json").write_bytes(content)
    with pytest.raises((BrokenModelError, ModelNotFoundError)) as caught:
        SentenceEncoder.load(str(model))
    assert "\n" not in caught.value.problem


def test_a_directory_that_may_not_be_read(model: Path) -> None:
    """Root may read everything, so the test of a file is a link to itself."""
    (model / "model.safetensors").unlink()
    (model / "model.safetensors").symlink_to(model / "model.safetensors")
    with pytest.raises(Unavailable):
        MaskedLM.load(str(model))


@pytest.mark.parametrize("spec", ["estime", "bert-score", "sbert", "blanc-help"])
def test_a_damaged_config_is_one_error_of_a_run(model: Path, spec: str) -> None:
    (model / "config.json").write_bytes(DEEP)
    with pytest.raises(Unavailable):
        list(Run([f"{spec}:model={model}"]).score([Example(source="a", summary="b")]))


def test_a_directory_that_is_removed_during_a_run(model: Path) -> None:
    """What is loaded stays; a process that has yet to load it gets one clear error."""
    rows = [Example(source=text, summary=text, references=text) for text in TEXT]
    run = Run([f"sbert:model={model}"])
    results = run.score(rows)
    first = next(results)
    shutil.rmtree(model)
    assert all(score.problem is None for r in [first, *results] for score in r.scores.values())
    with pytest.raises(ModelNotFoundError, match="no such directory"):
        SentenceEncoder.load(str(model))
