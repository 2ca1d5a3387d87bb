"""A path during a short window as evenly spaced keys, so that a kernel can find a pose per ray in a few operations.

Position is the cubic Hermite polynomial through key positions and velocities (error h^4 x''''/384), rotation the normalised
linear mix of neighbouring quaternions (error h^2 alpha/8). The number of keys is doubled until both stay below a tolerance at
the middle of every interval, where these errors are largest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import MotionError
from sensorium.core.pose import Pose, rotate
from sensorium.core.time import Times, TimeWindow
from sensorium.motion.motion import Kinematics

Floats = NDArray[np.float64]

POSITION_TOLERANCE_M = 1e-6
ROTATION_TOLERANCE_RAD = 1e-7
_MOST_KEYS = 4097


@dataclass(frozen=True, eq=False)
class PoseTrack:
    """Keys at start, ..., end of a window; one key if nothing moves."""

    window: TimeWindow
    position_m: Floats
    """[K, 3]"""
    step_m: Floats
    """[K, 3] velocity times the time between keys."""
    quaternion: Floats
    """[K, 4] wxyz, neighbours on the same half-sphere."""

    @classmethod
    def over(cls, window: TimeWindow, kinematics_at: Callable[[Times], Kinematics], moves: bool = True) -> PoseTrack:
        """Return the track of a motion with as few keys as its smoothness allows."""
        if not moves or window.duration_ns == 0:
            return cls._through(window, kinematics_at(window.instants(1)))
        count = 3
        while count <= _MOST_KEYS:
            fine = kinematics_at(window.instants(2 * count - 1))
            track = cls._through(window, _every_second(fine))
            if track._misses(fine.pose[1::2]) < 1:
                return track
            count = 2 * count - 1
        raise MotionError(
            f"the motion between {window.start_ns} ns and {window.end_ns} ns jumps or shakes too fast to be followed; "
            "smooth the trajectory or make its bounces longer than a nanosecond"
        )

    @classmethod
    def _through(cls, window: TimeWindow, keys: Kinematics) -> PoseTrack:
        quaternion = keys.pose.quaternion.copy()
        turned = np.sum(quaternion[1:] * quaternion[:-1], -1) < 0  # q and -q are one rotation: stay on one half-sphere
        quaternion[1:][np.cumsum(turned) % 2 == 1] *= -1
        step_s = window.duration_ns * 1e-9 / max(1, len(quaternion) - 1)
        return cls(window, np.ascontiguousarray(keys.pose.position_m), keys.velocity_m_s * step_s, quaternion)

    def _misses(self, middle: Pose) -> float:
        """Return the largest error at the middles, in units of the tolerances."""
        p, m, q = self.position_m, self.step_m, self.quaternion
        position = (p[1:] + p[:-1]) / 2 + (m[:-1] - m[1:]) / 8
        mixed = q[1:] + q[:-1]
        mixed /= np.linalg.norm(mixed, axis=-1, keepdims=True)
        off_m = np.abs(position - middle.position_m).max()
        off_rad = max(np.abs(rotate(mixed, axis) - middle.rotate(axis)).max() for axis in np.eye(3))
        return float(max(off_m / POSITION_TOLERANCE_M, off_rad / ROTATION_TOLERANCE_RAD))


def _every_second(kinematics: Kinematics) -> Kinematics:
    k = kinematics
    return Kinematics(
        k.pose[::2],
        k.velocity_m_s[::2],
        k.angular_velocity_rad_s[::2],
        k.acceleration_m_s2[::2],
        k.angular_acceleration_rad_s2[::2],
    )
