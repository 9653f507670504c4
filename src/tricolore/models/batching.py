"""Which sequences go through the net together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def by_length(lengths: Sequence[int], token_budget: int) -> Iterator[list[int]]:
    """Indices in batches of like length; rows times longest row stays within the budget.

    A sequence longer than the budget makes a batch of its own.

    >>> list(by_length([5, 2, 9, 2], token_budget=10))
    [[1, 3], [0], [2]]
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch and (len(batch) + 1) * lengths[index] > token_budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
