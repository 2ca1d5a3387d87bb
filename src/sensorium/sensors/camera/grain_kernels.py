"""What makes plain surfaces look real: grain, patches and courses of bricks. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np
from numpy.typing import NDArray


@nb.njit(cache=True, error_model="numpy", _nrt=False)
def _hash(i, j, k, salt):  # type: ignore[no-untyped-def]
    """Return a number in [0, 1) of a cell of space (lowbias32)."""
    h = (np.uint64(np.int64(i) & 0xFFFFFFFF) * np.uint64(0x8DA6B343)) ^ (
        np.uint64(np.int64(j) & 0xFFFFFFFF) * np.uint64(0xD8163841)
    )
    h = (h ^ (np.uint64(np.int64(k) & 0xFFFFFFFF) * np.uint64(0xCB1AB31F)) ^ np.uint64(salt)) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(16)
    h = (h * np.uint64(0x7FEB352D)) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(15)
    h = (h * np.uint64(0x846CA68B)) & np.uint64(0xFFFFFFFF)
    h ^= h >> np.uint64(16)
    return np.int64(h) / 4294967296.0


def _shuffled() -> NDArray[np.int64]:
    """Return 0..255 in a fixed order without a visible pattern, twice (Fisher and Yates, with a linear congruential generator)."""
    order, state = list(range(256)), 12345
    for place in range(255, 0, -1):
        state = (1103515245 * state + 12345) % 2**31
        other = (state >> 8) % (place + 1)
        order[place], order[other] = order[other], order[place]
    return np.array(order + order, np.int64)


_ORDER = _shuffled()


@nb.njit(cache=True, forceinline=True, error_model="numpy", _nrt=False)
def _smooth(f):  # type: ignore[no-untyped-def]
    return f * f * (3.0 - 2.0 * f)


@nb.njit(cache=True, error_model="numpy", _nrt=False)
def _noise(x, y, z, salt):  # type: ignore[no-untyped-def]
    """Return smooth noise in -1..1 with cells of length one, which repeats after 256 of them.

    Values at the corners of the cells are mixed by 3 f^2 - 2 f^3; they come from a table that is looked up three times, as in
    K. Perlin, "An image synthesizer", SIGGRAPH 1985.
    """
    i, j, k = math.floor(x), math.floor(y), math.floor(z)
    f, g, h = _smooth(x - i), _smooth(y - j), _smooth(z - k)
    i, j, k = (np.int64(i) + salt) & 255, np.int64(j) & 255, np.int64(k) & 255
    a, b = _ORDER[i] + j, _ORDER[i + 1] + j
    aa, ab, ba, bb = _ORDER[a] + k, _ORDER[a + 1] + k, _ORDER[b & 511] + k, _ORDER[(b + 1) & 511] + k
    near = (1.0 - g) * ((1.0 - f) * _ORDER[aa] + f * _ORDER[ba]) + g * ((1.0 - f) * _ORDER[ab] + f * _ORDER[bb])
    far = (1.0 - g) * ((1.0 - f) * _ORDER[aa + 1] + f * _ORDER[ba + 1]) + g * (
        (1.0 - f) * _ORDER[ab + 1] + f * _ORDER[bb + 1]
    )
    return ((1.0 - h) * near + h * far) * (2.0 / 255.0) - 1.0


@nb.njit(cache=True, forceinline=True, error_model="numpy", _nrt=False)
def _kept(size_per_width):  # type: ignore[no-untyped-def]
    """Return what a pixel keeps of a pattern: all of what is 4 times as wide as it, nothing of what is narrower."""
    return min(1.0, max(0.0, (size_per_width - 1.0) * (1.0 / 3.0)))


@nb.njit(cache=True, forceinline=True, error_model="numpy", _nrt=False)
def grained(grains, m, x, y, z, width, nx, ny, nz):  # type: ignore[no-untyped-def]
    """Return the factor on the colour at a place of the body, and the share of mortar there above its mean."""
    factor, per_width = 1.0, 1.0 / max(width, 1e-9)
    for octave in range(3):
        per_m, depth = grains.per_m[m, octave], grains.depth[m, octave]
        if depth > 0.0 and per_width > per_m:
            factor += depth * _kept(per_width / per_m) * _noise(x * per_m, y * per_m, z * per_m, 17 * octave)
    mortar = 0.0
    if grains.kind[m] > 1:
        course, length, joint = grains.course_m[m, 0], grains.course_m[m, 1], grains.course_m[m, 2]
        along = y if abs(nx) > abs(ny) else x
        row = math.floor(z / course)
        shifted = along / length + 0.5 * (row - 2.0 * math.floor(row / 2.0))
        column = math.floor(shifted)
        factor *= 1.0 + grains.course_m[m, 3] * _kept(course * per_width) * (2.0 * _hash(row, column, 0, 5) - 1.0)
        inside = min((z / course - row) * course, (shifted - column) * length)
        share = joint / course + joint / length
        kept = _kept(2.0 * joint * per_width)
        mortar = kept * ((1.0 if inside < joint else 0.0) - share) if abs(nz) < 0.5 else 0.0
        mortar *= grains.course_m[m, 4]
    return max(0.05, factor), mortar
