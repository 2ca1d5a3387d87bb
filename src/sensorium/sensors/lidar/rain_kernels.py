"""Rain drops along a beam, one after the other. Import this lazily: it loads Numba. The formulas are in `rain`."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.random_kernels import uniform

MOST_DROPS = 31
"""Drops per beam, the nearest ones; each has two addresses for its draws."""


@nb.njit(cache=True, error_model="numpy")
def next_drop(air, key, k, i, before):  # type: ignore[no-untyped-def]
    """Draw drop i of beam k behind the first `before` drops of the mean; return the new `before`, its range [m] and power [W].

    The gap to it is exponential in the mean number of drops, which makes their number up to any range Poisson. The range is
    infinite if none is left.
    """
    before -= math.log(uniform(key, k * 64 + 2 * i))
    last = len(air.drops_before) - 1
    if before >= air.drops_before[last]:
        return before, math.inf, 0.0
    j = np.searchsorted(air.drops_before, before, side="right")
    low, high = air.drops_before[j - 1], air.drops_before[j]
    x = air.drop_range_m[j - 1] + (air.drop_range_m[j] - air.drop_range_m[j - 1]) * (before - low) / (high - low)
    wide, tall = air.emitter_radius_m + x * air.tangent, air.emitter_radius_m + x * air.tangent_vertical
    least = air.least_per_m2 * x * math.sqrt(math.pi * wide * tall) * math.exp(air.extinction_1_m * x)
    larger = 1.0 - math.log(uniform(key, k * 64 + 2 * i + 1)) / least
    return before, x, air.faintest_w * larger * larger
