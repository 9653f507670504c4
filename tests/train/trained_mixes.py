"""Mixes that are trained and kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tricolore import Example
from tricolore.train.directory import Card, write
from tricolore.train.estimator import TrainingSet
from tricolore.train.fitting import fit_restarts
from tricolore.train.mix import MixEstimator
from tricolore.train.targets import labelled_examples

TARGETS = ("liked", "plain")


def lessons_of(judged: list[Example], estimator: MixEstimator) -> TrainingSet:
    known = labelled_examples(judged, TARGETS, (1, 5))
    return known.training_set(estimator.features(known.examples))[0]


def keep(path: Path, judged: list[Example], **settings: Any) -> MixEstimator:
    estimator = MixEstimator(**{"of": "length,coverage", **settings})
    card = Card(
        kind="mix",
        settings=estimator.settings,
        targets=TARGETS,
        bounds=(1, 5),
        restarts=1,
        seed=1,
        made_with=estimator.made_with(),
    )
    write(path, card, fit_restarts(estimator, lessons_of(judged, estimator), restarts=1, seed=1))
    return estimator
