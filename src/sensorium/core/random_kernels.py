"""Philox 4x32-10 for compiled kernels: a draw is a function of (key, element). Import this lazily: it loads Numba.

`normal` and `uniform` may be called from any kernel; `fill_*` make whole arrays. Salmon et al., SC11, section 3.3. They are
inlined, without branches and calls, so that the compiler makes several draws of a loop at once.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np
from numpy.typing import NDArray

from sensorium.core.arithmetic_kernels import cos_of_turns, log_positive, sin_of_turns

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_UNIT = 2.0**-32


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def philox(key, c0, c1, c2, c3):  # type: ignore[no-untyped-def]
    """Ten rounds over the counter words c0..c3 (uint64 holding 32 bits each); returns four such words."""
    k0, k1 = key & _LOW, key >> _32
    for _ in range(10):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (p1 >> _32) ^ c1 ^ k0, p1 & _LOW, (p0 >> _32) ^ c3 ^ k1, p0 & _LOW
        k0, k1 = (k0 + _W0) & _LOW, (k1 + _W1) & _LOW
    return c0, c1, c2, c3


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def uniform(key, element):  # type: ignore[no-untyped-def]
    """Return a number in (0, 1) for this element; 32 bits of resolution, never 0 or 1."""
    e = np.uint64(element)
    a, _, _, _ = philox(key, e & _LOW, e >> _32, np.uint64(0), np.uint64(0))
    return (np.int64(a) + 0.5) * _UNIT


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def normal_pair(key, element):  # type: ignore[no-untyped-def]
    """Return two independent standard normal numbers for this element.

    Box-Muller: sqrt(-2 ln u1) cos(2 pi u2) and the same with the sine.
    """
    e = np.uint64(element)
    a, b, _, _ = philox(key, e & _LOW, e >> _32, np.uint64(0), np.uint64(0))
    radius, turns = math.sqrt(-2.0 * log_positive((np.int64(a) + 0.5) * _UNIT)), (np.int64(b) + 0.5) * _UNIT
    return radius * cos_of_turns(turns), radius * sin_of_turns(turns)


@nb.njit(cache=True, forceinline=True, error_model="numpy")
def normal(key, element):  # type: ignore[no-untyped-def]
    """Return a standard normal number for this element, the first of its pair."""
    return normal_pair(key, element)[0]


@nb.njit(cache=True, error_model="numpy", nogil=True)
def _fill(key, out, gaussian):  # type: ignore[no-untyped-def]
    for element in range(out.size):
        out[element] = normal(key, element) if gaussian else uniform(key, element)


def fill_normal(key: np.uint64, count: int) -> NDArray[np.float64]:
    """Return standard normal numbers [count]."""
    out = np.empty(count)
    _fill(key, out, True)
    return out


def fill_uniform(key: np.uint64, count: int) -> NDArray[np.float64]:
    """Return numbers [count] uniform in (0, 1)."""
    out = np.empty(count)
    _fill(key, out, False)
    return out
