"""A linear regression over the values of measures (thesis, section 4.2, figure 4.1)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from tricolore.errors import ModelDirectoryError, SpecError, TrainingError
from tricolore.example import Example
from tricolore.measure import Composed, Measure, Need
from tricolore.measures.scaling import Scaling, learn
from tricolore.registry import get_measures
from tricolore.score import Score
from tricolore.settings import setting
from tricolore.train.directory import Tensors, tensor
from tricolore.train.estimator import Estimator, Targets, TrainingSet, Unusable
from tricolore.train.trained_measure import TrainedMeasure

Matrix = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class MixEstimator(Estimator):
    """Weights of measures, learnt from human scores."""

    kind: ClassVar[str] = "mix"
    presets = {  # noqa: RUF012 (as in every measure)
        "exact": {},
        "thesis": {"solver": "gradient"},
        "thesis-avg": {"weights": "equal", "scaling": "z-centred"},
    }

    of: str = setting("", "The measures, separated by commas.")
    weights: Literal["fitted", "equal"] = setting(
        "fitted",
        "Whether the weights are learnt (`fitted`), or all measures count the same and only their "
        "scaling is learnt (`equal`).",
    )
    solver: Literal["exact", "gradient"] = setting(
        "exact",
        "How the weights are found: by least squares at once (`exact`), or from a random start by "
        "Adam (`gradient`).",
    )
    scaling: Literal["none", "z", "z-centred", "min-max"] = setting(
        "none",
        "How measures whose bounds are not 0 and 1 are brought there: `none`; `z`: (x - μ) / 3σ, "
        "cut off at 0 and 1, eq. (4.1); `z-centred`: from μ - 3σ … μ + 3σ; `min-max`: from the "
        "smallest to the largest value.",
    )
    epochs: int = setting(500, "With `solver=gradient`: number of steps, each over all rows.")
    learning_rate: float = setting(0.05, "With `solver=gradient`: step size of Adam.")
    _terms: tuple[Measure, ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        keep = object.__setattr__
        if not self._terms:
            if not self.of.strip():
                raise SpecError("mix: no measures are named", argument="of")
            keep(self, "_terms", tuple(get_measures(self.of)))
        keep(self, "of", ",".join(measure.label for measure in self._terms))
        keep(self, "restarts", 6 if self.solver == "gradient" else 1)
        if self.epochs < 1 or not self.learning_rate > 0:
            raise ValueError("epochs and learning_rate must be more than 0")
        if self.weights == "equal" and self.scaling == "none":
            for measure in self._terms:
                if not _is_unit(measure):
                    raise ValueError(
                        f"{measure.label} is not in [0, 1], so it cannot be averaged with others "
                        "as it is: choose scaling=z-centred or scaling=min-max"
                    )

    @property
    def terms(self) -> tuple[Measure, ...]:
        """The measures whose values are the features."""
        return self._terms

    @property
    def needs(self) -> frozenset[Need]:
        """Everything that any of the measures needs."""
        return frozenset().union(*(measure.needs for measure in self._terms))

    def with_corpus(self, sources: Iterable[str]) -> Self:
        """Fit the measures."""
        if iter(sources) is sources:
            sources = list(sources)
        return replace(self, _terms=tuple(measure.fit(sources) for measure in self._terms))

    def made_with(self) -> dict[str, Any]:
        """The signatures of the measures: with other models behind them it is another mix."""
        return {"terms": {measure.label: measure.signature() for measure in self._terms}}

    def features(self, examples: Sequence[Example]) -> list[Any]:
        """The value of every measure."""
        columns = [measure.score(examples) for measure in self._terms]
        return [self.features_of(row) for row in zip(*columns, strict=True)]

    def features_of(self, scores: Sequence[Score]) -> Matrix | Unusable:
        """The features of an example whose scores are known."""
        for measure, score in zip(self._terms, scores, strict=True):
            if not math.isfinite(score.value):
                return Unusable(f"{measure.label}: {score.problem or 'it has no value'}")
        return np.array([score.value for score in scores])

    def fit(self, training_set: TrainingSet, *, seed: int) -> Tensors:
        """Learn the scaling from these rows, then the weights."""
        values, targets = np.array(training_set.features), training_set.targets
        scaling: Tensors = {}
        if self.weights == "equal" or self.scaling != "none":
            learnt = [
                self._learn_scaling(measure, column)
                for measure, column in zip(self._terms, values.T, strict=True)
            ]
            scaling["zero"] = np.array([one.zero for one in learnt])
            scaling["one"] = np.array([one.one for one in learnt])
            values = _scale(values, scaling["zero"], scaling["one"])
        if self.weights == "equal":
            weights = np.full((len(self._terms), targets.shape[1]), 1 / len(self._terms))
            return {**scaling, "weights": weights, "bias": np.zeros(targets.shape[1])}
        if len(values) <= len(self._terms):
            raise TrainingError(
                f"{len(values)} rows are too few to learn {len(self._terms)} weights from"
            )
        # Measures are normalised first, so that very different scales cause no rounding errors.
        mu, sigma = values.mean(axis=0), values.std(axis=0)
        sigma[sigma <= 1e-12 * np.abs(mu)] = np.inf  # a constant measure gets no weight
        sigma[sigma == 0] = np.inf
        centre = targets.mean(axis=0)
        solve = _exact if self.solver == "exact" else self._gradient
        weights = solve((values - mu) / sigma, targets - centre, seed) / sigma[:, None]
        return {**scaling, "weights": weights, "bias": centre - mu @ weights}

    def _learn_scaling(self, measure: Measure, column: Matrix) -> Scaling:
        if _is_unit(measure) or self.scaling == "none":
            found = Scaling(0.0, 1.0)
        else:
            found = learn(self.scaling, column)
        if measure.direction != "lower":
            return found
        if self.scaling == "z" and not _is_unit(measure):
            return Scaling(found.zero, 2 * found.zero - found.one)  # (μ - x) / 3σ
        return Scaling(found.one, found.zero)

    def _gradient(self, values: Matrix, targets: Targets, seed: int) -> Matrix:
        """Weights by gradient descent on the squared error (Adam), from a random start."""
        draw = np.random.default_rng(seed)
        weights = draw.normal(scale=1 / math.sqrt(values.shape[1]), size=(values.shape[1], 1))
        # All targets start with the same weights, so that each learns the same as it would alone.
        weights = np.repeat(weights, targets.shape[1], axis=1)
        mean, square = np.zeros_like(weights), np.zeros_like(weights)
        for step in range(1, self.epochs + 1):
            slope = 2 * values.T @ (values @ weights - targets) / len(values)
            mean = 0.9 * mean + 0.1 * slope
            square = 0.999 * square + 0.001 * slope**2
            size = self.learning_rate * math.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            weights = weights - size * mean / (np.sqrt(square) + 1e-8)
        return weights

    def predict(self, tensors: Tensors, features: Sequence[Any], targets: int) -> Targets:
        """The weighted sum, for each target."""
        terms = len(self._terms)
        values = np.array(features).reshape(-1, terms)
        if self.weights == "equal" or self.scaling != "none":
            zero, one = (tensor(tensors, name, (terms,)) for name in ("zero", "one"))
            values = _scale(values, zero, one)
        weights = tensor(tensors, "weights", (terms, targets))
        # A loop over terms, not a matrix product, gives the same last bits in any batch.
        total: Targets = np.repeat(tensor(tensors, "bias", (targets,))[None], len(values), axis=0)
        for at in range(terms):
            total = total + values[:, at : at + 1] * weights[at]
        return total


def _exact(values: Matrix, targets: Targets, seed: int) -> Matrix:
    """Least squares; the smallest solution if there are several (collinear measures)."""
    return np.linalg.lstsq(values, targets, rcond=None)[0].astype(np.float64)


def _scale(values: Matrix, zero: Matrix, one: Matrix) -> Matrix:
    columns = [Scaling(z, o)(x) for z, o, x in zip(zero, one, values.T, strict=True)]
    return np.stack(columns, axis=1) if columns else values


def _is_unit(measure: Measure) -> bool:
    low, high = measure.bounds
    return low >= 0 and high <= 1


@dataclass(frozen=True, kw_only=True)
class Mix(Composed, TrainedMeasure):
    """What a trained mix of measures predicts for a summary."""

    name = "mix"
    kind: ClassVar[type[Estimator]] = MixEstimator
    cost: ClassVar[str] = "that of its measures"

    def prepare(self) -> None:
        TrainedMeasure.prepare(self)
        super().prepare()
        self._predict([])  # report weights that do not fit the card now
        # A mix that is fitted to the corpus of a run has other signatures than when it learnt.
        is_fitted = self._estimator is not None
        recorded = {} if is_fitted else self.model_directory.card.made_with.get("terms", {})
        for measure in self.terms:
            then, now = _signature(recorded, measure.label), measure.signature()
            if then is not None and _values(then) != _values(now):
                raise ModelDirectoryError(
                    f"{self.directory} was trained with another {measure.label} than is here now "
                    f"({_difference(then, now)}): train it again"
                )

    @property
    def batch_size(self) -> int:
        """The smallest of the measures' batch sizes."""
        return min(measure.batch_size for measure in self.terms)

    @property
    def terms(self) -> tuple[Measure, ...]:
        """The measures that are mixed."""
        estimator = self.estimator
        assert isinstance(estimator, MixEstimator)
        return estimator.terms

    def compose(self, scores: Sequence[Score]) -> Score:
        """What is predicted from the values of the measures."""
        estimator = self.estimator
        assert isinstance(estimator, MixEstimator)
        return next(iter(self._judge([estimator.features_of(scores)])))

    def _signed(self) -> dict[str, Any]:
        terms = enumerate(self.terms, 1)
        return {
            "trained": self.model_directory.card.settings,
            "terms": {str(n): measure.signature() for n, measure in terms},
        }


def _signature(recorded: Any, label: str) -> dict[str, Any] | None:
    found = recorded.get(label) if isinstance(recorded, dict) else recorded
    if found is not None and not isinstance(found, dict):
        raise ModelDirectoryError("the card does not say which measures it was trained with")
    return found


def _values(signature: dict[str, Any]) -> Any:
    """The part of a signature that determines values, as JSON.

    Not the version: a newer one gives the same values unless a revision says otherwise.
    """
    return json.loads(json.dumps({k: v for k, v in signature.items() if k != "tricolore"}))


def _difference(then: dict[str, Any], now: dict[str, Any]) -> str:
    old, new = _values(then), _values(now)
    keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    return ", ".join(f"{key} was {old.get(key)} and is {new.get(key)}" for key in keys)
