"""The exact times at which an encoder's count changes, on a movement in quintic pieces. Import this lazily: it loads Numba.

The disc turns by x = s u with the joint's coordinate u, and its head sees m = x + e sin(x - p), where e is the
eccentricity over the disc's radius (J. R. Lu et al., "Eccentricity error of circular gratings": the head reads the
arc, not the angle). The count is floor(m / r). m rises with x, so the edge between two counts lies at one place of
the joint; when that is passed is the root of a polynomial of fifth degree on a piece of its range where it is monotone.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np
from numpy.typing import NDArray

_JIT = {"cache": True, "nogil": True, "error_model": "numpy"}


@nb.njit(**_JIT)
def _coefficients(h, p0, v0, a0, p1, v1, a1, out):  # type: ignore[no-untyped-def]
    """Write the powers 0..5 in u = 0..1 of the quintic Hermite polynomial."""
    d, b0, b1, c0, c1 = p1 - p0, h * v0, h * v1, h * h * a0, h * h * a1
    out[0], out[1], out[2] = p0, b0, 0.5 * c0
    out[3] = 10.0 * d - 6.0 * b0 - 4.0 * b1 - 1.5 * c0 + 0.5 * c1
    out[4] = -15.0 * d + 8.0 * b0 + 7.0 * b1 + 1.5 * c0 - c1
    out[5] = 6.0 * d - 3.0 * b0 - 3.0 * b1 - 0.5 * c0 + 0.5 * c1


@nb.njit(**_JIT)
def _value(c, degree, u):  # type: ignore[no-untyped-def]
    result = c[degree]
    for power in range(degree - 1, -1, -1):
        result = result * u + c[power]
    return result


@nb.njit(**_JIT)
def _rises_or_falls(c):  # type: ignore[no-untyped-def]
    """Return whether the slope surely keeps its sign on 0..1: its Bernstein coefficients all have the same one."""
    s0, s1, s2, s3, s4 = c[1], 2.0 * c[2], 3.0 * c[3], 4.0 * c[4], 5.0 * c[5]
    b1, b2 = s0 + s1 / 4.0, s0 + s1 / 2.0 + s2 / 6.0
    b3, b4 = s0 + 0.75 * s1 + 0.5 * s2 + 0.25 * s3, s0 + s1 + s2 + s3 + s4
    low, high = min(s0, b1, b2, b3, b4), max(s0, b1, b2, b3, b4)
    return low >= 0.0 or high <= 0.0


@nb.njit(**_JIT)
def _turning_points(c, points):  # type: ignore[no-untyped-def]
    """Write 0, the places on 0..1 where the slope changes its sign, and 1; return how many.

    The roots of a derivative split the range into pieces on which the next lower one is monotone, and so on up to it.
    """
    slopes = np.zeros((5, 6))
    for power in range(5):
        slopes[0, power] = (power + 1) * c[power + 1]
    for order in range(1, 5):
        for power in range(5 - order):
            slopes[order, power] = (power + 1) * slopes[order - 1, power + 1]
    points[0], points[1], count = 0.0, 1.0, 2
    found = np.zeros(8)
    for degree in range(1, 5):
        row = slopes[4 - degree]
        found[0], kept = 0.0, 1
        for piece in range(count - 1):
            low, high = points[piece], points[piece + 1]
            at_low, at_high = _value(row, degree, low), _value(row, degree, high)
            if (at_low < 0.0) == (at_high < 0.0):
                continue
            for _ in range(60):
                middle = 0.5 * (low + high)
                if (_value(row, degree, middle) < 0.0) == (at_low < 0.0):
                    low = middle
                else:
                    high = middle
            found[kept] = 0.5 * (low + high)
            kept += 1
        found[kept] = 1.0
        count = kept + 1
        for place in range(count):
            points[place] = found[place]
    return count


@nb.njit(**_JIT)
def _seen(u, scale, swing, phase):  # type: ignore[no-untyped-def]
    x = scale * u
    return x + swing * math.sin(x - phase) if swing else x


@nb.njit(**_JIT)
def _place_of(m, scale, swing, phase):  # type: ignore[no-untyped-def]
    """Return the joint's coordinate at which the head sees m: Newton's rule, the slope is 1 + e cos(..) > 0."""
    x = m
    if swing:
        for _ in range(30):
            step = (x + swing * math.sin(x - phase) - m) / (1.0 + swing * math.cos(x - phase))
            x -= step
            if abs(step) < 1e-15 * (1.0 + abs(x)):
                break
    return x / scale


@nb.njit(**_JIT)
def _crossing(c, target, low, high):  # type: ignore[no-untyped-def]
    """Return where the polynomial, monotone on low..high, passes a value: Newton's rule, kept inside by bisection."""
    rising = _value(c, 5, high) > _value(c, 5, low)
    span = _value(c, 5, high) - _value(c, 5, low)
    u = low + (high - low) * min(max((target - _value(c, 5, low)) / span, 0.0), 1.0) if span else low
    for _ in range(80):
        error = _value(c, 5, u) - target
        if error == 0.0 or high - low < 1e-15:
            break
        if (error > 0.0) == rising:
            high = u
        else:
            low = u
        slope = c[1] + u * (2.0 * c[2] + u * (3.0 * c[3] + u * (4.0 * c[4] + u * 5.0 * c[5])))
        step = error / slope if slope else 2.0
        if abs(step) < 1e-14:
            u -= step
            break
        u -= step
        if not low <= u <= high:
            u = 0.5 * (low + high)
    return min(max(u, 0.0), 1.0)


