"""Memory does not grow with the number of requests."""

from __future__ import annotations

import gc
import multiprocessing
import os

import pytest

PAGE = os.sysconf("SC_PAGE_SIZE")


def resident() -> int:
    """The bytes that this process, in which the server runs, and its workers hold in memory."""
    processes = [os.getpid(), *(child.pid for child in multiprocessing.active_children())]
    total = 0
    for process in processes:
        with open(f"/proc/{process}/statm") as stat:
            total += int(stat.read().split()[1])
    return total * PAGE


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs the /proc of Linux")
def test_memory_does_not_grow_with_requests(server):
    """300 requests with texts of 100 kB each would be 30 MB if one of them were kept."""

    def ask(first, last):
        for n in range(first, last):
            words = " ".join(f"w{n}x{at}" for at in range(12_000))
            example = {"source": words, "summary": words[:200]}
            body = {"examples": [example], "measures": ["coverage", f"rouge-1:weight={n}"]}
            if n % 3 == 0:
                body["measures"] = [f"coverage:nonsense={n}"]
            answer = server.post("/v1/score", body)
            assert answer.status_code == (422 if n % 3 == 0 else 200)

    ask(0, 150)  # what is remembered of texts is bounded, and has reached its bound
    gc.collect()
    before = resident()
    ask(150, 450)
    gc.collect()
    assert resident() - before < 12_000_000
    assert not server.server.service.scheduler._orders
    assert not server.server.service.scheduler._queues
