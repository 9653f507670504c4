"""Forward passes through a net of `transformers` that stop once they have the requested result.

Measures ask for the hidden states of a middle layer, or for the scores of a few masked positions.
Running all layers, and the head at every position, would take several times as long. No family
of nets offers a way to stop early, so hooks look at each layer's output and leave the pass by an
exception. The net's own modules do all the work, so this is right for every family whose layers
`layer_modules` finds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn

LayerCallback = Callable[[int, torch.Tensor], None]
"""A function of each layer's number and hidden states; 0: those before the first layer."""


class _Reached(Exception):  # noqa: N818  (not an error)
    """Raised inside a forward pass to end it early."""


def run_layers(
    module: Any,
    layers: Sequence[nn.Module],
    inputs: torch.Tensor,
    attention: torch.Tensor | None,
    *,
    deepest: int,
    keep: LayerCallback,
) -> None:
    """Run a batch up to a layer and pass on every layer's hidden states."""
    seen = 0

    def before(_: nn.Module, args: Any, kwargs: Any) -> None:
        if seen == 0:
            keep(0, args[0] if args else kwargs["hidden_states"])
            if deepest == 0:
                raise _Reached

    def after(_: nn.Module, __: Any, output: Any) -> None:
        nonlocal seen
        seen += 1
        # What follows the last layer (ModernBERT's norm) belongs to it.
        if seen < len(layers):
            keep(seen, output[0] if isinstance(output, tuple) else output)
            if seen == deepest:
                raise _Reached

    distinct = {id(layer): layer for layer in layers}.values()
    hooks = [layers[0].register_forward_pre_hook(before, with_kwargs=True)]
    hooks += [layer.register_forward_hook(after) for layer in distinct]
    try:
        output = module.base_model(input_ids=inputs, attention_mask=attention)
        keep(len(layers), output[0])
    except _Reached:
        pass
    finally:
        for hook in hooks:
            hook.remove()


def head_features(module: Any, states: torch.Tensor) -> torch.Tensor:
    """The head's features of last hidden states, before the product with the vocabulary.

    The whole model is called with its encoder replaced by the states, so that every family's
    head is run by its own code.
    """
    from transformers.modeling_outputs import BaseModelOutput

    caught: list[torch.Tensor] = []

    def catch(_: nn.Module, args: tuple[torch.Tensor, ...]) -> None:
        caught.append(args[0])
        raise _Reached

    base = module.base_model
    hook = module.get_output_embeddings().register_forward_pre_hook(catch)
    answer: Any = BaseModelOutput(last_hidden_state=states[None])  # type: ignore[arg-type]
    base.forward = lambda *_, **__: answer
    try:
        module(input_ids=torch.zeros((1, len(states)), dtype=torch.long))
    except _Reached:
        pass
    finally:
        del base.forward
        hook.remove()
    return caught[0].reshape(len(states), -1)


def layer_modules(module: Any) -> list[nn.Module]:
    """The layers in the order in which they are run; ALBERT runs a few of them many times."""
    depth = int(module.config.num_hidden_layers)
    base = module.base_model
    for name in ("encoder.layer", "transformer.layer", "layers", "encoder.layers"):
        found: Any = base
        for step in name.split("."):
            found = getattr(found, step, None)
        if isinstance(found, nn.ModuleList) and len(found) == depth:
            return list(found)
    groups = getattr(getattr(base, "encoder", None), "albert_layer_groups", None)
    if groups is not None:
        each = depth // len(groups)
        return [groups[min(i // each, len(groups) - 1)] for i in range(depth)]
    raise ValueError(f"a net of the kind {module.config.model_type!r} has no layers that we know")
