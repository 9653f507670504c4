"""Pack a trained model for shipping: int8 rows with a scale each, its tokenizer and its config.

The layout is read back by `tricolore.models.embedded`.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import DistilBertForMaskedLM

from tricolore.measures.estime import ADVICE
from tricolore.models import embedded_answerer
from tricolore.models.embedded import SCALE, WEIGHTS

DIGESTS = "digests.json"
# The decoder is the embedding matrix; storing it twice would cost 22 MB.
_TIED = "vocab_projector.weight"
# What transformers adds to every configuration and no masked LM reads.
_NOISE = {
    "_name_or_path",
    "bos_token_id",
    "chunk_size_feed_forward",
    "dtype",
    "eos_token_id",
    "id2label",
    "is_encoder_decoder",
    "label2id",
    "output_attentions",
    "output_hidden_states",
    "problem_type",
    "qa_dropout",
    "return_dict",
    "seq_classif_dropout",
    "torch_dtype",
    "transformers_version",
}


def packed(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Matrices as int8 with one scale a row (symmetric), vectors as fp16."""
    stored: dict[str, torch.Tensor] = {}
    for name, tensor in state.items():
        if name == _TIED:
            continue
        if tensor.ndim != 2:
            stored[name] = tensor.half().contiguous()
            continue
        # Rows are rounded to the scale as it will be read back, not to the one before rounding.
        scale = (tensor.abs().amax(dim=1).clamp(min=1e-8) / 127).half()
        scale = torch.where(scale == 0, torch.tensor(6e-8, dtype=torch.half), scale)
        rows = (tensor / scale.float().unsqueeze(1)).round().clamp(-127, 127)
        stored[name] = rows.to(torch.int8).contiguous()
        stored[name + SCALE] = scale.contiguous()
    return stored


def export(
    model: DistilBertForMaskedLM,
    tokenizer: Tokenizer,
    directory: Path,
    estime_layer: int | None = None,
) -> None:
    """Write model.safetensors, config.json, tokenizer.json and the digests of all three.

    `estime_layer` is the layer that ESTIME takes by default; 21/24 of the depth if not given.
    """
    directory.mkdir(parents=True, exist_ok=True)
    save_file(packed(model.state_dict()), directory / WEIGHTS, metadata={"format": "pt"})
    (directory / WEIGHTS).chmod(0o644)  # safetensors writes for the owner only
    config = {k: v for k, v in model.config.to_dict().items() if k not in _NOISE}
    config["architectures"] = ["DistilBertForMaskedLM"]
    if estime_layer is not None:
        config[ADVICE] = estime_layer
    text = json.dumps(config, indent=2, sort_keys=True) + "\n"
    (directory / "config.json").write_text(text, encoding="utf-8")
    tokenizer.save(str(directory / "tokenizer.json"), pretty=False)
    # An answerer on top of another encoder is of no use any more.
    (directory / embedded_answerer.FILE).unlink(missing_ok=True)
    write_digests(directory)


def write_digests(directory: Path) -> None:
    """Write the digests of all files of the model."""
    names = (WEIGHTS, "config.json", "tokenizer.json", embedded_answerer.FILE)
    digests = {
        name: hashlib.sha256((directory / name).read_bytes()).hexdigest()
        for name in names
        if (directory / name).is_file()
    }
    (directory / DIGESTS).write_text(json.dumps(digests, indent=2) + "\n", encoding="utf-8")
