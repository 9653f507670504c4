"""An encoder with linear layers on top, trained together on scores of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from tricolore.arrays import Floats
from tricolore.models.encoder import Encoder
from tricolore.models.learning import Descent
from tricolore.models.queries import Query
from tricolore.models.regression import Linear, learn

Weights = dict[str, npt.NDArray[Any]]
_PIECE = 256


def fine_tune(
    encoder: Encoder,
    queries: Sequence[Query],
    targets: Floats,
    held_out: Sequence[int],
    how: Descent,
) -> tuple[Linear, Weights]:
    """Learn scores: returns the linear layer and the trained weights of the encoder.

    The encoder itself is unchanged when this returns. It runs as in scoring, without dropout.
    """
    net = encoder.net
    with net.lock:
        start = {name: p.detach().clone() for name, p in _learning(encoder).items()}
    wanted = torch.tensor(targets, dtype=torch.float32, device=net.module.device)

    def show(rows: Sequence[int]) -> torch.Tensor:
        batch = [queries[row] for row in rows]
        sizes = [len(query.positions) for query in batch]
        return torch.stack([part.mean(dim=0) for part in torch.split(net.states(batch), sizes)])

    with net.with_weights(start) as further:
        found = learn(show, wanted, held_out, how, width=encoder.width, further=further)
        learnt = {name: p.detach().cpu().numpy() for name, p in zip(start, further, strict=True)}
    return found, learnt


def vectors(
    encoder: Encoder, queries: Sequence[Query], weights: Mapping[str, npt.NDArray[Any]] | None
) -> Floats:
    """The mean vector of the asked positions of each query; by other weights if given."""
    other = {name: torch.tensor(value) for name, value in (weights or {}).items()}
    found = np.empty((len(queries), encoder.width))
    with encoder.net.with_weights(other):
        # All token vectors of many texts would not fit into memory.
        for start in range(0, len(queries), _PIECE):
            piece = encoder.vectors(queries[start : start + _PIECE], [encoder.layers])
            for at, states in enumerate(piece, start):
                found[at] = states[0].astype(np.float64).mean(axis=0)
    return found


def shapes(encoder: Encoder) -> dict[str, tuple[int, ...]]:
    """The shape of every weight that is learnt."""
    return {name: tuple(p.shape) for name, p in _learning(encoder).items()}


def _learning(encoder: Encoder) -> dict[str, torch.nn.Parameter]:
    """All weights except the pooler, which is not used here."""
    named = encoder.net.module.base_model.named_parameters()
    return {name: p for name, p in named if "pooler" not in name}
