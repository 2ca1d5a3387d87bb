"""What a physics engine has computed so far: every body and joint at every step. It only grows; the past never changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import NANOSECONDS_PER_SECOND, Times

Floats = NDArray[np.float64]
BODY_WIDTH, JOINT_WIDTH = 19, 3
_FIRST_ROWS = 1024


class Record:
    """States at the instants rint(k h); between them `hermite_kernels` says how things move."""

    def __init__(self, bodies: int, joints: int, step_s: float) -> None:
        self.step_s = step_s
        self.count = 0
        self._instants = np.zeros(_FIRST_ROWS, np.int64)
        self._bodies = np.zeros((_FIRST_ROWS, bodies, BODY_WIDTH))
        self._joints = np.zeros((_FIRST_ROWS, joints, JOINT_WIDTH))

    def next_rows(self) -> tuple[Floats, Floats]:
        """Return the rows of the next instant to be written: bodies [B, 19], joints [J, 3]; `grow` makes them count."""
        row = self.count
        if row == len(self._instants):
            self._instants, self._bodies, self._joints = map(
                _twice_as_long, (self._instants, self._bodies, self._joints)
            )
        self._instants[row] = self.instant_ns(row)
        return self._bodies[row], self._joints[row]

    def grow(self) -> None:
        """Add the rows that were written."""
        self.count += 1

    def instant_ns(self, row: int) -> int:
        """Return when a row was or will be reached; computed from its number, so that rounding never adds up."""
        return round(row * self.step_s * NANOSECONDS_PER_SECOND)

    @property
    def end_ns(self) -> int:
        """The last instant that is known."""
        return int(self._instants[self.count - 1])

    @property
    def instants_ns(self) -> Times:
        """All instants [K]."""
        return self._instants[: self.count]

    @property
    def bodies(self) -> Floats:
        """[K, bodies, 19] position, quaternion, velocity, angular velocity, acceleration, angular acceleration."""
        return self._bodies[: self.count]

    @property
    def joints(self) -> Floats:
        """[K, joints, 3] position, velocity, acceleration."""
        return self._joints[: self.count]

    def poses(self, bodies: Sequence[int], times_ns: Times) -> tuple[Floats, Floats]:
        """Return positions [bodies, times, 3] and quaternions [bodies, times, 4]."""
        from sensorium.motion.mujoco import hermite_kernels

        position, quaternion = np.empty((len(bodies), len(times_ns), 3)), np.empty((len(bodies), len(times_ns), 4))
        hermite_kernels.poses(
            self.instants_ns, self.bodies, np.asarray(bodies, np.int64), times_ns, self.step_s, position, quaternion
        )
        return position, quaternion

    def kinematics(self, body: int, times_ns: Times) -> tuple[Floats, Floats]:
        """Return poses [times, 7] and rates [4, times, 3] of one body."""
        from sensorium.motion.mujoco import hermite_kernels

        pose, rates = np.empty((len(times_ns), 7)), np.empty((4, len(times_ns), 3))
        hermite_kernels.kinematics(self.instants_ns, self.bodies, body, times_ns, self.step_s, pose, rates)
        return pose, rates

    def joint(self, number: int, times_ns: Times) -> Floats:
        """Return position, velocity and acceleration [3, times] of one joint."""
        from sensorium.motion.mujoco import hermite_kernels

        out = np.empty((3, len(times_ns)))
        hermite_kernels.joint(self.instants_ns, self.joints, number, times_ns, self.step_s, out)
        return out


def _twice_as_long(rows: NDArray[Any]) -> NDArray[Any]:
    longer = np.zeros((2 * len(rows), *rows.shape[1:]), rows.dtype)
    longer[: len(rows)] = rows
    return longer
