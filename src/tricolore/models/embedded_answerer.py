"""The embedded question answerer: the encoder of the embedded model with a span head of its own.

The net is Splinter's (Ram et al. 2021): BERT with a head that compares the state of the masked
token with that of every token of the passage. The encoder's weights are those of the embedded
masked LM; the file of the answerer holds the head, and for some matrices of the encoder a
change of low rank, `NAME.up` times `NAME.down`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tricolore.models import embedded
from tricolore.models.errors import BrokenModelError, ModelNotFoundError
from tricolore.models.files import file_digest, read_json

if TYPE_CHECKING:
    import torch

FILE = "question_answering.safetensors"
UP, DOWN = ".up", ".down"
ENCODER = "encoder"
_NAMES = {
    "attention.q_lin": "attention.self.query",
    "attention.k_lin": "attention.self.key",
    "attention.v_lin": "attention.self.value",
    "attention.out_lin": "attention.output.dense",
    "sa_layer_norm": "attention.output.LayerNorm",
    "ffn.lin1": "intermediate.dense",
    "ffn.lin2": "output.dense",
    "output_layer_norm": "output.LayerNorm",
}
_LAYER = re.compile(r"distilbert\.transformer\.layer\.(\d+)\.(.+)\.(weight|bias)")


@dataclass(frozen=True)
class EncoderTensors:
    """The tensors of the packed masked LM: encoder under Splinter's names, head under its own."""

    splinter: dict[str, torch.Tensor]
    head: dict[str, torch.Tensor]


def read(directory: Path, advice: str = "") -> tuple[Any, dict[str, torch.Tensor]]:
    """The configuration of the answerer and its tensors, under the names of `transformers`."""
    path = directory / FILE
    if not path.is_file():
        raise ModelNotFoundError("embedded", "it has no head that answers questions", advice)
    if encoder_of(path) != file_digest(directory / embedded.WEIGHTS):
        raise BrokenModelError(
            "embedded", f"{FILE} was made for another {embedded.WEIGHTS}", embedded.REINSTALL
        )
    tensors = encoder_tensors(directory).splinter
    stored = embedded.decode(path)
    for name, tensor in stored.items():
        if name.endswith(UP):
            matrix = name.removesuffix(UP)
            tensors[matrix] = tensors[matrix] + tensor @ stored[matrix + DOWN]
        elif not name.endswith(DOWN):
            tensors[name] = tensor
    config = splinter_config(read_json(directory / "config.json"), mask_id(directory))
    return config, tensors


def revision() -> str:
    """What identifies the answerer: its own weights, and through them the encoder's.

    Without weights of its own there is nothing to load, and the encoder's revision does.
    """
    encoder = embedded.revision()  # reports damaged files
    path = embedded.directory() / FILE
    return file_digest(path)[:12] if path.is_file() else encoder


def encoder_of(path: Path) -> str:
    """The digest of the encoder that an answerer was trained on."""
    from safetensors import safe_open

    with safe_open(path, "pt") as stored:
        return str((stored.metadata() or {}).get(ENCODER, ""))


def encoder_tensors(directory: Path) -> EncoderTensors:
    """Read a packed masked LM and give its encoder the names of Splinter."""
    import torch

    splinter: dict[str, torch.Tensor] = {}
    head: dict[str, torch.Tensor] = {}
    for name, tensor in embedded.decode(directory / embedded.WEIGHTS).items():
        if found := _LAYER.fullmatch(name):
            number, part, kind = found.groups()
            splinter[f"splinter.encoder.layer.{number}.{_NAMES[part]}.{kind}"] = tensor
        elif name.startswith("distilbert.embeddings."):
            splinter[name.replace("distilbert.", "splinter.", 1)] = tensor
        else:
            head[name] = tensor
    width = splinter["splinter.embeddings.LayerNorm.weight"].shape[0]
    # DistilBERT does not tell the two texts apart; zeros change nothing.
    splinter["splinter.embeddings.token_type_embeddings.weight"] = torch.zeros(2, width)
    return EncoderTensors(splinter, head)


def splinter_config(config: Mapping[str, Any], mask: int) -> Any:
    """The configuration of Splinter that fits a DistilBERT."""
    from transformers import SplinterConfig

    return SplinterConfig(
        vocab_size=config["vocab_size"],
        hidden_size=config["dim"],
        num_hidden_layers=config["n_layers"],
        num_attention_heads=config["n_heads"],
        intermediate_size=config["hidden_dim"],
        max_position_embeddings=config["max_position_embeddings"],
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        layer_norm_eps=1e-12,
        pad_token_id=config["pad_token_id"],
        question_token_id=mask,
    )


def mask_id(directory: Path) -> int:
    """The id of the mask token, which marks the question."""
    vocabulary = read_json(directory / "tokenizer.json")["model"]["vocab"]
    return int(vocabulary["[MASK]"])
