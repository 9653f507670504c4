"""The estimators that can be trained, by the name that users type."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from tricolore.errors import SpecError, TrainingError, did_you_mean
from tricolore.settings import OPEN_POLICY, Policy, read_settings
from tricolore.spec import NoNames, Spec
from tricolore.train.estimator import Estimator

KINDS = {
    "mix": "mix:MixEstimator",
    "sum-qe": "sum_qe:SumQeEstimator",
    "sbert-regression": "sbert_regression:SbertRegressionEstimator",
}
"""The class of each estimator, which is imported when it is first used."""


def find_estimator(name: str) -> type[Estimator]:
    """The estimator of this name."""
    if name not in KINDS:
        hint = did_you_mean(name, KINDS, "there is: " + ", ".join(KINDS))
        raise TrainingError(f"there is nothing to train by the name '{name}'{hint}")
    module, _, cls = KINDS[name].partition(":")
    return cast(type[Estimator], getattr(import_module(f"tricolore.train.{module}"), cls))


def get_estimator(spec: str | Spec, policy: Policy = OPEN_POLICY) -> Estimator:
    """The estimator that a spec names, with its settings.

    >>> get_estimator("sum-qe:epochs=5,task=single").settings["epochs"]
    5
    """
    parsed = Spec.parse(spec, NoNames()) if isinstance(spec, str) else spec
    cls = find_estimator(parsed.name)
    settings = read_settings(parsed.name, cls, parsed.settings, policy=policy)
    try:
        return cls(**settings)
    except SpecError:
        raise
    except ValueError as error:
        raise SpecError(f"{parsed.name}: {error}") from error
