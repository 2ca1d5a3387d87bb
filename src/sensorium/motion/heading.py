"""A body whose nose follows its path: heading, and if wished slope, with their exact derivatives, at standstill as well.

The direction of travel is that of the velocity, which is no direction where a body stops. A velocity that is zero at the
start of a piece has the polynomial s u(s); its direction for s > 0 is that of u, which is not zero at s = 0. In the same way a
velocity that is zero at the end is (s - h) u(s), with the direction of -u. So every piece has a polynomial, its course, that
points where the body goes, at and around the instants when it stops. A piece without movement has the course at which the
body came, and the body turns on the spot, smoothly, towards the course at which it will leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.motion import cubics
from sensorium.motion.attitude import Attitude

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Derivatives = tuple[Floats, Floats, Floats]

_NOTHING = 1e-9  # part of the size of a velocity that rounding may leave where it is zero


@dataclass(frozen=True, eq=False)
class Headings(Attitude):
    """Orientation from the course of each piece: two components for the yaw alone, three for yaw and pitch."""

    course: Floats
    """Coefficients [3, 2 or 3, pieces], lowest power first."""
    turn_rad: Floats
    """How far the body turns on the spot during each piece [pieces]."""
    span_s: Floats
    """[pieces]"""

    @classmethod
    def along(cls, position: Floats, span_s: Floats, components: int, closed: bool) -> Headings:
        """Return the headings of a position's coefficients [4, 3, pieces]."""
        course = _without_stops(cubics.derivative(position[:, :components]), span_s)
        speed = _size(cubics.derivative(position), span_s)
        stands = _size(course[:, :2], span_s) <= _NOTHING * max(float(speed.max()), 1e-300)
        arrival, departure = _nearest_moving(~stands, closed)
        leaves = _yaw_rad(cubics.value(course, np.zeros_like(span_s)))
        comes = _yaw_rad(cubics.value(course, span_s))
        yaw, next_yaw = comes[arrival], leaves[departure]
        course[:, :, stands] = 0
        course[0, 0, stands], course[0, 1, stands] = np.cos(yaw[stands]), np.sin(yaw[stands])
        last = stands & ~np.append(stands[1:], stands[0] if closed else False)
        turn = np.where(last, np.remainder(next_yaw - yaw + np.pi, 2 * np.pi) - np.pi, 0.0)
        return cls(course, turn, span_s)

    def quaternions(self, piece: Indices, elapsed_s: Floats) -> Floats:
        """Return Rz(yaw), or Rz(yaw) Ry(pitch)."""
        course = cubics.value(self.course.take(piece, 2), elapsed_s)
        yaw = _yaw_rad(course)
        if self.turn_rad.any():
            yaw += self._turned_rad(piece, elapsed_s)[0]
        half = yaw / 2
        result = np.zeros((len(piece), 4))
        np.cos(half, out=result[:, 0])
        np.sin(half, out=result[:, 3])
        return result if len(course) == 2 else _pitched(result, -np.arctan2(course[2], np.hypot(course[0], course[1])))

    def rates(self, piece: Indices, elapsed_s: Floats) -> tuple[Floats, Floats]:
        """Return the exact derivatives; zero where the direction is undefined."""
        course = self.course.take(piece, 2)
        slope = cubics.derivative(course)
        u, du, ddu = (cubics.value(each, elapsed_s) for each in (course, slope, cubics.derivative(slope)))
        yaw = _angle((u[0], du[0], ddu[0]), (u[1], du[1], ddu[1]))
        turned = self._turned_rad(piece, elapsed_s)
        yaw = (yaw[0] + turned[0], yaw[1] + turned[1], yaw[2] + turned[2])
        if len(u) == 2:
            level = np.zeros_like(yaw[0])
            return np.stack((level, level, yaw[1]), -1), np.stack((level, level, yaw[2]), -1)
        return _world_rates(yaw, _angle(_length(u[:2], du[:2], ddu[:2]), (-u[2], -du[2], -ddu[2])))

    def _turned_rad(self, piece: Indices, elapsed_s: Floats) -> Derivatives:
        """Return the turn on the spot, 10 f^3 - 15 f^4 + 6 f^5 of the whole: no rate or acceleration at its ends."""
        whole, span = self.turn_rad.take(piece), self.span_s.take(piece)
        f = elapsed_s / span
        rest = 1 - f
        return (
            whole * f**3 * (10 - 15 * f + 6 * f * f),
            whole * 30 * (f * rest) ** 2 / span,
            whole * 60 * f * rest * (rest - f) / span**2,
        )

    @classmethod
    def joined(cls, attitudes: Sequence[Headings]) -> Headings:
        """Return one with all pieces."""
        return cls(
            np.concatenate([each.course for each in attitudes], 2),
            np.concatenate([each.turn_rad for each in attitudes]),
            np.concatenate([each.span_s for each in attitudes]),
        )


def _without_stops(velocity: Floats, span_s: Floats) -> Floats:
    """Return velocities [3, components, pieces] divided by s where they are zero at the start, by h - s at the end."""
    course = velocity.copy()
    for _ in range(2):  # the acceleration may be zero as well
        zero = np.linalg.norm(course[0], axis=0) <= _NOTHING * _size(course, span_s)
        course[:, :, zero] = np.concatenate((course[1:, :, zero], np.zeros_like(course[:1, :, zero])))
        zero = np.linalg.norm(cubics.value(course, span_s), axis=0) <= _NOTHING * _size(course, span_s)
        _, u1, u2 = course[:, :, zero]
        course[:, :, zero] = np.stack((-u1 - u2 * span_s[zero], -u2, np.zeros_like(u2)))
    return course


def _size(polynomial: Floats, span_s: Floats) -> Floats:
    """Return a bound of the length of vectors [powers, components, pieces] during their pieces."""
    powers = span_s ** np.arange(len(polynomial))[:, None]
    return np.asarray((np.linalg.norm(polynomial, axis=1) * powers).sum(0))


def _nearest_moving(moves: NDArray[np.bool_], closed: bool) -> tuple[Indices, Indices]:
    """Return for each piece the moving piece before (else after) it, and the one after (else before) it."""
    count = len(moves)
    if not moves.any():
        return np.arange(count), np.arange(count)
    laps = np.tile(moves, 3) if closed else np.concatenate((np.zeros_like(moves), moves, np.zeros_like(moves)))
    number = np.arange(3 * count)
    before = np.maximum.accumulate(np.where(laps, number, -1))[count : 2 * count]
    after = np.minimum.accumulate(np.where(laps, number, 3 * count)[::-1])[::-1][count : 2 * count]
    none_before, none_after = before < 0, after >= 3 * count
    return np.where(none_before, after, before) % count, np.where(none_after, before, after) % count
