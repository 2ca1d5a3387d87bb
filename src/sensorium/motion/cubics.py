"""Positions as piecewise cubic polynomials of time: fitting them through points, and their values and derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.motion.ends import EndRule

Floats = NDArray[np.float64]
_REST = (1, np.zeros(3))  # a boundary condition of SciPy: the first derivative is zero


def through(points_m: Floats, spans_s: Floats, ends: EndRule) -> Floats:
    """Return coefficients [4, 3, pieces], lowest power first, of the C2 cubic spline through points [pieces + 1, 3].

    Two neighbouring points at exactly the same place are a stop: the body stands still between them, and each leg
    between stops is a spline of its own that leaves from rest and comes to rest. The acceleration jumps there, as it
    does when brakes hold. One spline over all would swing through the stop and back.
    """
    moving = (points_m[1:] != points_m[:-1]).any(1)
    if moving.all():
        return _leg(points_m, spans_s, ends.conditions)
    if not ends.closed:
        return _legs(points_m, spans_s, moving, ends.conditions)
    first = int(np.argmin(moving))  # a lap that begins with a stop has no leg across its end
    lap_m = np.roll(points_m[:-1], -first, 0)
    lap_m = np.concatenate((lap_m, lap_m[:1]))
    return np.roll(_legs(lap_m, np.roll(spans_s, -first), np.roll(moving, -first), (_REST, _REST)), first, 2)


def _legs(points_m: Floats, spans_s: Floats, moving: NDArray[np.bool_], conditions: Any) -> Floats:
    result = np.zeros((4, 3, len(spans_s)))
    result[0] = points_m[:-1].T
    edges = np.flatnonzero(np.diff(np.concatenate(([0], moving.astype(int), [0]))))
    for start, end in edges.reshape(-1, 2):
        at_start = conditions[0] if start == 0 else _REST
        at_end = conditions[1] if end == len(spans_s) else _REST
        result[:, :, start:end] = _leg(points_m[start : end + 1], spans_s[start:end], (at_start, at_end))
    return result


def _leg(points_m: Floats, spans_s: Floats, conditions: Any) -> Floats:
    from scipy.interpolate import CubicSpline

    times_s = np.concatenate(([0.0], np.cumsum(spans_s)))
    if conditions == "periodic":
        points_m = np.concatenate((points_m[:-1], points_m[:1]))
    return np.ascontiguousarray(CubicSpline(times_s, points_m, bc_type=conditions).c[::-1].transpose(0, 2, 1))


def value(coefficients: Floats, at: Floats) -> Floats:
    """Return the values [components, N] of polynomials [powers, components, N] at arguments [N], by Horner's rule."""
    result = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        result = result * at
        result += coefficient
    return np.asarray(result)


def derivative(coefficients: Floats) -> Floats:
    """Return the coefficients of the derivatives, with one power less."""
    powers = np.arange(1, len(coefficients), dtype=np.float64)
    return np.asarray(coefficients[1:] * powers.reshape(-1, *[1] * (coefficients.ndim - 1)))
