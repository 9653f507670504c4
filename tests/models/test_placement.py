"""Where models run, for a thread and for a process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tricolore.models import Placement, placed
from tricolore.models.placement import current, place_process


def test_the_placement_of_a_thread_is_its_own() -> None:
    def device() -> str:
        return current().device

    before = current()
    with ThreadPoolExecutor(1) as pool, placed(Placement(device="cpu")):
        assert device() == "cpu"
        assert pool.submit(device).result() == before.device
    assert current() == before


def test_the_placement_of_a_process_is_that_of_all_its_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tricolore.models.placement._of_process", None)
    monkeypatch.setenv("TRICOLORE_DEVICE", "abacus")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert current() == Placement(device="abacus", offline=True)
    place_process(Placement(device="cpu", threads=1))
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(current).result() == Placement(device="cpu", threads=1)
