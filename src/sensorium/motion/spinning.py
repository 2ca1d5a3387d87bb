"""A body that turns for ever at a fixed place with a constant angular velocity."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.pose import Pose, multiply
from sensorium.core.time import Times, nanoseconds, seconds
from sensorium.core.units import AngularVelocity3, Seconds
from sensorium.motion import rotation_vector
from sensorium.motion.motion import Kinematics, Motion

Floats = NDArray[np.float64]


@configured
class Spinning(Motion):
    """Turns about a world axis through its origin at all times, also before t0: R(t) = exp([w (t - t0)]x) R(t0)."""

    type: Literal["spinning"] = "spinning"
    pose: Pose = Field(default_factory=Pose.identity)
    """T_world_body at `start_s`."""
    angular_velocity_rad_s: AngularVelocity3
    """In the world frame."""
    start_s: Seconds = 0.0

    @property
    def moves(self) -> bool:
        """A spin of zero moves nothing."""
        return any(self.angular_velocity_rad_s)

    @cached_property
    def _spin(self) -> Floats:
        return np.array(self.angular_velocity_rad_s)

    def pose_at(self, times_ns: Times) -> Pose:
        """Return the pose at times [...]."""
        times = np.asarray(times_ns, np.int64)
        poses = self.poses_of([self], times.ravel())
        return Pose(poses.position_m.reshape(*times.shape, 3), poses.quaternion.reshape(*times.shape, 4))

    def kinematics_at(self, times_ns: Times) -> Kinematics:
        """Return the pose; only the angular velocity is not zero."""
        nothing = np.zeros((*np.shape(times_ns), 3))
        return Kinematics(self.pose_at(times_ns), nothing, nothing + self._spin, nothing, nothing)

    @classmethod
    def poses_of(cls, motions: Sequence[Motion], times_ns: Times) -> Pose:
        """Return poses [motions, times] in one batch."""
        spinning = [motion for motion in motions if isinstance(motion, Spinning)]
        start_ns = np.array([nanoseconds(motion.start_s) for motion in spinning])[:, None]
        since = seconds(np.asarray(times_ns, np.int64) - start_ns)
        turned = np.array([motion._spin for motion in spinning])[:, None] * since[..., None]
        quaternion = multiply(
            rotation_vector.quaternions(turned), _each([motion.pose.quaternion for motion in spinning])
        )
        place = _each([motion.pose.position_m for motion in spinning])
        return Pose(np.broadcast_to(place, (*since.shape, 3)), quaternion)


def _each(vectors: list[Floats]) -> Floats:
    return np.array(vectors)[:, None]
