"""A body whose nose follows its path: yaw, and if wished pitch, with their exact derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import multiply
from sensorium.motion import cubics
from sensorium.motion.attitude import Attitude
from sensorium.motion.course import courses

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Derivatives = tuple[Floats, Floats, Floats]
"""A quantity with its first and second derivative with respect to time."""

_NO_DIRECTION = 1e-24  # square of a course [m^2/s^2 or so] too short to point anywhere


@dataclass(frozen=True, eq=False)
class Headings(Attitude):
    """Orientation from the course of each piece: two components for the yaw alone, three for yaw and pitch."""

    course: Floats
    """Coefficients [3, 2 or 3, pieces], lowest power first."""
    turn_rad: Floats
    """How far the body turns on the spot during each piece [pieces]."""
    spans_s: Floats
    """Durations [pieces]."""

    @classmethod
    def along(cls, position_m: Floats, spans_s: Floats, components: int, closed: bool) -> Headings:
        """Return the headings of a position's coefficients [4, 3, pieces]."""
        return cls(*courses(position_m, spans_s, components, closed), spans_s)

    @property
    def kind(self) -> object:
        """Those with pitch go with those with pitch."""
        return type(self), self.course.shape[1]

    def quaternions(self, piece: Indices, elapsed_s: Floats) -> Floats:
        """Return Rz(yaw), or Rz(yaw) Ry(pitch)."""
        u = cubics.value(self.course.take(piece, 2), elapsed_s)
        yaw = np.arctan2(u[1], u[0])
        if self.turn_rad.any():
            yaw += self._turned_rad(piece, elapsed_s)[0]
        result = _about(yaw, 3)
        return result if len(u) == 2 else multiply(result, _about(-np.arctan2(u[2], np.hypot(u[0], u[1])), 2))

    def rates(self, piece: Indices, elapsed_s: Floats) -> tuple[Floats, Floats]:
        """Return the exact derivatives; zero where the direction is undefined.

        R = Rz(y) Ry(p) turns with w = y' z + p' n, where n = (-sin y, cos y, 0) and n' = -y' (cos y, sin y, 0).
        """
        course = self.course.take(piece, 2)
        slope = cubics.derivative(course)
        u, du, ddu = (cubics.value(each, elapsed_s) for each in (course, slope, cubics.derivative(slope)))
        turned = self._turned_rad(piece, elapsed_s)
        y, dy, ddy = (a + b for a, b in zip(_angle((u[0], du[0], ddu[0]), (u[1], du[1], ddu[1])), turned, strict=True))
        if len(u) == 2:
            level = np.zeros_like(y)
            return np.stack((level, level, dy), -1), np.stack((level, level, ddy), -1)
        _, dp, ddp = _angle(_length(u[:2], du[:2], ddu[:2]), (-u[2], -du[2], -ddu[2]))
        sine, cosine = np.sin(y), np.cos(y)
        velocity = (-dp * sine, dp * cosine, dy)
        acceleration = (-ddp * sine - dp * dy * cosine, ddp * cosine - dp * dy * sine, ddy)
        return np.stack(velocity, -1), np.stack(acceleration, -1)

    def _turned_rad(self, piece: Indices, elapsed_s: Floats) -> Derivatives:
        """Return the turn on the spot, 10 f^3 - 15 f^4 + 6 f^5 of the whole: no rate or acceleration at its ends."""
        whole, span = self.turn_rad.take(piece), self.spans_s.take(piece)
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
            np.concatenate([each.spans_s for each in attitudes]),
        )


def _about(angle_rad: Floats, axis: int) -> Floats:
    """Return quaternions [N, 4] of turns about x (1), y (2) or z (3)."""
    half = angle_rad / 2
    result = np.zeros((len(half), 4))
    np.cos(half, out=result[:, 0])
    np.sin(half, out=result[:, axis])
    return result


def _angle(x: Derivatives, y: Derivatives) -> Derivatives:
    """Return atan2(y, x): rate (x y' - y x') / r^2, then (x y'' - y x'') / r^2 - 2 rate (x x' + y y') / r^2."""
    square = x[0] * x[0] + y[0] * y[0]
    inverse = np.where(square > _NO_DIRECTION, 1 / np.maximum(square, _NO_DIRECTION), 0.0)
    rate = (x[0] * y[1] - y[0] * x[1]) * inverse
    growth = (x[0] * x[1] + y[0] * y[1]) * inverse
    return np.arctan2(y[0], x[0]), rate, (x[0] * y[2] - y[0] * x[2]) * inverse - 2 * rate * growth


def _length(u: Floats, du: Floats, ddu: Floats) -> Derivatives:
    """Return the length r of plane vectors [2, N]: r' = u.u' / r, r'' = (u'.u' + u.u'' - r'^2) / r."""
    length = np.hypot(u[0], u[1])
    inverse = np.where(length**2 > _NO_DIRECTION, 1 / np.maximum(length, _NO_DIRECTION), 0.0)
    growth = (u * du).sum(0) * inverse
    return length, growth, ((du * du).sum(0) + (u * ddu).sum(0) - growth**2) * inverse
