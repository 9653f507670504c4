"""Bringing values to [0, 1], so that their distance from human scores means something.

A scaling is learnt from some values and used on others. It never looks at those it is used on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tricolore.train.folds import train_and_test

Values = NDArray[np.float64]
Method = Literal["z", "z-centred", "min-max"]


@dataclass(frozen=True)
class Scaling:
    """(x - zero) / (one - zero), clipped to [0, 1]. `one` may be below `zero`: lower is better.

    >>> bounds(1, 5)(np.array([1.0, 2.0, 6.0])).tolist()
    [0.0, 0.25, 1.0]
    """

    zero: float
    one: float

    def __call__(self, values: Values) -> Values:
        """These values, in [0, 1]."""
        clipped: Values = np.clip((values - self.zero) / (self.one - self.zero), 0.0, 1.0)
        return clipped

    def back(self, scaled: Values) -> Values:
        """Map values in [0, 1] back to their own scale."""
        return self.zero + scaled * (self.one - self.zero)


def bounds(low: float, high: float) -> Scaling:
    """A scaling by given bounds, such as the ends of the annotators' scale."""
    if low == high:
        raise ValueError(f"the bounds {low:g} and {high:g} are the same")
    return Scaling(low, high)


def z_score(seen: Values) -> Scaling:
    """Eq. (4.1) of the thesis as it is printed: (x - μ) / 3σ, with μ and σ of the given values.

    The mean goes to 0, and all below it is clipped.
    """
    mu, sigma = float(np.mean(seen)), float(np.std(seen))
    return Scaling(mu, mu + 3 * _spread(sigma))


def z_centred(seen: Values) -> Scaling:
    """From μ - 3σ … μ + 3σ to 0 … 1, as in the numbers of the thesis's table 4.1."""
    mu, sigma = float(np.mean(seen)), float(np.std(seen))
    return Scaling(mu - 3 * _spread(sigma), mu + 3 * _spread(sigma))


def min_max(seen: Values) -> Scaling:
    """The smallest of the given values goes to 0, the largest to 1."""
    low, high = float(np.min(seen)), float(np.max(seen))
    return Scaling(low, low + _spread(high - low))


def learn(method: Method, seen: Values) -> Scaling:
    """The scaling of this name, learnt from the given values."""
    return {"z": z_score, "z-centred": z_centred, "min-max": min_max}[method](seen)


def out_of_fold(
    values: Values, documents: Sequence[str], method: Method, *, folds: int = 5, seed: int = 1
) -> Values:
    """Each fold's values, scaled by what the other folds give (thesis, section 4.3)."""
    scaled = np.empty_like(values)
    for others, fold in train_and_test(documents, folds, seed=seed):
        scaled[fold] = learn(method, values[others])(values[fold])
    return scaled


def _spread(spread: float) -> float:
    # Equal values have no spread; any will do, as all of them go to 0.
    return spread if spread > 0 else 1.0
