"""The network: a DistilBERT encoder cut to its first layers, with a masked-LM head.

Tensors keep the names of `transformers.DistilBertForMaskedLM`, so the result loads anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import torch
from torch import nn
from transformers import DistilBertConfig, DistilBertForMaskedLM, DistilBertModel

Tensors = dict[str, torch.Tensor]

_LAYER = re.compile(r"transformer\.layer\.(\d+)\.")


def config_for(tensors: Tensors, layers: int) -> DistilBertConfig:
    """The configuration that fits the tensors; heads are 64 wide as in every BERT."""
    vocabulary, width = tensors["distilbert.embeddings.word_embeddings.weight"].shape
    positions = tensors["distilbert.embeddings.position_embeddings.weight"].shape[0]
    hidden = tensors["distilbert.transformer.layer.0.ffn.lin1.weight"].shape[0]
    return DistilBertConfig(
        vocab_size=vocabulary,
        max_position_embeddings=positions,
        dim=width,
        hidden_dim=hidden,
        n_layers=layers,
        n_heads=max(1, width // 64),
        # About one pass over the text: there is nothing for dropout to prevent.
        dropout=0.0,
        attention_dropout=0.0,
        tie_word_embeddings=True,
        pad_token_id=0,
    )


def _kept(tensors: Tensors, layers: int) -> Iterable[tuple[str, torch.Tensor]]:
    for name, tensor in tensors.items():
        found = _LAYER.search(name)
        if found is None or int(found.group(1)) < layers:
            yield name, tensor


def encoder_from(tensors: Tensors, layers: int) -> DistilBertModel:
    """The bare encoder with the first `layers` layers."""
    model = DistilBertModel(config_for(tensors, layers))
    state = {name.removeprefix("distilbert."): t for name, t in _kept(tensors, layers)}
    model.load_state_dict(state, strict=True)
    return model


def with_head(tensors: Tensors, layers: int, seed: int) -> DistilBertForMaskedLM:
    """The encoder with a masked-LM head; whatever the tensors lack starts fresh.

    The fresh dense layer starts as the identity: the encoder's space is that of the word
    embeddings it was once trained against, so the head has little to turn.
    """
    torch.manual_seed(seed)
    model = DistilBertForMaskedLM(config_for(tensors, layers))
    with torch.no_grad():
        model.vocab_transform.weight.copy_(torch.eye(model.config.dim))
        model.vocab_transform.bias.zero_()
    state = dict(_kept(tensors, layers))
    missing, unexpected = model.load_state_dict(state, strict=False)
    wrong = [name for name in missing if not name.startswith("vocab_")] + list(unexpected)
    if wrong:
        raise ValueError(f"these tensors do not make a DistilBERT of {layers} layers: {wrong}")
    model.tie_weights()
    return model


class Head(nn.Module):
    """The masked-LM head alone, sharing its parameters with the model it is taken from."""

    def __init__(self, model: DistilBertForMaskedLM) -> None:
        super().__init__()
        self.dense = model.vocab_transform
        self.norm = model.vocab_layer_norm
        self.decoder = model.vocab_projector

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """Scores of the vocabulary for each hidden state."""
        return self.decoder(self.norm(nn.functional.gelu(self.dense(states))))


def trainable_head(model: DistilBertForMaskedLM) -> list[nn.Parameter]:
    """The parameters of the head without the decoder matrix, which is the embeddings'."""
    parts = (model.vocab_transform, model.vocab_layer_norm)
    return [p for part in parts for p in part.parameters()] + [model.vocab_projector.bias]


def freeze_all_but_top(model: DistilBertForMaskedLM, top: int) -> list[list[nn.Parameter]]:
    """Freeze all but the top layers; return what is left to train, from the head downwards.

    If no layer is frozen, the position embeddings and their norm are trained too, as one more
    group at the end. The word embeddings always stay frozen. They take a fifth of the speed to
    train, and a few million tokens would mostly push rare words about, which hardly occur
    but are moved at every step because the decoder is tied to the embeddings.
    """
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    layers = list(model.distilbert.transformer.layer)
    groups = [trainable_head(model)]
    groups += [list(layer.parameters()) for layer in reversed(layers[len(layers) - top :])]
    if top == len(layers):
        embeddings = model.distilbert.embeddings
        groups.append([embeddings.position_embeddings.weight, *embeddings.LayerNorm.parameters()])
    for parameter in (p for group in groups for p in group):
        parameter.requires_grad_(True)
    return groups
