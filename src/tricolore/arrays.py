"""Types of the NumPy arrays that the package uses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
"""Counts, and indices into other arrays."""
Flags = NDArray[np.bool_]
