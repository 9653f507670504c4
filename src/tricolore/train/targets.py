"""Training data from examples with human scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from tricolore.errors import TrainingError
from tricolore.example import Example
from tricolore.measures.scaling import bounds as by_bounds
from tricolore.train.estimator import Targets, TrainingSet, Unusable


@dataclass(frozen=True)
class LabelledExamples:
    """Examples with a human score for every target, and these scores in [0, 1]."""

    examples: list[Example]
    targets: Targets
    left_out: int
    """The number of rows that lack a target."""

    def training_set(
        self, features: Sequence[Any]
    ) -> tuple[TrainingSet, list[Example], list[Unusable]]:
        """The training set, its examples, and why other examples are not in it."""
        rows = [row for row, feature in enumerate(features) if not isinstance(feature, Unusable)]
        unusable = [feature for feature in features if isinstance(feature, Unusable)]
        if not rows:
            raise TrainingError(f"no row can be used; the first: {unusable[0].problem}")
        examples = [self.examples[row] for row in rows]
        _check_spread(self.targets[rows], len(rows))
        training_set = TrainingSet(
            [features[row] for row in rows],
            self.targets[rows],
            [example.doc_id for example in examples],
        )
        return training_set, examples, unusable


def labelled_examples(
    examples: Sequence[Example], names: Sequence[str], bounds: tuple[float, float]
) -> LabelledExamples:
    """The examples that have all targets; the bounds are the ends of the human scale."""
    if not names:
        raise TrainingError("no target is named: say which human score is to be predicted")
    for name in names:
        if not any(name in example.human for example in examples):
            raise TrainingError(f"no row has the human score '{name}'; {_human_scores(examples)}")
    whole = [e for e in examples if all(name in e.human for name in names)]
    if not whole:
        raise TrainingError(f"no row has all of the human scores {', '.join(names)}")
    raw = np.array([[example.human[name] for name in names] for example in whole])
    low, high = bounds
    for name, column in zip(names, raw.T, strict=True):
        least, most = float(column.min()), float(column.max())
        if least < low or most > high:
            raise TrainingError(
                f"'{name}' goes from {least:g} to {most:g}, but the human scale was said to go "
                f"from {low:g} to {high:g}",
                argument="bounds",
            )
        if least == most:
            raise TrainingError(f"'{name}' is {least:g} in every row: there is nothing to learn")
    scaled = by_bounds(low, high)(raw)
    return LabelledExamples(whole, scaled, len(examples) - len(whole))


def digest(examples: Sequence[Example], targets: Targets) -> str:
    """A digest of the training data: texts, documents and scores, in their order."""
    digester = sha256()
    for example, row in zip(examples, targets, strict=True):
        texts = (example.doc_id, example.summary, *example.source, "", *example.references)
        for text in texts:
            raw = text.encode("utf-8", "surrogatepass")
            digester.update(b"%d " % len(raw) + raw)
        digester.update(row.tobytes())
    return digester.hexdigest()[:16]


def _check_spread(targets: Targets, rows: int) -> None:
    if np.any(np.ptp(targets, axis=0) == 0):
        raise TrainingError(f"people gave the {rows} rows that can be used all the same score")


def _human_scores(examples: Sequence[Example]) -> str:
    names = sorted({name for example in examples for name in example.human})
    return f"there is: {', '.join(names)}" if names else "the rows have no human scores"
