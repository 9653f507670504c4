"""Splitting rows into folds, with whole documents in a fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b

import numpy as np

from tricolore.arrays import Ints
from tricolore.errors import TrainingError


def folds(documents: Sequence[str], count: int, *, seed: int) -> list[Ints]:
    """The rows of each fold; all rows of a document are in the same one.

    `documents` has the id of each row's document (`Example.doc_id`, which is a digest of the source
    if the data has no id). Which fold a document is in follows from the ids and the seed alone, not
    from the order of the rows; folds differ by one document at most.

    >>> [list(map(int, fold)) for fold in folds(["a", "b", "a", "c"], 3, seed=1)]
    [[1], [0, 2], [3]]
    """
    names = sorted(set(documents), key=lambda name: (_lot(name, seed), name))
    if count < 2:
        raise TrainingError(f"{count} folds were asked for, but there must be 2 or more")
    if len(names) < count:
        some = "1 document" if len(names) == 1 else f"{len(names)} documents"
        raise TrainingError(f"{some} cannot be cut into {count} folds: ask for fewer folds")
    fold_of = {name: at % count for at, name in enumerate(names)}
    of_row = np.array([fold_of[document] for document in documents])
    return [np.flatnonzero(of_row == fold) for fold in range(count)]


def train_and_test(
    documents: Sequence[str], count: int, *, seed: int
) -> Iterator[tuple[Ints, Ints]]:
    """For each fold: the rows of all others, to learn from, and its own, to be predicted."""
    everyone = np.arange(len(documents))
    for fold in folds(documents, count, seed=seed):
        yield np.setdiff1d(everyone, fold), fold


def _lot(name: str, seed: int) -> bytes:
    """A pseudo-random number for a document, the same on every machine and in every run."""
    return blake2b(f"{seed} {name}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
