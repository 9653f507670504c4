"""Int8 arithmetic, on every family."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tricolore.models import MaskedLM

from .conftest import queries_for


def test_int8_is_near_fp32_and_free_of_company(checkpoint: Path) -> None:
    exact = MaskedLM.load(str(checkpoint))
    model = MaskedLM.load(str(checkpoint), precision="int8")
    queries = queries_for(exact)
    found, whole = model.vectors(queries, [1]), exact.vectors(queries, [1])
    for query, together in zip(queries, found, strict=True):
        assert (model.vectors([query], [1])[0] == together).all()
    flat = np.concatenate([v.ravel() for v in found]), np.concatenate([v.ravel() for v in whole])
    assert 0.98 < np.corrcoef(*flat)[0, 1] < 1 - 1e-9