@nb.njit(**_JIT)
def _walk(instants, states, scale, swing, phase, r, times, counts):  # type: ignore[no-untyped-def]
    """Return the number of edges; write times [ns] and counts after them as far as there is room."""
    found = 0
    c, points = np.empty(6), np.empty(8)
    for k in range(len(instants) - 1):
        span_ns = instants[k + 1] - instants[k]
        h = span_ns * 1e-9
        p0, p1 = states[0, k], states[0, k + 1]
        _coefficients(h, p0, states[1, k], states[2, k], p1, states[1, k + 1], states[2, k + 1], c)
        if _rises_or_falls(c):
            points[0], points[1], pieces = 0.0, 1.0, 1
        else:
            pieces = _turning_points(c, points) - 1
        for piece in range(pieces):
            low, high = points[piece], points[piece + 1]
            start = p0 if low == 0.0 else _value(c, 5, low)
            end = p1 if high == 1.0 else _value(c, 5, high)
            first = int(math.floor(_seen(start, scale, swing, phase) / r))
            last = int(math.floor(_seen(end, scale, swing, phase) / r))
            way = 1 if last > first else -1
            for number in range(abs(last - first)):
                edge = first + 1 + number if way > 0 else first - number  # the line that is passed
                if found < len(times):
                    u = _crossing(c, _place_of(edge * r, scale, swing, phase), low, high)
                    times[found] = instants[k] + np.int64(np.rint(u * span_ns))
                    counts[found] = edge if way > 0 else edge - 1
                found += 1
    return found


Edges = tuple[NDArray[np.int64], NDArray[np.int64]]


def edges_of(
    instants_ns: NDArray[np.int64], states: NDArray[np.float64], scale: float, swing: float, phase: float, step: float
) -> Edges:
    """Return times [E] and counts after the edges [E] of a movement: states [3, K] are position, velocity, acceleration."""
    times, counts = np.empty(256, np.int64), np.empty(256, np.int64)
    found = _walk(instants_ns, states, scale, swing, phase, step, times, counts)
    if found > len(times):
        times, counts = np.empty(found, np.int64), np.empty(found, np.int64)
        _walk(instants_ns, states, scale, swing, phase, step, times, counts)
    return times[:found], counts[:found]
