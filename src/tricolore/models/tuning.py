"""Tuning a loaded net on a few samples, and putting it back.

The net learns in copies of its parameters, which replace the original ones for a time. The
originals are never written to, so that putting them back restores the net bit by bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

import torch
from torch import nn

from tricolore.models.learning import Sample, Tuning
from tricolore.models.reproducible import fixed_threads, seeded

if TYPE_CHECKING:
    from tricolore.models.net import Net

_EPSILON = 1e-8
_BETAS = (0.9, 0.999)


@contextmanager
def tuned(net: Net, samples: Sequence[Sample], tuning: Tuning) -> Iterator[None]:
    """Tune the net on the samples within a block; its weights are restored in any case."""
    parameters = list(net.module.parameters())
    own = [(parameter, parameter.data, parameter.requires_grad) for parameter in parameters]
    try:
        learning = _learning(net, tuning)
        for parameter, data, _ in own:
            parameter.requires_grad_(id(parameter) in learning)
            if parameter.requires_grad:
                # Small steps would be rounded away in half precision.
                parameter.data = data.to(torch.float32, copy=True)
            elif data.dtype in (torch.bfloat16, torch.float16):
                parameter.data = data.float()
        if samples:
            _learn(net, samples, tuning)
        for parameter, data, _ in own:
            parameter.data = parameter.data.to(data.dtype)
        yield
    finally:
        for parameter, data, requires_grad in own:
            parameter.data = data
            parameter.grad = None
            parameter.requires_grad_(requires_grad)
        net.module.eval()


def _learn(net: Net, samples: Sequence[Sample], tuning: Tuning) -> None:
    optimizer = _optimizer(net.module, tuning)
    batches = [samples[i : i + tuning.batch] for i in range(0, len(samples), tuning.batch)]
    total = len(batches) * tuning.epochs
    with (
        seeded(net.module.device, tuning.seed),
        fixed_threads(tuning.threads),
        _Lookups(net.module.get_input_embeddings()) as lookups,
    ):
        net.module.train(tuning.dropout)
        for step in range(total):
            batch = batches[step % len(batches)]
            optimizer.zero_grad()
            targets = [target for sample in batch for target in sample.targets]
            torch.autograd.backward(net.loss([sample.query for sample in batch], targets))
            lookups.add_gradients()
            _set_pace(optimizer, step, total, tuning)
            optimizer.step()
        optimizer.zero_grad()
        net.module.eval()


class _Lookups:
    """Adds the gradients of the looked-up rows of an embedding to that of the whole.

    Autograd would make a matrix as large as the vocabulary of them, zeros but for a few rows,
    and add it to the head's: BLANC-tune with the embedded model would take 27 % more time (one
    short article of SummEval, one epoch).
    """

    def __init__(self, embedding: nn.Embedding) -> None:
        self._embedding = embedding
        self._seen: list[tuple[torch.Tensor, torch.Tensor]] = []

    def __enter__(self) -> Self:
        if self._embedding.weight.requires_grad:
            self._hook = self._embedding.register_forward_hook(self._cut)
        return self

    def __exit__(self, *_: object) -> None:
        if self._embedding.weight.requires_grad:
            self._hook.remove()

    def _cut(self, _: nn.Module, args: tuple[torch.Tensor], rows: torch.Tensor) -> torch.Tensor:
        leaf = rows.detach().requires_grad_()
        self._seen.append((args[0], leaf))
        return leaf

    def add_gradients(self) -> None:
        """Add the gradients, after a backward pass."""
        weight = self._embedding.weight
        for ids, leaf in self._seen:
            if weight.grad is None:  # a head with its own matrix
                weight.grad = torch.zeros_like(weight)
            assert leaf.grad is not None
            weight.grad.index_add_(0, ids.flatten(), leaf.grad.flatten(0, -2))
        self._seen.clear()


def _learning(net: Net, tuning: Tuning) -> set[int]:
    """Which parameters learn: all that are not frozen, by identity."""
    layers = net.layers
    first, last = tuning.freeze_below, len(layers) - tuning.freeze_above
    if tuning.freeze_below < 0 or tuning.freeze_above < 0 or first > last:
        raise ValueError(
            f"freeze_below={tuning.freeze_below} and freeze_above={tuning.freeze_above} "
            f"do not fit a model of {len(layers)} layers"
        )
    frozen = {id(p) for i, layer in enumerate(layers) if not first <= i < last for p in _of(layer)}
    inner = {id(p) for layer in layers for p in _of(layer)}
    below = {id(p) for p in _of(net.module.base_model)} - inner
    above = {id(p) for p in _of(net.module)} - inner - below
    frozen |= (below if tuning.freeze_below else set()) | (above if tuning.freeze_above else set())
    return {id(p) for p in _of(net.module)} - frozen


def _of(module: nn.Module) -> list[nn.Parameter]:
    return list(module.parameters())


def _optimizer(module: nn.Module, tuning: Tuning) -> torch.optim.Optimizer:
    """AdamW; biases and norms do not decay, whatever a family calls them."""
    norms = {
        id(p) for part in module.modules() if "norm" in type(part).__name__.lower()
        for p in part.parameters(recurse=False)
    }  # fmt: skip
    groups: dict[bool, list[nn.Parameter]] = {True: [], False: []}
    for name, parameter in module.named_parameters():
        if parameter.requires_grad:
            groups["bias" not in name and id(parameter) not in norms].append(parameter)
    return torch.optim.AdamW(
        [
            {"params": groups[True], "weight_decay": tuning.weight_decay},
            {"params": groups[False], "weight_decay": 0.0},
        ],
        betas=_BETAS,
        fused=True,
    )


def _set_pace(optimizer: torch.optim.Optimizer, step: int, total: int, tuning: Tuning) -> None:
    """The learning rate of a step, counted from 0: linearly up, then linearly down to 0."""
    if step < tuning.warmup:
        share = step / tuning.warmup
    else:
        share = (total - step) / max(1, total - tuning.warmup)
    # The AdamW that BLANC was made with adds its epsilon before the correction of the second
    # moment, torch's after it; at the first step that is a factor of 30.
    correction = math.sqrt(1 - _BETAS[1] ** (step + 1))
    for group in optimizer.param_groups:
        group["lr"] = tuning.learning_rate * share
        group["eps"] = _EPSILON / correction
