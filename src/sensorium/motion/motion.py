"""The contract of every motion: pose, twist and acceleration at any time, vectorised over times."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sensorium.core.pose import Pose
from sensorium.core.time import Times
from sensorium.core.vectors import cross

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Kinematics:
    """How a body frame moves, all vectors in the world frame, batch shape [...]."""

    pose: Pose
    """T_world_body."""
    velocity_m_s: Floats
    """Velocity of the frame's origin [..., 3]."""
    angular_velocity_rad_s: Floats
    """Angular velocity [..., 3]."""
    acceleration_m_s2: Floats
    """Acceleration of the frame's origin [..., 3], without gravity."""
    angular_acceleration_rad_s2: Floats
    """Angular acceleration [..., 3]."""

    @classmethod
    def joined(cls, each: Sequence[Kinematics]) -> Kinematics:
        """Return several as one batch, joined along their first axis."""
        pose = Pose(
            np.concatenate([k.pose.position_m for k in each]), np.concatenate([k.pose.quaternion for k in each])
        )
        return cls(
            pose,
            np.concatenate([k.velocity_m_s for k in each]),
            np.concatenate([k.angular_velocity_rad_s for k in each]),
            np.concatenate([k.acceleration_m_s2 for k in each]),
            np.concatenate([k.angular_acceleration_rad_s2 for k in each]),
        )

    def rows(self, index: Any) -> Kinematics:
        """Return a part of the batch, chosen along its first axis."""
        return Kinematics(
            self.pose[index],
            self.velocity_m_s[index],
            self.angular_velocity_rad_s[index],
            self.acceleration_m_s2[index],
            self.angular_acceleration_rad_s2[index],
        )

    def at_mount(self, T_body_mount: Pose) -> Kinematics:  # noqa: N803
        """Return the motion of a frame fixed to the body: v + w x r, a + dw/dt x r + w x (w x r)."""
        pose = self.pose @ T_body_mount
        lever, spin = pose.position_m - self.pose.position_m, self.angular_velocity_rad_s
        swept = cross(spin, lever)
        acceleration = self.acceleration_m_s2 + cross(self.angular_acceleration_rad_s2, lever) + cross(spin, swept)
        return Kinematics(pose, self.velocity_m_s + swept, spin, acceleration, self.angular_acceleration_rad_s2)


class Motion(ABC):
    """A trajectory of a body frame in the world. Implementations are frozen and answer any batch of times.

    Before its first and after its last instant a motion holds still, unless it documents otherwise.
    """

    @abstractmethod
    def pose_at(self, times_ns: Times) -> Pose:
        """Return T_world_body at times [...]; the batch shape of the result is that of the times."""

    @abstractmethod
    def kinematics_at(self, times_ns: Times) -> Kinematics:
        """Return pose and its true first and second derivatives at times [...]."""

    @property
    def moves(self) -> bool:
        """False promises that the pose is the same at all times."""
        return True

    @property
    def step_s(self) -> float:
        """Time between the instants at which the motion is known, for example steps of a physics engine; 0: at all times."""
        return 0.0

    @classmethod
    def poses_of(cls, motions: Sequence[Motion], times_ns: Times) -> Pose:
        """Return poses [len(motions), len(times)] of several motions of this class; override where a batch is faster."""
        each = [motion.pose_at(times_ns) for motion in motions]
        return Pose(np.stack([pose.position_m for pose in each]), np.stack([pose.quaternion for pose in each]))

    @classmethod
    def kinematics_of(cls, motions: Sequence[Motion], times_ns: Times) -> Kinematics:
        """Return kinematics [len(motions), len(times)] of several motions of this class; as with `poses_of`."""
        return Kinematics.joined([motion.kinematics_at(times_ns).rows(np.newaxis) for motion in motions])
