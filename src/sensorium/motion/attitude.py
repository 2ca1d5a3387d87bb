"""The rotation of a piecewise path: what `path` asks of it, and the kind that goes through given orientations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import multiply, rotate
from sensorium.motion import cubics, rotation_vector
from sensorium.motion.ends import EndRule
from sensorium.motion.rotation_spline import knot_rates

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


class Attitude(ABC):
    """Rotations of pieces, as functions of the seconds since the start of the piece."""

    @property
    def kind(self) -> object:
        """Attitudes of equal kind can be joined."""
        return type(self)

    @abstractmethod
    def quaternions(self, piece: Indices, elapsed_s: Floats) -> Floats:
        """Return unit quaternions wxyz [N, 4]."""

    @abstractmethod
    def rates(self, piece: Indices, elapsed_s: Floats) -> tuple[Floats, Floats]:
        """Return angular velocity [rad/s] and angular acceleration [rad/s^2], both [N, 3] in the world frame."""

    @classmethod
    @abstractmethod
    def joined(cls, attitudes: Sequence[Self]) -> Self:
        """Return one attitude with the pieces of all."""


@dataclass(frozen=True, eq=False)
class Turns(Attitude):
    """Each piece turns from an orientation by a rotation vector that is a cubic polynomial of time."""

    base: Floats
    """Orientation at the start of each piece, wxyz [pieces, 4]."""
    vector_rad: Floats
    """Coefficients [4, 3, pieces], lowest power first, in the frame of the base."""

    @classmethod
    def none(cls, quaternion: Floats, pieces: int) -> Turns:
        """Return one orientation for all times."""
        return cls(np.tile(quaternion, (pieces, 1)), np.zeros((4, 3, pieces)))

    @classmethod
    def through(cls, quaternions: Floats, spans_s: Floats, ends: EndRule) -> Turns:
        """Return the C2 rotation spline through orientations [pieces + 1, 4] less than half a turn apart."""
        from scipy.spatial.transform import Rotation

        turned = Rotation.from_quat(quaternions, scalar_first=True)
        steps = (turned[:-1].inv() * turned[1:]).as_rotvec()
        rates = knot_rates(steps, spans_s, ends)
        vector = _hermite(steps, rates[:-1], rotation_vector.vector_rate(steps, rates[1:]), spans_s[:, None])
        return cls(_one_half_sphere(quaternions)[:-1], vector)

    def quaternions(self, piece: Indices, elapsed_s: Floats) -> Floats:
        """Return base times exponential."""
        turned = cubics.value(self.vector_rad.take(piece, 2), elapsed_s).T
        return multiply(self.base.take(piece, 0), rotation_vector.quaternions(turned))

    def rates(self, piece: Indices, elapsed_s: Floats) -> tuple[Floats, Floats]:
        """Return the exact derivatives of the rotation."""
        vector = self.vector_rad.take(piece, 2)
        speed = cubics.derivative(vector)
        derivatives = (vector, speed, cubics.derivative(speed))
        rate, acceleration = rotation_vector.rates(*(cubics.value(each, elapsed_s).T for each in derivatives))
        base = self.base.take(piece, 0)
        return rotate(base, rate), rotate(base, acceleration)

    @classmethod
    def joined(cls, attitudes: Sequence[Turns]) -> Turns:
        """Return one with all pieces."""
        return cls(
            np.concatenate([each.base for each in attitudes]),
            np.concatenate([each.vector_rad for each in attitudes], 2),
        )


def _hermite(step: Floats, start: Floats, end: Floats, span_s: Floats) -> Floats:
    """Return coefficients [4, 3, pieces] of the cubics from zero to a step with the slopes at both ends."""
    square = (3 * step / span_s - 2 * start - end) / span_s
    cube = (start + end - 2 * step / span_s) / span_s**2
    return np.ascontiguousarray(np.stack((np.zeros_like(step), start, square, cube)).transpose(0, 2, 1))


def _one_half_sphere(quaternions: Floats) -> Floats:
    """Return the same rotations without changes of sign between neighbours."""
    turned = np.sum(quaternions[1:] * quaternions[:-1], -1) < 0
    signs = np.concatenate(([1.0], np.where(np.cumsum(turned) % 2 == 1, -1.0, 1.0)))
    return quaternions * signs[:, None]
