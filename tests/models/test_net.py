"""The net in double precision, on a device that has none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tricolore.models import MaskedLM
from tricolore.models import net as net_module

from .conftest import queries_for


def test_without_fp64_on_the_device_the_cpu_takes_over(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The net pretends to be on a device that refuses fp64, as Apple's GPUs do."""
    lm = MaskedLM.load(str(checkpoint))
    queries = queries_for(lm)
    usual = lm.vectors(queries, [2])
    expected = lm.vectors(queries, [2], double=True)
    module = lm.net.module
    to, double = module.to, module.double
    place = ["gpu"]

    def moved(where: Any) -> Any:
        if isinstance(where, torch.dtype):
            assert place[-1] == "cpu"
            return to(where)
        place.append("cpu" if where == "cpu" and len(place) == 1 else "gpu")
        return module

    def doubled() -> Any:
        if place[-1] == "gpu":
            raise TypeError("Cannot convert a MPS Tensor to float64 dtype")
        return double()

    monkeypatch.setattr(net_module, "has_fp64", lambda _: False)
    monkeypatch.setattr(module, "to", moved)
    monkeypatch.setattr(module, "double", doubled)
    for one, other in zip(lm.vectors(queries, [2], double=True), expected, strict=True):
        assert one.dtype == np.float64
        np.testing.assert_array_equal(one, other)
    assert place == ["gpu", "cpu", "gpu"]
    for one, other in zip(lm.vectors(queries, [2]), usual, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_device_with_fp64_keeps_the_net() -> None:
    assert net_module.has_fp64(torch.device("cpu"))


def test_a_device_without_fp64_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise TypeError("Cannot convert a MPS Tensor to float64 dtype")

    monkeypatch.setattr(torch, "zeros", refuse)
    assert not net_module.has_fp64(torch.device("cpu"))
