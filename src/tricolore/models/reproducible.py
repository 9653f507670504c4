"""What makes learning give the same weights again, bit by bit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

import torch

# The random state of torch and its number of threads belong to the whole process, so only one
# thread trains at a time.
_process_lock = RLock()


@contextmanager
def fixed_threads(count: int) -> Iterator[None]:
    """Compute with a fixed number of threads, on which the order of sums depends."""
    with _process_lock:
        before = torch.get_num_threads()
        torch.set_num_threads(count)
        try:
            yield
        finally:
            torch.set_num_threads(before)


@contextmanager
def seeded(device: torch.device, seed: int) -> Iterator[None]:
    """Seed torch's random numbers, and restore their state afterwards.

    Dropout can only use the process's generator.
    """
    others = [] if device.type == "cpu" else [device]
    kind = "cuda" if device.type == "cpu" else device.type
    with _process_lock, torch.random.fork_rng(others, device_type=kind):
        torch.manual_seed(seed)
        yield
