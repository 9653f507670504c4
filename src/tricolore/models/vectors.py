"""Vector arithmetic that several measures use."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Float = TypeVar("Float", np.float32, np.float64)


def unit_rows(vectors: npt.NDArray[Float]) -> npt.NDArray[Float]:
    """Every row divided by its length; a row of zeros stays as it is.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=vectors.dtype)
