"""A layer taken apart, so that it can be run only for the requested rows.

Keys and values are needed at every position, queries and all that follows only at a few: with every
sixth token masked this saves most of the work of the last layer. Without it ESTIME with the
embedded model takes 22 % more time (6 short articles of SummEval, one thread). Known for the
families whose layers are built like BERT's or DistilBERT's; others run the layer whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn


@dataclass(frozen=True)
class LayerParts:
    """The parts of a post-norm transformer layer, whatever their names."""

    query: nn.Module
    key: nn.Module
    value: nn.Module
    attended: nn.Module
    attended_norm: nn.Module
    widen: nn.Module
    activation: Any
    narrow: nn.Module
    narrow_norm: nn.Module
    heads: int

    def __call__(
        self, states: torch.Tensor, asked: torch.Tensor, keys: torch.Tensor | None
    ) -> torch.Tensor:
        """States after the layer at `asked` (rows by positions); `keys` marks what is not padding.

        Dropout is left out: this is for inference.
        """
        own = states.gather(1, asked[:, :, None].expand(-1, -1, states.shape[-1]))
        attended = nn.functional.scaled_dot_product_attention(
            self._heads(self.query(own)),
            self._heads(self.key(states)),
            self._heads(self.value(states)),
            attn_mask=None if keys is None else keys[:, None, None, :],
        )
        joined = attended.transpose(1, 2).flatten(2)
        middle = self.attended_norm(self.attended(joined) + own)
        out: torch.Tensor = self.narrow_norm(
            self.narrow(self.activation(self.widen(middle))) + middle
        )
        return out

    def _heads(self, states: torch.Tensor) -> torch.Tensor:
        rows, length, width = states.shape
        return states.view(rows, length, self.heads, width // self.heads).transpose(1, 2)


def in_parts(layer: Any) -> LayerParts | None:
    """A layer in parts, if its kind is known."""
    kind = type(layer).__name__
    if kind in ("BertLayer", "RobertaLayer", "ElectraLayer", "XLMRobertaLayer", "CamembertLayer"):
        return _like_bert(layer)
    if kind == "TransformerBlock" and hasattr(layer, "sa_layer_norm"):
        return _like_distilbert(layer)
    return None


def _like_bert(layer: Any) -> LayerParts:
    attention = layer.attention
    return LayerParts(
        query=attention.self.query,
        key=attention.self.key,
        value=attention.self.value,
        attended=attention.output.dense,
        attended_norm=attention.output.LayerNorm,
        widen=layer.intermediate.dense,
        activation=layer.intermediate.intermediate_act_fn,
        narrow=layer.output.dense,
        narrow_norm=layer.output.LayerNorm,
        heads=int(attention.self.num_attention_heads),
    )


def _like_distilbert(layer: Any) -> LayerParts:
    attention = layer.attention
    return LayerParts(
        query=attention.q_lin,
        key=attention.k_lin,
        value=attention.v_lin,
        attended=attention.out_lin,
        attended_norm=layer.sa_layer_norm,
        widen=layer.ffn.lin1,
        activation=layer.ffn.activation,
        narrow=layer.ffn.lin2,
        narrow_norm=layer.output_layer_norm,
        heads=int(attention.n_heads),
    )
