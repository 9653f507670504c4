"""What a model learns from, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tricolore.models.queries import Query


@dataclass(frozen=True)
class Sample:
    """A question and its right answers: the tokens that belong at the asked positions."""

    query: Query
    targets: tuple[int, ...]


@dataclass(frozen=True)
class Tuning:
    """How a model is tuned; the same values and samples give the same weights, bit by bit."""

    epochs: int = 10
    batch: int = 1
    learning_rate: float = 5e-5
    warmup: int = 0
    """Steps in which the learning rate grows; afterwards it falls linearly to 0."""
    weight_decay: float = 0.01
    freeze_below: int = 0
    """This many of the lowest layers, and the embeddings, are frozen; 0: none."""
    freeze_above: int = 0
    """This many of the highest layers, and the head, are frozen; 0: none."""
    dropout: bool = True
    seed: int = 1
    threads: int = 1
    """The order of summation depends on it, and so do the last bits."""


@dataclass(frozen=True)
class Descent:
    """How scores are learnt by gradient; the same values and samples give the same weights.

    Adam on the mean squared error, in batches of rows that are shuffled for every epoch.
    """

    epochs: int = 10
    """The largest number of epochs."""
    batch: int = 8
    learning_rate: float = 2e-5
    patience: int = 1
    """Stop when the error of the held-out rows has not fallen for this many epochs."""
    best: bool = True
    """Whether to return to the epoch of the smallest error instead of keeping the last."""
    dropout: float = 0.0
    """The share of a vector's numbers that dropout hides from the linear layer."""
    start: Literal["mean", "random"] = "mean"
    """Whether training starts from the mean of the targets or, as in Keras, random weights."""
    relu: bool = False
    """Whether negative scores become zero."""
    seed: int = 1
    threads: int = 1
    """The order of summation depends on it, and so do the last bits."""
