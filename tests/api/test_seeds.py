"""Seeds that no random generator takes are refused before anything is read, wherever they go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tricolore.api import studies
from tricolore.api.agreement import agreement, compare_measures
from tricolore.api.compare import compare
from tricolore.api.evaluate import evaluate
from tricolore.api.perturb import perturb, perturb_to_file
from tricolore.api.sensitivity import sensitivity
from tricolore.api.sweep import sweep
from tricolore.api.train import train
from tricolore.errors import ArgumentError

USES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "agreement": (agreement, ("no file",)),
    "compare_measures": (compare_measures, ("no file",)),
    "compare": (compare, ("no file",)),
    "evaluate": (evaluate, ("no file", "rouge-1")),
    "perturb": (perturb, ("no file",)),
    "perturb_to_file": (perturb_to_file, ("no file", "out.jsonl")),
    "sensitivity": (sensitivity, ("no file", "rouge-1")),
    "sweep": (sweep, ("no file", "rouge-1")),
    "train": (train, ("mix", "no file", "quality", "out")),
    "annotators": (studies.annotators, ("no file", "quality")),
    "mixes": (studies.mixes, ("no file",)),
    "robustness": (studies.robustness, ("no file",)),
    "scaling": (studies.scaling, ("no file",)),
}


@pytest.mark.parametrize("seed", [-5, 2**31, 10**400, 1.5, "7"], ids=str)
@pytest.mark.parametrize("use", USES)
def test_a_seed_out_of_range(use: str, seed: Any) -> None:
    function, given = USES[use]
    with pytest.raises(ArgumentError, match="seed must be a whole number from 0 to") as caught:
        function(*given, seed=seed)
    assert caught.value.argument == "seed"
    assert len(str(caught.value)) < 400
