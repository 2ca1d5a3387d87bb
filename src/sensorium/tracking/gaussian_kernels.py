"""Update of a mean and its covariance by one measurement. Import this lazily: it loads Numba."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from sensorium.tracking.measurement_kernels import cholesky, jacobian, kinds_of, measured, size_of, wrap

ROOM = (7, 12, 6)
"""Shape of the room that `update` works in."""


@nb.njit(cache=True, nogil=True, error_model="numpy")
def update(order, spread, code, value, noise, origin, carried, rotation, x, p, room):  # type: ignore[no-untyped-def]
    """Update x [n] and p [n, n] in place by a value [m] with a covariance [m, m].

    With S = J P J' + R = L L' and W = P J' L'^-1: x += W L^-1 (z - h), P -= W W', which stays symmetric. J is the
    Jacobian at the mean, or with spread > 0 the statistical linearisation by sigma points. Returns the normalised
    innovation squared and log det S; NaN, and nothing changed, if S is not positive definite. `room` has shape ROOM.
    """
    m, n, kinds = size_of(code), 3 * order, kinds_of(code)
    j, w, y = room[0], room[3], room[4, 0]
    nis, log_det = innovation(order, spread, code, value, noise, origin, carried, rotation, x, p, room)
    if not nis >= 0.0:
        return nis, log_det
    lower = room[2]
    for i in range(n):
        for k in range(m):
            total = 0.0
            for kind in range(kinds):
                for axis in range(3):
                    total += p[i, axis * order + kind] * j[k, 3 * kind + axis]
            for before in range(k):
                total -= w[i, before] * lower[k, before]
            w[i, k] = total / lower[k, k]
    for i in range(n):
        for k in range(m):
            x[i] += w[i, k] * y[k]
        for c in range(i + 1):
            total = p[i, c]
            for k in range(m):
                total -= w[i, k] * w[c, k]
            p[i, c] = total
            p[c, i] = total
    return nis, log_det


@nb.njit(cache=True, nogil=True, error_model="numpy")
def innovation(order, spread, code, value, noise, origin, carried, rotation, x, p, room):  # type: ignore[no-untyped-def]
    """Fill J (room 0), S (1), its Cholesky factor L (2) and L^-1 (z - h) (4); returns |L^-1 (z - h)|^2 and log det S."""
    m, kinds = size_of(code), kinds_of(code)
    j, s, lower, y, place = room[0], room[1], room[2], room[4, 0], room[4, 1]
    for kind in range(kinds):
        for axis in range(3):
            place[3 * kind + axis] = x[axis * order + kind]
    s[:m] = 0.0
    if spread > 0.0:
        if not _sigma_points(order, spread * kinds, code, m, origin, carried, rotation, p, room):
            return np.nan, np.nan
    else:
        measured(code, place, origin, carried, rotation, y)
        jacobian(code, place, origin, carried, rotation, j)
    for i in range(m):
        for k in range(i + 1):
            total = s[i, k] + noise[i, k]
            for kind in range(kinds):
                for other in range(kinds):
                    for a in range(3):
                        for b in range(3):
                            both = j[i, 3 * kind + a] * j[k, 3 * other + b]
                            total += p[a * order + kind, b * order + other] * both
            s[i, k], s[k, i] = total, total
    for i in range(m):
        y[i] = value[i] - y[i]
    wrap(code, y)
    if not cholesky(s, m, lower):
        return np.nan, np.nan
    nis, log_det = 0.0, 0.0
    for i in range(m):
        for k in range(i):
            y[i] -= lower[i, k] * y[k]
        y[i] /= lower[i, i]
        nis += y[i] * y[i]
        log_det += 2.0 * math.log(lower[i, i])
    return nis, log_det


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _sigma_points(order, spread, code, m, origin, carried, rotation, p, room):  # type: ignore[no-untyped-def]
    """Linearise by 2 n + 1 points: the mean and p +- sqrt(c) L_i, L L' the covariance of the n numbers that are measured.

    Most measurements depend on the place alone, n = 3; the points of the other numbers would all measure the same. Fills
    J' = L'^-1 D with D_i = (h_i+ - h_i-) / (2 sqrt(c)), the mean of h, and in S what the linear part leaves over.
    """
    j, s, root, y, place, h, d = room[0], room[1], room[2], room[4, 0], room[4, 1], room[5], room[6]
    n = 3 * kinds_of(code)
    for a in range(n):
        for b in range(n):
            s[a, b] = p[a % 3 * order + a // 3, b % 3 * order + b // 3]
    if not cholesky(s, n, root):
        return False
    s[:n] = 0.0
    width, centre = math.sqrt(spread), room[4, 2]
    measured(code, place, origin, carried, rotation, centre)
    y[:] = 0.0
    for i in range(n):
        for side in range(2):
            step = width if side == 0 else -width
            for a in range(n):
                place[a] += step * root[a, i]
            point = h[2 * i + side]
            measured(code, place, origin, carried, rotation, point)
            for a in range(n):
                place[a] -= step * root[a, i]
            for k in range(m):
                point[k] -= centre[k]
            wrap(code, point)
            for k in range(m):
                y[k] += point[k] / (2 * spread)
        for k in range(m):
            d[i, k] = (h[2 * i, k] - h[2 * i + 1, k]) / (2 * width)
    for a in range(m):
        for b in range(m):
            total = (1 - n / spread) * y[a] * y[b]
            for i in range(2 * n):
                total += (h[i, a] - y[a]) * (h[i, b] - y[b]) / (2 * spread)
            for i in range(n):
                total -= d[i, a] * d[i, b]
            s[a, b] = total
    for k in range(m):  # J'[:, k] = L'^-1 D[:, k], from below
        for i in range(n - 1, -1, -1):
            total = d[i, k]
            for below in range(i + 1, n):
                total -= root[below, i] * j[k, below]
            j[k, i] = total / root[i, i]
        y[k] += centre[k]
    return True
