"""A linear layer that learns scores from vectors, by gradient, with early stopping.

The vectors may be fixed, or come from a net that learns as well (`quality_net`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from tricolore.arrays import Floats
from tricolore.models.learning import Descent
from tricolore.models.reproducible import fixed_threads

Show = Callable[[Sequence[int]], torch.Tensor]
"""The vectors of some rows."""
_EPSILON = 1e-7  # the default of Keras, with which SUM-QE was made


class DivergedError(ArithmeticError):
    """The error became infinite: the learning rate is too high."""


@dataclass(frozen=True)
class Linear:
    """A linear layer: weights (targets × width) and biases, and its training history."""

    weight: Floats
    bias: Floats
    errors: tuple[float, ...] = ()
    """The mean squared error of the held-out rows after each epoch; empty without such rows."""


def fit(vectors: npt.ArrayLike, targets: Floats, held_out: Sequence[int], how: Descent) -> Linear:
    """Learn from fixed vectors, in double precision; `held_out` are rows to stop by."""
    given = torch.tensor(np.asarray(vectors, dtype=np.float64))
    wanted = torch.tensor(targets, dtype=torch.float64)
    return learn(lambda rows: given[list(rows)], wanted, held_out, how, width=given.shape[1])


def learn(
    show: Show,
    targets: torch.Tensor,
    held_out: Sequence[int],
    how: Descent,
    *,
    width: int,
    further: Sequence[nn.Parameter] = (),
) -> Linear:
    """Learn a linear layer, and `further` parameters of the net that gives the vectors.

    Afterwards they have the values of the best epoch, or of the last if chosen.
    """
    lot = torch.Generator().manual_seed(how.seed)
    taught = sorted(set(range(len(targets))) - set(held_out))
    head = _Head(width, targets[taught], how, lot)
    learning = [head.weight, head.bias, *further]
    for parameter in learning:
        parameter.requires_grad_()
    optimizer = torch.optim.Adam(learning, lr=how.learning_rate, eps=_EPSILON, fused=True)
    stop = _EarlyStopping(how, learning)
    with fixed_threads(how.threads):
        for _ in range(how.epochs):
            for batch in _batches(taught, how.batch, lot):
                optimizer.zero_grad()
                error = head.error(show(batch), targets[batch], lot)
                torch.autograd.backward(error)
                optimizer.step()
            if held_out and stop.after(_mean_error(head, show, targets, held_out, how)):
                break
        optimizer.zero_grad()
        if held_out and how.best:
            stop.restore()
    return head.found(stop.errors)


class _Head:
    """One linear layer per target. At first it predicts the mean of the training targets.

    Random weights, with which Keras begins, never change in directions that the rows do not cover:
    there are many of them if rows are fewer than the numbers in a vector.
    """

    def __init__(self, width: int, targets: torch.Tensor, how: Descent, lot: torch.Generator):
        kind: dict[str, Any] = {"dtype": targets.dtype, "device": targets.device}
        weight = torch.zeros((targets.shape[1], width), **kind)
        bias = targets.mean(dim=0)
        if how.start == "random":
            # Glorot's initialisation, for a layer of one unit.
            drawn = torch.rand(weight.shape, generator=lot, dtype=torch.float64)
            weight = ((2 * drawn - 1) * math.sqrt(6 / (width + 1))).to(**kind)
            bias = torch.zeros_like(bias)
        self.weight, self.bias = nn.Parameter(weight), nn.Parameter(bias)
        self._how = how

    def error(
        self, vectors: torch.Tensor, targets: torch.Tensor, lot: torch.Generator | None = None
    ) -> torch.Tensor:
        """The mean squared error; with a random generator, after dropout."""
        if lot is not None and self._how.dropout:
            keep = 1 - self._how.dropout
            shown = torch.rand(vectors.shape, generator=lot).to(vectors.device) < keep
            vectors = vectors * shown / keep
        scores = nn.functional.linear(vectors, self.weight, self.bias)
        scores = scores.relu() if self._how.relu else scores
        return nn.functional.mse_loss(scores, targets)

    def found(self, errors: Sequence[float]) -> Linear:
        """The layer as plain arrays."""
        weight, bias = (p.detach().double().cpu().numpy() for p in (self.weight, self.bias))
        if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
            raise DivergedError(_too_much(self._how))
        return Linear(weight, bias, tuple(errors))


class _EarlyStopping:
    """Keeps the best epoch, and stops when there has been no better one for too long."""

    def __init__(self, how: Descent, parameters: Sequence[nn.Parameter]) -> None:
        self.errors: list[float] = []
        self._how = how
        self._parameters = parameters
        self._best: list[torch.Tensor] = []
        self._waited = 0

    def after(self, error: float) -> bool:
        """Whether to stop after an epoch of this error."""
        if not math.isfinite(error):
            raise DivergedError(_too_much(self._how))
        better = not self.errors or error < min(self.errors)
        self.errors.append(error)
        self._waited = 0 if better else self._waited + 1
        if better and self._how.best:
            self._best = [p.detach().clone() for p in self._parameters]
        return self._waited >= self._how.patience

    def restore(self) -> None:
        """Return to the best epoch."""
        for parameter, value in zip(self._parameters, self._best, strict=True):
            parameter.data = value


def _too_much(how: Descent) -> str:
    return f"the error became infinite: learning_rate={how.learning_rate:g} is too much"


def _batches(rows: Sequence[int], size: int, lot: torch.Generator) -> Iterator[list[int]]:
    order = torch.randperm(len(rows), generator=lot).tolist()
    for start in range(0, len(rows), size):
        yield [rows[at] for at in order[start : start + size]]


def _mean_error(
    head: _Head, show: Show, targets: torch.Tensor, rows: Sequence[int], how: Descent
) -> float:
    total = 0.0
    with torch.no_grad():
        for start in range(0, len(rows), size := max(how.batch, 64)):
            batch = list(rows[start : start + size])
            total += float(head.error(show(batch), targets[batch])) * len(batch)
    return total / len(rows)
