"""The chip's compiled loop. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.poisson_kernels import poisson
from sensorium.core.random_kernels import normal, normal_pair, uniform


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def digitise(  # type: ignore[no-untyped-def]
    irradiance, exposure_s, per_joule, filters, dark_e_s, full_well, read_noise, prnu, dsnu, gain, black, highest,
    hot_share, hot_e_s, dead_share, stuck_share, dead_column, keys, out,
):  # fmt: skip
    """Fill the numbers [H, W] that the converter gives; `keys`: shot noise, read noise, fixed pattern, defects, hot pixels."""
    rows, columns = out.shape
    shot, read, fixed, faulty, heat = keys[0], keys[1], keys[2], keys[3], keys[4]
    for i in nb.prange(rows):
        for j in range(columns):
            pixel = i * columns + j
            response = per_joule[filters[i & 1, j & 1]]
            light = (
                response[0] * irradiance[i, j, 0]
                + response[1] * irradiance[i, j, 1]
                + response[2] * irradiance[i, j, 2]
            )
            current, alive = dark_e_s, not dead_column[j]
            if hot_share + dead_share + stuck_share > 0.0:
                fate = uniform(faulty, pixel)
                if fate < hot_share:
                    current -= hot_e_s * math.log(uniform(heat, pixel))
                elif fate < hot_share + dead_share:
                    alive = False
                elif alive and fate < hot_share + dead_share + stuck_share:
                    out[i, j] = np.uint16(uniform(heat, pixel) * (highest + 1))
                    continue
            own, offset = normal_pair(fixed, pixel)
            electrons = 0.0
            if alive:
                mean = light * exposure_s * max(0.0, 1.0 + prnu * own) + current * exposure_s
                electrons = min(full_well, poisson(shot, pixel, mean))
            value = gain * (electrons + read_noise * normal(read, pixel) + dsnu * offset) + black
            out[i, j] = np.uint16(min(highest, max(0.0, math.floor(value + 0.5))))
