"""Where a body on a path goes at every instant, also at those when it stops.

The direction of travel is that of the velocity, which is no direction where a body stops. A velocity that is zero at
the start of a piece is the polynomial s u(s); for s > 0 it has the direction of u, which is not zero at s = 0. In the
same way a velocity that is zero at the end is (s - h) u(s), with the direction of -u. So every piece has a
polynomial, its course, that points where the body goes, at and around the instants when it stops.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sensorium.motion import cubics

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

_NOTHING = 1e-9  # part of the size of a velocity that rounding may leave where it is zero


def courses(position_m: Floats, spans_s: Floats, components: int, closed: bool) -> tuple[Floats, Floats]:
    """Return the courses [3, components, pieces] of positions [4, 3, pieces], and the turns on the spot [pieces].

    A piece without horizontal movement keeps the course at which the body came. If the body leaves at another, it turns
    by the difference during the last such piece.
    """
    course = _without_stops(cubics.derivative(position_m[:, :components]), spans_s)
    speed = _size(cubics.derivative(position_m), spans_s).max()
    stands = _size(course[:, :2], spans_s) <= _NOTHING * max(float(speed), 1e-300)
    yaw, next_yaw = _yaw_around(course, spans_s, ~stands, closed)
    course[:, :, stands] = 0
    course[0, 0, stands], course[0, 1, stands] = np.cos(yaw[stands]), np.sin(yaw[stands])
    last = stands & ~np.append(stands[1:], closed and stands[0])
    return course, np.where(last, np.remainder(next_yaw - yaw + np.pi, 2 * np.pi) - np.pi, 0.0)


def _without_stops(velocity: Floats, spans_s: Floats) -> Floats:
    """Return velocities [3, components, pieces] divided by s where they are zero at the start, by h - s at the end."""
    course = velocity.copy()
    for _ in range(2):  # the acceleration may be zero as well
        zero = np.linalg.norm(course[0], axis=0) <= _NOTHING * _size(course, spans_s)
        course[:, :, zero] = np.concatenate((course[1:, :, zero], np.zeros_like(course[:1, :, zero])))
        zero = np.linalg.norm(cubics.value(course, spans_s), axis=0) <= _NOTHING * _size(course, spans_s)
        _, u1, u2 = course[:, :, zero]
        course[:, :, zero] = np.stack((-u1 - u2 * spans_s[zero], -u2, np.zeros_like(u2)))
    return course


def _size(polynomial: Floats, spans_s: Floats) -> Floats:
    """Return a bound of the length of vectors [powers, components, pieces] during their pieces."""
    powers = spans_s ** np.arange(len(polynomial))[:, None]
    return np.asarray((np.linalg.norm(polynomial, axis=1) * powers).sum(0))


def _yaw_around(course: Floats, spans_s: Floats, moves: NDArray[np.bool_], closed: bool) -> tuple[Floats, Floats]:
    """Return for each piece the yaw at which the body came, and the yaw at which it leaves for its next movement."""
    count = len(moves)
    if not moves.any():
        return np.zeros(count), np.zeros(count)
    laps = np.tile(moves, 3) if closed else np.pad(moves, count)
    number = np.arange(3 * count)
    before = np.maximum.accumulate(np.where(laps, number, -1))[count : 2 * count]
    after = np.minimum.accumulate(np.where(laps, number, 3 * count)[::-1])[::-1][count : 2 * count]
    none_before, none_after = before < 0, after == 3 * count
    end = cubics.value(course, spans_s)
    came = np.arctan2(end[1], end[0])[before % count]
    leaves = np.arctan2(course[0, 1], course[0, 0])[after % count]
    return np.where(none_before, leaves, came), np.where(none_after, came, leaves)
