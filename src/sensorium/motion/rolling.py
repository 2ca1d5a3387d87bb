"""A wheel that rolls without slip: it turns by the way of its vehicle over its radius."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sensorium.core.time import Times, nanoseconds, seconds
from sensorium.motion.joint import Joint, JointKinematics
from sensorium.motion.motion import Motion

_STEPS_PER_SECOND = 200


@dataclass(frozen=True, eq=False)
class Rolling(Joint):
    """The hinge of a wheel of a vehicle that moves by itself; odometers and encoders may count it.

    The way is the integral of the speed of the vehicle's origin, by Simpson's rule over steps of 5 ms; before and after the
    span it stands still.
    """

    motion: Motion
    radius_m: float
    end_s: float
    start_s: float = 0.0
    kind: Literal["revolute", "prismatic"] = field(default="revolute", init=False)

    @cached_property
    def _table(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Times [s] and the way [m] up to each."""
        steps = max(2, round((self.end_s - self.start_s) * _STEPS_PER_SECOND))
        at_s = np.linspace(self.start_s, self.end_s, 2 * steps + 1)
        speed = self._speed_m_s(np.array([nanoseconds(each) for each in at_s]))
        piece = (at_s[2] - at_s[0]) / 6 * (speed[:-2:2] + 4 * speed[1::2] + speed[2::2])
        return at_s[::2], np.concatenate(([0.0], np.cumsum(piece)))

    def _speed_m_s(self, times_ns: Times) -> NDArray[np.float64]:
        return np.asarray(np.linalg.norm(self.motion.kinematics_at(times_ns).velocity_m_s, axis=-1))

    def kinematics_at(self, times_ns: Times) -> JointKinematics:
        """Return angle, rate and acceleration at times [...]."""
        times = np.asarray(times_ns, np.int64)
        at_s, way_m = self._table
        now_s = seconds(times)
        rolling = (now_s >= self.start_s) & (now_s <= self.end_s)
        motion = self.motion.kinematics_at(times)
        speed = np.linalg.norm(motion.velocity_m_s, axis=-1)
        along = (motion.velocity_m_s * motion.acceleration_m_s2).sum(-1) / np.maximum(speed, 1e-9)
        angle = np.interp(now_s, at_s, way_m) / self.radius_m
        return JointKinematics(
            angle, np.where(rolling, speed, 0.0) / self.radius_m, np.where(rolling, along, 0.0) / self.radius_m
        )
