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
    """Steps in which the learning rate grows; in the others it falls in a line to nothing."""
    weight_decay: float = 0.01
    freeze_below: int = 0
    """So many of the lowest layers, and the embeddings, stay as they are; 0: none."""
    freeze_above: int = 0
    """So many of the highest layers, and the head, stay as they are; 0: none."""
    dropout: bool = True
    seed: int = 1
    threads: int = 1
    """The order in which sums are made depends on it, and with that the last bits."""


@dataclass(frozen=True)
class Descent:
    """How scores are learnt by gradient; the same values and samples give the same weights.

    Adam on the mean squared error, in batches of rows that are shuffled for every epoch.
    """

    epochs: int = 10
    """At most so many."""
    batch: int = 8
    learning_rate: float = 2e-5
    patience: int = 1
    """Stop when the error of the held-out rows has not become less in so many epochs."""
    best: bool = True
    """Go back to the epoch of the least error; else what was learnt last stays."""
    dropout: float = 0.0
    """The share of a vector's numbers that the linear layer is not shown."""
    start: Literal["mean", "random"] = "mean"
    """Begin by saying the mean of the targets, or with random weights, as Keras does."""
    relu: bool = False
    """Whether negative scores become zero."""
    seed: int = 1
    threads: int = 1
    """The order in which sums are made depends on it, and with that the last bits."""
