"""Measurement functions and their derivatives inside kernels. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb

POSITION, CROSS_POSITION, ANGLES, RANGE_ANGLES = 0, 1, 2, 3


@nb.njit(cache=True, nogil=True, error_model="numpy")
def size_of(code):  # type: ignore[no-untyped-def]
    """Return how many numbers a measurement has."""
    return 2 if code == CROSS_POSITION or code == ANGLES else 3


@nb.njit(cache=True, nogil=True, error_model="numpy")
def measured(code, place, origin, rotation, h):  # type: ignore[no-untyped-def]
    """Fill h [3] with what a sensor at `origin` with axes `rotation` [3, 3] (world from sensor) measures of a place [3]."""
    dx, dy, dz = place[0] - origin[0], place[1] - origin[1], place[2] - origin[2]
    x = rotation[0, 0] * dx + rotation[1, 0] * dy + rotation[2, 0] * dz
    y = rotation[0, 1] * dx + rotation[1, 1] * dy + rotation[2, 1] * dz
    z = rotation[0, 2] * dx + rotation[1, 2] * dy + rotation[2, 2] * dz
    if code == POSITION:
        h[0], h[1], h[2] = x, y, z
    elif code == CROSS_POSITION:
        h[0], h[1], h[2] = y, z, 0.0
    else:
        azimuth, elevation = math.atan2(y, x), math.atan2(z, math.sqrt(x * x + y * y))
        if code == ANGLES:
            h[0], h[1], h[2] = azimuth, elevation, 0.0
        else:
            h[0], h[1], h[2] = math.sqrt(x * x + y * y + z * z), azimuth, elevation


@nb.njit(cache=True, nogil=True, error_model="numpy")
def jacobian(code, place, origin, rotation, j):  # type: ignore[no-untyped-def]
    """Fill j [3, 3] with the derivatives of `measured` by the place, in world axes."""
    if code == POSITION or code == CROSS_POSITION:
        first = code
        for row in range(3 - first):
            for k in range(3):
                j[row, k] = rotation[k, row + first]
        return
    dx, dy, dz = place[0] - origin[0], place[1] - origin[1], place[2] - origin[2]
    x = rotation[0, 0] * dx + rotation[1, 0] * dy + rotation[2, 0] * dz
    y = rotation[0, 1] * dx + rotation[1, 1] * dy + rotation[2, 1] * dz
    z = rotation[0, 2] * dx + rotation[1, 2] * dy + rotation[2, 2] * dz
    level2 = x * x + y * y
    level = math.sqrt(level2)
    range2 = level2 + z * z
    distance = math.sqrt(range2)
    row = 0
    if code == RANGE_ANGLES:
        for k in range(3):
            j[0, k] = (rotation[k, 0] * x + rotation[k, 1] * y + rotation[k, 2] * z) / distance
        row = 1
    for k in range(3):
        j[row, k] = (rotation[k, 1] * x - rotation[k, 0] * y) / level2
        along = (rotation[k, 0] * x + rotation[k, 1] * y) / level
        j[row + 1, k] = (rotation[k, 2] * level - along * z) / range2


@nb.njit(cache=True, nogil=True, error_model="numpy")
def wrap(code, y):  # type: ignore[no-untyped-def]
    """Bring a difference of azimuths into -pi .. pi, in place."""
    if code == ANGLES:
        y[0] -= 2 * math.pi * math.floor((y[0] + math.pi) / (2 * math.pi))
    elif code == RANGE_ANGLES:
        y[1] -= 2 * math.pi * math.floor((y[1] + math.pi) / (2 * math.pi))


@nb.njit(cache=True, nogil=True, error_model="numpy")
def cholesky(a, size, lower):  # type: ignore[no-untyped-def]
    """Fill lower [size, size] with the Cholesky factor of a symmetric matrix; returns whether it is positive definite."""
    for i in range(size):
        for k in range(i + 1):
            total = a[i, k]
            for n in range(k):
                total -= lower[i, n] * lower[k, n]
            if i == k:
                if not total > 0.0:
                    return False
                lower[i, i] = math.sqrt(total)
            else:
                lower[i, k] = total / lower[k, k]
        for k in range(i + 1, size):
            lower[i, k] = 0.0
    return True
