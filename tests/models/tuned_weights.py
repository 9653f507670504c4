"""Samples to tune a model with, and the weights that come of it."""

from __future__ import annotations

import torch

from tricolore.models import MaskedLM, Query
from tricolore.models.learning import Sample, Tuning

from .conftest import TEXT

FAST = Tuning(epochs=4, learning_rate=1e-2)


def samples_for(lm: MaskedLM, count: int = 3) -> list[Sample]:
    found = []
    for at, text in enumerate(TEXT[:count]):
        ids = list(lm.frame(lm.tokenize(text).ids[: 20 + at]))
        positions = tuple(range(1 + at, len(ids) - 1, 4))
        targets = tuple(ids[position] for position in positions)
        for position in positions:
            ids[position] = lm.mask_id
        found.append(Sample(Query(tuple(ids), positions), targets))
    return found


def weights(lm: MaskedLM) -> dict[str, torch.Tensor]:
    return {name: p.detach().clone() for name, p in lm.net.module.named_parameters()}


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


def tuned_weights(lm: MaskedLM, samples: list[Sample], tuning: Tuning) -> dict[str, torch.Tensor]:
    with lm.tuned(samples, tuning):
        return weights(lm)
