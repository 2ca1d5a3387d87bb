"""Bodies and joints of a MuJoCo world, as everybody else knows motions and joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from sensorium.core.pose import Pose
from sensorium.core.time import Times
from sensorium.motion.joint import Joint, JointKinematics
from sensorium.motion.motion import Kinematics, Motion
from sensorium.motion.mujoco.dynamics import Dynamics, joint_kind


@dataclass(frozen=True, eq=False)
class MujocoMotion(Motion):
    """A body of a world; before time 0 it stands where it starts. The engine runs on as far as anybody asks."""

    dynamics: Dynamics
    number: int
    """Place of the body in the record."""

    @property
    def step_s(self) -> float:
        """The engine's time step."""
        return self.dynamics.record.step_s

    def pose_at(self, times_ns: Times) -> Pose:
        """Return the pose; exactly the engine's at its steps."""
        times = np.asarray(times_ns, np.int64)
        poses = self.poses_of([self], times.ravel())
        return Pose.unchecked(poses.position_m.reshape(*times.shape, 3), poses.quaternion.reshape(*times.shape, 4))

    def kinematics_at(self, times_ns: Times) -> Kinematics:
        """Return pose, twist and accelerations; exactly the engine's at its steps."""
        times = np.asarray(times_ns, np.int64)
        shape = (*times.shape, 3)
        if not times.size:
            nothing = np.zeros(shape)
            return Kinematics(self.pose_at(times), nothing, nothing, nothing, nothing)
        self.dynamics.reach(int(times.max()))
        pose, rates = self.dynamics.record.kinematics(self.number, times.ravel())
        velocity, spin, acceleration, spin_rate = (rate.reshape(shape) for rate in rates)
        place = Pose.unchecked(pose[:, :3].reshape(shape), pose[:, 3:].reshape(*times.shape, 4))
        return Kinematics(place, velocity, spin, acceleration, spin_rate)

    @classmethod
    def kinematics_of(cls, motions: Sequence[Motion], times_ns: Times) -> Kinematics:
        """Return kinematics [motions, times] without a detour for each."""
        times = np.asarray(times_ns, np.int64)
        moving = [motion for motion in motions if isinstance(motion, MujocoMotion)]
        poses, rates = np.empty((len(moving), len(times), 7)), np.empty((4, len(moving), len(times), 3))
        latest = int(times.max(initial=0))
        for row, motion in enumerate(moving):
            motion.dynamics.reach(latest)
            poses[row], rates[:, row] = motion.dynamics.record.kinematics(motion.number, times)
        return Kinematics(Pose.unchecked(poses[..., :3], poses[..., 3:]), *rates)

    @classmethod
    def poses_of(cls, motions: Sequence[Motion], times_ns: Times) -> Pose:
        """Return poses [motions, times]; bodies of one world are evaluated in one loop."""
        times = np.asarray(times_ns, np.int64)
        moving = [motion for motion in motions if isinstance(motion, MujocoMotion)]
        position, quaternion = np.empty((len(moving), len(times), 3)), np.empty((len(moving), len(times), 4))
        quaternion[..., 0], quaternion[..., 1:] = 1.0, 0.0
        for dynamics in {id(motion.dynamics): motion.dynamics for motion in moving}.values() if len(times) else ():
            rows = [row for row, motion in enumerate(moving) if motion.dynamics is dynamics]
            dynamics.reach(int(times.max()))
            position[rows], quaternion[rows] = dynamics.record.poses([moving[row].number for row in rows], times)
        return Pose.unchecked(position, quaternion)


@dataclass(frozen=True, eq=False)
class MujocoJoint(Joint):
    """A hinge or a slide of a world."""

    dynamics: Dynamics
    name: str

    @cached_property
    def number(self) -> int:
        """Place of the joint in the record."""
        return list(self.dynamics.joints).index(self.name)

    @property
    def kind(self) -> Literal["revolute", "prismatic"]:
        """An angle or a length."""
        return joint_kind(self.dynamics.model, self.dynamics.joints[self.name])

    def kinematics_at(self, times_ns: Times) -> JointKinematics:
        """Return coordinate, rate and acceleration; exactly the engine's at its steps."""
        times = np.asarray(times_ns, np.int64)
        if not times.size:
            return JointKinematics(*np.zeros((3, *times.shape)))
        self.dynamics.reach(int(times.max()))
        return JointKinematics(*self.dynamics.record.joint(self.number, times.ravel()).reshape(3, *times.shape))

    def instants_around(self, start_ns: int, end_ns: int) -> Times:
        """Return the engine's steps that enclose a span; none lies before time 0."""
        self.dynamics.reach(end_ns)
        instants = self.dynamics.record.instants_ns
        first = max(0, int(np.searchsorted(instants, start_ns, "right")) - 1)
        return instants[first : max(int(np.searchsorted(instants, end_ns)), first) + 1]
