"""Piecewise paths with rotation: one, or many evaluated together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.core.time import Times
from sensorium.motion import cubics
from sensorium.motion.attitude import Attitude
from sensorium.motion.motion import Kinematics
from sensorium.motion.timeline import Timeline

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Path:
    """Positions and rotations of the pieces of one or more curves; the curves' rotations are of one kind."""

    timeline: Timeline
    position_m: Floats
    """Coefficients [4, 3, pieces], lowest power first."""
    attitude: Attitude

    @classmethod
    def joined(cls, paths: Sequence[Path]) -> Path:
        """Return the curves of all paths as one."""
        kind = type(paths[0].attitude)
        return cls(
            Timeline.joined([path.timeline for path in paths]),
            np.concatenate([path.position_m for path in paths], 2),
            kind.joined([path.attitude for path in paths]),
        )

    def poses(self, times_ns: Times, shape: tuple[int, ...]) -> Pose:
        """Return T_world_body of all curves at times [T] as a batch of the shape, which has curves * T elements."""
        return self._poses(*self.timeline.locate(times_ns), shape)

    def kinematics(self, times_ns: Times, shape: tuple[int, ...]) -> Kinematics:
        """Return poses and their derivatives, which are zero before the start and after the end."""
        piece, elapsed_s = self.timeline.locate(times_ns)
        speed = cubics.derivative(self.position_m.take(piece, 2))
        velocity, acceleration = (cubics.value(each, elapsed_s) for each in (speed, cubics.derivative(speed)))
        spin, spin_rate = self.attitude.rates(piece, elapsed_s)
        inside = self.timeline.inside(times_ns).reshape(-1, 1)
        held = [(vectors * inside).reshape(*shape, 3) for vectors in (velocity.T, spin, acceleration.T, spin_rate)]
        return Kinematics(self._poses(piece, elapsed_s, shape), *held)

    def _poses(self, piece: Indices, elapsed_s: Floats, shape: tuple[int, ...]) -> Pose:
        position = cubics.value(self.position_m.take(piece, 2), elapsed_s).T
        quaternion = self.attitude.quaternions(piece, elapsed_s)
        return Pose(np.ascontiguousarray(position).reshape(*shape, 3), quaternion.reshape(*shape, 4))
