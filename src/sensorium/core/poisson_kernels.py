"""Poisson numbers for compiled kernels, exact, a function of (key, element) alone. Import this lazily: it loads Numba.

Below a mean of 10 the distribution is summed until it passes a uniform number. From there on: transformed rejection with squeeze
(W. Hoermann, "The transformed rejection method for generating Poisson random variables", Insurance: Mathematics and Economics 12,
1993, algorithm PTRS); attempt t of an element is counter word t of its generator, so that neighbours never share a number.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.core.random_kernels import philox

_LOW, _32 = np.uint64(0xFFFFFFFF), np.uint64(32)
_UNIT = 2.0**-32


@nb.njit(cache=True, error_model="numpy")
def poisson(key, element, mean):  # type: ignore[no-untyped-def]
    """Return a Poisson number of this mean for this element; 0 if the mean is not positive."""
    if not mean > 0.0:
        return 0.0
    e = np.uint64(element)
    low, high = e & _LOW, e >> _32
    if mean < 10.0:
        first, _, _, _ = philox(key, low, high, np.uint64(0), np.uint64(1))
        left = (np.int64(first) + 0.5) * _UNIT
        share, k = math.exp(-mean), 0
        while left > share and k < 1000:
            left -= share
            k += 1
            share *= mean / k
        return float(k)
    b = 0.931 + 2.53 * math.sqrt(mean)
    a = -0.059 + 0.02483 * b
    scale, squeeze, log_mean = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2.0), math.log(mean)
    for attempt in range(10_000):
        first, second, _, _ = philox(key, low, high, np.uint64(attempt), np.uint64(2))
        u, v = (np.int64(first) + 0.5) * _UNIT - 0.5, (np.int64(second) + 0.5) * _UNIT
        us = 0.5 - abs(u)
        k = math.floor((2.0 * a / us + b) * u + mean + 0.43)
        if us >= 0.07 and v <= squeeze:
            return k
        if k < 0.0 or (us < 0.013 and v > us):
            continue
        if math.log(v * scale / (a / (us * us) + b)) <= k * log_mean - mean - math.lgamma(k + 1.0):
            return k
    return math.floor(mean + 0.5)


@nb.njit(cache=True, error_model="numpy", parallel=True, nogil=True)
def fill_poisson(key, means, out):  # type: ignore[no-untyped-def]
    """Fill Poisson numbers [N] of these means [N]."""
    for element in nb.prange(len(means)):
        out[element] = poisson(key, element, means[element])
