"""Angular velocities at given orientations that make the rotation between them twice continuously differentiable.

Between two orientations the body turns by a rotation vector p(s) that is a cubic polynomial from 0 to the whole step
t in the span h, with the slopes w0 (angular velocity at the start) and q = J^-1 w1 (at the end; J is the right
Jacobian of t). Written in the body frame its angular acceleration is then

    at the start   6 t / h^2 - 4 w0 / h - 2 q / h
    at the end    -6 t / h^2 + 2 J w0 / h + 4 w1 / h + N(t, q)

with the small term N = (dJ/ds) q. That both are equal at every knot is a linear system for the rates but for N, which
is put in from the rates found before, until nothing changes. (N. Mayorov, "Smooth attitude interpolation", 2019, as
in SciPy's RotationSpline, which however knows neither rest at the ends nor closed paths.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import MotionError
from sensorium.motion import rotation_vector
from sensorium.motion.ends import EndRule

Floats = NDArray[np.float64]

_MOST_ROUNDS = 200


def knot_rates(steps_rad: Floats, spans_s: Floats, ends: EndRule) -> Floats:
    """Return body rates [pieces + 1, 3] at the knots between steps [pieces, 3], rotation vectors in the body frame.

    Ends at rest have no rate, closed paths the same rate and acceleration at both ends, all others no acceleration.
    """
    from scipy.sparse.linalg import splu

    pieces = len(steps_rad)
    start = np.arange(pieces)
    end = (start + 1) % (pieces if ends.closed else pieces + 1)
    rates = np.zeros((end.max() + 1, 3))
    free = slice(1, -1) if ends.rest else slice(None)
    inverse, matrix = _system(steps_rad, spans_s, start, end)
    unknown = np.arange(rates.size).reshape(-1, 3)[free].ravel()
    if not len(unknown):
        return rates
    solve = splu(matrix[unknown][:, unknown]).solve
    pull = 6 * steps_rad / spans_s[:, None] ** 2
    for _ in range(_MOST_ROUNDS):
        slope = np.einsum("nij,nj->ni", inverse, rates[end])
        right = np.zeros_like(rates)
        right[start] += pull
        right[end] += pull + rotation_vector.rates(-steps_rad, -slope, np.zeros_like(slope))[1]
        before = rates.copy()
        rates[free] = solve(right[free].ravel()).reshape(-1, 3)
        if (np.abs(rates - before) <= 1e-13 * (1 + np.abs(rates).max())).all():
            return np.asarray(rates[np.append(start, end[-1])])
    raise MotionError("no smooth rotation goes through these orientations; give more of them, less than 150 deg apart")


def _system(steps_rad: Floats, spans_s: Floats, start: NDArray[np.int64], end: NDArray[np.int64]) -> tuple[Floats, Any]:
    """Return the inverse Jacobians [pieces, 3, 3], and the matrix that takes rates to jumps of acceleration."""
    from scipy.sparse import coo_array

    forth = np.stack(
        [rotation_vector.rates(-steps_rad, np.broadcast_to(e, steps_rad.shape), e)[0] for e in np.eye(3)], -1
    )
    back = np.stack([rotation_vector.vector_rate(steps_rad, e) for e in np.eye(3)], -1)
    same = np.broadcast_to(2 * np.eye(3), forth.shape)
    blocks = np.concatenate((same, back, same, forth)) * np.tile(2 / spans_s, 4)[:, None, None]
    row, column = np.concatenate((start, start, end, end)), np.concatenate((start, end, end, start))
    i, j = np.broadcast_arrays(3 * row[:, None, None] + np.arange(3)[:, None], 3 * column[:, None, None] + np.arange(3))
    return back, coo_array((blocks.ravel(), (i.ravel(), j.ravel()))).tocsc()
