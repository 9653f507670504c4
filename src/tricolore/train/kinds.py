"""The estimators that can be trained, by the name people type."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from tricolore.errors import TrainingError, did_you_mean
from tricolore.train.estimator import Estimator

KINDS = {
    "mix": "mix:MixEstimator",
    "sum-qe": "sum_qe:SumQeEstimator",
    "sbert-regression": "sbert_regression:SbertRegressionEstimator",
}
"""Each is imported when it is asked for."""


def kind(name: str) -> type[Estimator]:
    """The estimator of this name."""
    if name not in KINDS:
        hint = did_you_mean(name, KINDS, "there is: " + ", ".join(KINDS))
        raise TrainingError(f"there is nothing to train by the name '{name}'{hint}")
    module, _, cls = KINDS[name].partition(":")
    return cast(type[Estimator], getattr(import_module(f"tricolore.train.{module}"), cls))
