"""A body that another motion carries: fixed to it, or moving relative to it as a wheel does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.pose import Pose
from sensorium.core.time import Times
from sensorium.core.vectors import cross
from sensorium.motion.any_motion import AnyMotion
from sensorium.motion.fixed import Fixed
from sensorium.motion.motion import Kinematics, Motion


@configured
class Attached(Motion):
    """T_world_child(t) = T_world_parent(t) T_parent_child T(t), where T is the pose of the child's own motion.

    The parent and the relative motion keep their own rules for what happens before and after their time.
    """

    type: Literal["attached"] = "attached"
    parent: AnyMotion
    """The motion that carries the child."""
    T_parent_child: Pose = Field(default_factory=Pose.identity)
    """Where the child is on the parent, before its own motion: the mount."""
    motion: AnyMotion = Field(default_factory=Fixed)
    """Of the child relative to the mount, whose frame stands for the world."""

    @property
    def moves(self) -> bool:
        """Moves if the parent moves, or the child on it."""
        return self.parent.moves or self.motion.moves

    @property
    def step_s(self) -> float:
        """That of the coarser one of both."""
        return max(self.parent.step_s, self.motion.step_s)

    def pose_at(self, times_ns: Times) -> Pose:
        """Return T_world_child at times [...]."""
        return self.parent.pose_at(times_ns) @ self.T_parent_child @ self.motion.pose_at(times_ns)

    def kinematics_at(self, times_ns: Times) -> Kinematics:
        """Return the relative motion seen from the moving mount, added to that of the mount.

        With r, v, a, w', dw' of the child in the mount turned to world axes and w, dw of the mount (L. Landau and
        E. Lifshitz, Mechanics, par. 39): v_child = v_mount + w x r + v; a_child = a_mount + dw x r + w x (w x r)
        + 2 w x v (Coriolis) + a; w_child = w + w'; dw_child = dw + dw' + w x w'.
        """
        mount = self.parent.kinematics_at(times_ns).at_mount(self.T_parent_child)
        child = self.motion.kinematics_at(times_ns)
        carried = mount.at_mount(child.pose)
        velocity = mount.pose.rotate(child.velocity_m_s)
        spin = mount.pose.rotate(child.angular_velocity_rad_s)
        coriolis = 2 * cross(mount.angular_velocity_rad_s, velocity)
        spin_rate = mount.pose.rotate(child.angular_acceleration_rad_s2)
        return Kinematics(
            carried.pose,
            carried.velocity_m_s + velocity,
            carried.angular_velocity_rad_s + spin,
            carried.acceleration_m_s2 + coriolis + mount.pose.rotate(child.acceleration_m_s2),
            carried.angular_acceleration_rad_s2 + spin_rate + cross(mount.angular_velocity_rad_s, spin),
        )

    @classmethod
    def poses_of(cls, motions: Sequence[Motion], times_ns: Times) -> Pose:
        """Return poses [motions, times]; parents and relative motions of one kind are evaluated together."""
        attached = [motion for motion in motions if isinstance(motion, Attached)]
        mounts = [motion.T_parent_child for motion in attached]
        mount = Pose(
            np.array([pose.position_m for pose in mounts])[:, None],
            np.array([pose.quaternion for pose in mounts])[:, None],
        )
        parents = _poses([motion.parent for motion in attached], times_ns)
        return parents @ mount @ _poses([motion.motion for motion in attached], times_ns)


def _poses(motions: Sequence[Motion], times_ns: Times) -> Pose:
    """Return poses [motions, times] of motions of any kinds; a motion that stands several times is evaluated once."""
    single = {id(motion): motion for motion in motions}
    kinds: dict[type[Motion], list[Motion]] = {}
    for motion in single.values():
        kinds.setdefault(type(motion), []).append(motion)
    row = {id(motion): number for number, motion in enumerate(motion for kind in kinds.values() for motion in kind)}
    parts = [kind.poses_of(members, times_ns) for kind, members in kinds.items()]
    order = [row[id(motion)] for motion in motions]
    position = np.concatenate([part.position_m for part in parts])[order]
    return Pose(position, np.concatenate([part.quaternion for part in parts])[order])
