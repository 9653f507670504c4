"""Williams' test: is one of two correlations with the same third variable higher?"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class WilliamsTest:
    """Student's t with n - 3 degrees of freedom, and the two-sided p-value."""

    t: float
    p: float
    n: int


def williams_test(r_xz: float, r_yz: float, r_xy: float, n: int) -> WilliamsTest:
    """Compare r(x, z) with r(y, z), both of the same n points (Williams 1959; Steiger 1980).

    It holds for Pearson's r of normal data and is used for other coefficients as a rule of thumb.
    NaN where a correlation is undefined, there are fewer than four points, or x and y correlate
    perfectly.

    >>> williams_test(0.5, 0.3, 0.4, 103).t
    2.0966664836243627
    """
    if n < 4 or any(math.isnan(r) for r in (r_xz, r_yz, r_xy)):
        return WilliamsTest(math.nan, math.nan, n)
    determinant = 1 - r_xz**2 - r_yz**2 - r_xy**2 + 2 * r_xz * r_yz * r_xy
    mean = (r_xz + r_yz) / 2
    spread = 2 * (n - 1) / (n - 3) * determinant + mean**2 * (1 - r_xy) ** 3
    if spread <= 1e-15:
        return WilliamsTest(math.nan, math.nan, n)
    t = (r_xz - r_yz) * math.sqrt((n - 1) * (1 + r_xy) / spread)

    from scipy import stats

    return WilliamsTest(t, float(2 * stats.t.sf(abs(t), n - 3)), n)
