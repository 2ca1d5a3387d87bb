"""Measurement functions and their derivatives inside kernels. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb

POSITION, CROSS_POSITION, ANGLES, RANGE_ANGLES, RADAR, FLAT_RADAR = 0, 1, 2, 3, 4, 5


@nb.njit(cache=True, nogil=True, error_model="numpy")
def size_of(code):  # type: ignore[no-untyped-def]
    """Return how many numbers a measurement has."""
    return 4 if code == RADAR else 2 if code == CROSS_POSITION or code == ANGLES else 3


@nb.njit(cache=True, nogil=True, error_model="numpy")
def kinds_of(code):  # type: ignore[no-untyped-def]
    """Return what a measurement depends on: 1: the place; 2: place and velocity."""
    return 2 if code >= RADAR else 1


@nb.njit(cache=True, nogil=True, error_model="numpy")
def measured(code, place, origin, carried, rotation, h):  # type: ignore[no-untyped-def]
    """Fill h [3 or 4] with what a sensor at `origin` with axes `rotation` [3, 3] (world from sensor) measures of a target.

    place [6] holds place and velocity; the sensor itself moves at `carried` [3]. A radial speed is positive when receding.
    """
    dx, dy, dz = place[0] - origin[0], place[1] - origin[1], place[2] - origin[2]
    x = rotation[0, 0] * dx + rotation[1, 0] * dy + rotation[2, 0] * dz
    y = rotation[0, 1] * dx + rotation[1, 1] * dy + rotation[2, 1] * dz
    z = rotation[0, 2] * dx + rotation[1, 2] * dy + rotation[2, 2] * dz
    if code == POSITION:
        h[0], h[1], h[2] = x, y, z
    elif code == CROSS_POSITION:
        h[0], h[1], h[2] = y, z, 0.0
    elif code == FLAT_RADAR:
        h[0] = math.sqrt(x * x + y * y + z * z)
        h[1], h[2] = math.asin(y / h[0]), _radial_speed(dx, dy, dz, place, carried)
    else:
        azimuth, elevation = math.atan2(y, x), math.atan2(z, math.sqrt(x * x + y * y))
        if code == ANGLES:
            h[0], h[1], h[2] = azimuth, elevation, 0.0
        else:
            h[0], h[1], h[2] = math.sqrt(x * x + y * y + z * z), azimuth, elevation
            if code == RADAR:
                h[3] = _radial_speed(dx, dy, dz, place, carried)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _radial_speed(dx, dy, dz, place, carried):  # type: ignore[no-untyped-def]
    """Return d . (v - c) / |d|: the change of the distance d of a target at v from a sensor at c."""
    along = dx * (place[3] - carried[0]) + dy * (place[4] - carried[1]) + dz * (place[5] - carried[2])
    return along / math.sqrt(dx * dx + dy * dy + dz * dz)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _speed_row(dx, dy, dz, distance, place, carried, row):  # type: ignore[no-untyped-def]
    """Fill row [6] with the derivatives of the radial speed s: ((v - c) - s u) / r by the place, u = d / r by the velocity."""
    speed = _radial_speed(dx, dy, dz, place, carried)
    row[3], row[4], row[5] = dx / distance, dy / distance, dz / distance
    for k in range(3):
        row[k] = (place[3 + k] - carried[k] - speed * row[3 + k]) / distance


@nb.njit(cache=True, nogil=True, error_model="numpy")
def jacobian(code, place, origin, carried, rotation, j):  # type: ignore[no-untyped-def]
    """Fill j [m, 3] with the derivatives of `measured` by the place, or [m, 6] by place and velocity, in world axes."""
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
    if code != ANGLES:
        for k in range(3):
            j[0, k] = (rotation[k, 0] * x + rotation[k, 1] * y + rotation[k, 2] * z) / distance
        row = 1
    if code >= RADAR:
        last = size_of(code) - 1
        j[:last, 3:6] = 0.0
        _speed_row(dx, dy, dz, distance, place, carried, j[last])
    if code == FLAT_RADAR:
        for k in range(3):
            j[1, k] = (rotation[k, 1] - y / distance * j[0, k]) / math.sqrt(range2 - y * y)
        return
    for k in range(3):
        j[row, k] = (rotation[k, 1] * x - rotation[k, 0] * y) / level2
        along = (rotation[k, 0] * x + rotation[k, 1] * y) / level
        j[row + 1, k] = (rotation[k, 2] * level - along * z) / range2


@nb.njit(cache=True, nogil=True, error_model="numpy")
def wrap(code, y):  # type: ignore[no-untyped-def]
    """Bring a difference of azimuths into -pi .. pi, in place."""
    if code == ANGLES:
        y[0] -= 2 * math.pi * math.floor((y[0] + math.pi) / (2 * math.pi))
    elif code == RANGE_ANGLES or code == RADAR:
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
