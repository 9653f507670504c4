"""What makes learning give the same weights again, bit by bit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

import torch

# The random numbers of torch and its number of threads belong to the whole process: of several
# threads of ours that learn, one does so at a time.
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
    """Draw torch's random numbers from a seed, and put their state back afterwards.

    Dropout can take its numbers from no other generator than that of the process.
    """
    others = [] if device.type == "cpu" else [device]
    kind = "cuda" if device.type == "cpu" else device.type
    with _process_lock, torch.random.fork_rng(others, device_type=kind):
        torch.manual_seed(seed)
        yield
