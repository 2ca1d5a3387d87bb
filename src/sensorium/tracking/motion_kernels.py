"""Transitions of the motion models inside kernels. Import this lazily: it loads Numba."""

from __future__ import annotations

import numba as nb

WIENER_ACCELERATION, CONSTANT_VELOCITY, FLIGHT = 0, 1, 2


@nb.njit(cache=True, nogil=True, error_model="numpy")
def transition(parameters, axis, dt, f, u, q):  # type: ignore[no-untyped-def]
    """Fill F [3, 3], u [3] and Q [3, 3] of one axis for a time step; models of order 2 use the upper left corner."""
    model, s, g = int(parameters[0]), parameters[1 + axis], parameters[4 + axis]
    t2 = dt * dt
    t3 = t2 * dt
    f[:] = 0.0
    q[:] = 0.0
    f[0, 0], f[0, 1], f[1, 1] = 1.0, dt, 1.0
    u[0], u[1], u[2] = g * t2 / 2, g * dt, 0.0
    if model == WIENER_ACCELERATION:
        f[0, 2], f[1, 2], f[2, 2] = t2 / 2, dt, 1.0
        q[0, 0], q[0, 1], q[0, 2] = s * t3 * t2 / 20, s * t2 * t2 / 8, s * t3 / 6
        q[1, 1], q[1, 2], q[2, 2] = s * t3 / 3, s * t2 / 2, s * dt
        q[1, 0], q[2, 0], q[2, 1] = q[0, 1], q[0, 2], q[1, 2]
    else:
        q[0, 0], q[0, 1], q[1, 1] = s * t3 / 3, s * t2 / 2, s * dt
        q[1, 0] = q[0, 1]
        if model == FLIGHT:
            u[2], q[2, 2] = g, parameters[7] * parameters[7]


@nb.njit(cache=True, nogil=True, error_model="numpy")
def predict(parameters, order, dt, x, p, f, u, q):  # type: ignore[no-untyped-def]
    """Move a mean x [n] and its covariance p [n, n] on in place: x = F x + u, P = F P F' + Q.

    The axes are independent, so P is moved block by block. f [3, 3, 3], u [3, 3] and q [3, 3, 3] are room to work in.
    """
    for axis in range(3):
        transition(parameters, axis, dt, f[axis], u[axis], q[axis])
        first = axis * order
        for i in range(order):
            total = u[axis, i]
            for j in range(i, order):  # F is upper triangular: row i needs nothing that was changed before
                total += f[axis, i, j] * x[first + j]
            x[first + i] = total
    for a in range(3):
        for b in range(a, 3):
            _predict_block(order, a * order, b * order, f[a], f[b], q[a], a == b, p)


@nb.njit(cache=True, nogil=True, error_model="numpy")
def _predict_block(order, row, column, fa, fb, q, diagonal, p):  # type: ignore[no-untyped-def]
    """Replace one block by F_a P F_b' (+ Q on the diagonal), and its mirror image."""
    for i in range(order):  # F_a P, row by row from above: F is upper triangular
        for j in range(order):
            total = 0.0
            for k in range(i, order):
                total += fa[i, k] * p[row + k, column + j]
            p[row + i, column + j] = total
    for i in range(order):
        for j in range(order):
            total = q[i, j] if diagonal else 0.0
            for k in range(j, order):
                total += p[row + i, column + k] * fb[j, k]
            p[row + i, column + j] = total
    for i in range(order):
        for j in range(order):
            if not diagonal or i < j:
                p[column + j, row + i] = p[row + i, column + j]
