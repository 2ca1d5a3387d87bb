"""From radiance to counts, pixel by pixel. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.random_kernels import normal
from sensorium.sensors.camera.thermal.uniformity import DEAD, GOOD


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def follow(before, now, kept):  # type: ignore[no-untyped-def]
    """Return what the plates have reached: a part `kept` of the step is still to come."""
    out = np.empty_like(before)
    for y in nb.prange(before.shape[0]):
        for x in range(before.shape[1]):
            out[y, x] = now[y, x] + (before[y, x] - now[y, x]) * kept
    return out


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def read(radiance, gain, offset, kind, figures, keys):  # type: ignore[no-untyped-def]
    """Return counts [H, W] and the same before rounding.

    L' = L + g (L - L_shutter) + o + noise; the noise of a pixel has the variance s^2 (1 - f + f L / L_300) with the part f
    of shot noise; each column and each row has an offset of its own in each image.
    """
    pivot, sigma, shot, reference, column_sigma, row_sigma, low, scale, most = figures
    height, width = radiance.shape
    counts = np.empty((height, width), np.uint16)
    for y in nb.prange(height):
        shift = row_sigma * normal(keys[2], y)
        for x in range(width):
            it = radiance[y, x]
            noise = sigma * math.sqrt(max(0.0, 1.0 - shot + shot * it / reference))
            it += gain[y, x] * (it - pivot) + offset[y, x] + noise * normal(keys[0], y * width + x)
            it += shift + column_sigma * normal(keys[1], x)
            if kind[y, x] != GOOD:
                counts[y, x] = 0 if kind[y, x] == DEAD else most
                continue
            counts[y, x] = np.uint16(min(max(math.floor((it - low) * scale + 0.5), 0.0), most))
    return counts


@nb.njit(cache=True, error_model="numpy", nogil=True)
def replace(counts, kind):  # type: ignore[no-untyped-def]
    """Fill broken pixels with the mean of the good ones among their eight neighbours, or farther out where none is good."""
    height, width = counts.shape
    out = counts.copy()
    for y in range(height):
        for x in range(width):
            reach = 1
            while kind[y, x] != GOOD and reach < max(height, width):
                total, found = 0, 0
                for j in range(max(0, y - reach), min(height, y + reach + 1)):
                    for i in range(max(0, x - reach), min(width, x + reach + 1)):
                        if kind[j, i] == GOOD:
                            total += counts[j, i]
                            found += 1
                if found:
                    out[y, x] = (2 * total + found) // (2 * found)
                    break
                reach += 1
    return out
