"""A body that stays where it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.pose import Pose
from sensorium.core.time import Times
from sensorium.motion.motion import Kinematics, Motion


@configured
class Fixed(Motion):
    """Stands still at a pose for ever."""

    type: Literal["fixed"] = "fixed"
    pose: Pose = Field(default_factory=Pose.identity)

    @property
    def moves(self) -> bool:
        """A fixed body never moves."""
        return False

    def pose_at(self, times_ns: Times) -> Pose:
        """Return the one pose, once per time."""
        shape = np.shape(times_ns)
        position, quaternion = np.empty((*shape, 3)), np.empty((*shape, 4))
        position[...], quaternion[...] = self.pose.position_m, self.pose.quaternion
        return Pose.unchecked(position, quaternion)

    def kinematics_at(self, times_ns: Times) -> Kinematics:
        """Return the pose with zero derivatives."""
        nothing = np.zeros((*np.shape(times_ns), 3))
        return Kinematics(self.pose_at(times_ns), nothing, nothing, nothing, nothing)

    @classmethod
    def poses_of(cls, motions: Sequence[Motion], times_ns: Times) -> Pose:
        """Return all poses [motions, times] without asking one by one."""
        poses = [motion.pose for motion in motions if isinstance(motion, Fixed)]
        shape = (len(poses), len(times_ns))
        position = np.array([pose.position_m for pose in poses])[:, None]
        quaternion = np.array([pose.quaternion for pose in poses])[:, None]
        return Pose(np.broadcast_to(position, (*shape, 3)), np.broadcast_to(quaternion, (*shape, 4)))
