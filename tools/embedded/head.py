"""Fit the masked-LM head on the features of the frozen encoder, computed once and cached.

The encoder is the costly part, and as long as it is frozen its output for a sequence never
changes; so a few passes over cached features cost little more than one.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn
from transformers import DistilBertForMaskedLM, DistilBertModel

from tools.embedded.network import Head, trainable_head
from tools.embedded.sequences import IGNORED, Sequences


@dataclass(frozen=True)
class Features:
    """Hidden states at masked positions, by layer, and the tokens that were there."""

    by_layer: dict[int, torch.Tensor]
    gold: torch.Tensor
    tokens: int


@torch.no_grad()
def cached_features(
    encoder: DistilBertModel, sequences: Sequences, layers: list[int], positions: int, seed: int
) -> Features:
    """States after each of `layers` (1 = after the first) at about `positions` positions."""
    states: dict[int, list[torch.Tensor]] = {layer: [] for layer in layers}
    gold: list[torch.Tensor] = []
    tokens = number = 0
    encoder.eval()
    while sum(map(len, gold)) < positions:
        for batch in sequences.round(seed, -1 - number):
            if sum(map(len, gold)) >= positions:
                break
            hidden = encoder(
                input_ids=batch.inputs, attention_mask=batch.attention, output_hidden_states=True
            ).hidden_states
            where = batch.labels != IGNORED
            for layer in layers:
                states[layer].append(hidden[layer][where].half())
            gold.append(batch.labels[where])
            tokens += batch.tokens
        number += 1
    by_layer = {layer: torch.cat(parts) for layer, parts in states.items()}
    return Features(by_layer, torch.cat(gold), tokens)


def fit_head(
    model: DistilBertForMaskedLM,
    features: Features,
    layer: int,
    *,
    epochs: int = 2,
    rate: float = 1e-3,
    batch: int = 512,
    seed: int = 0,
) -> float:
    """Train the head in place; return the mean loss over the last tenth of the steps."""
    generator = torch.Generator().manual_seed(seed)
    parameters = trainable_head(model)
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    for parameter in parameters:
        parameter.requires_grad_(True)
    optimiser = torch.optim.AdamW(parameters, lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
    steps = max(1, epochs * len(features.gold) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, steps + 1, pct_start=0.1)
    head, losses = Head(model), []
    for step in range(steps):
        if step % max(1, len(features.gold) // batch) == 0:
            order = torch.randperm(len(features.gold), generator=generator)
        at = (step * batch) % max(1, len(order) - batch + 1)
        rows = order[at : at + batch]
        logits = head(features.by_layer[layer][rows].float())
        loss = nn.functional.cross_entropy(logits, features.gold[rows])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        schedule.step()
        losses.append(loss.item())
    last = losses[-max(1, len(losses) // 10) :]
    return sum(last) / len(last)
