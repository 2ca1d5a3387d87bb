"""A path during a short window as evenly spaced keys, so that a kernel can find a pose per ray in a few operations.

Position is the cubic Hermite polynomial through key positions and velocities, rotation the normalised linear mix of
neighbouring quaternions. The number of keys is doubled until both are within a tolerance. What is even about the
middle of an interval is seen there: h^4 x''''/384 and h^2 alpha/8. What is odd is not: of the position it is 1/7 of h
times the error of the slope at the middle, of the rotation sqrt(3)/432 (h omega)^3, however evenly the body turns.

A jump of the velocity, as at a bounce, leaves an error of h/8 times the jump with any number of keys. A track with
the most keys is accepted if it stays within a thousand times the tolerances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensorium.core.errors import MotionError
from sensorium.core.time import Times, TimeWindow
from sensorium.motion.motion import Kinematics

Floats = NDArray[np.float64]

POSITION_TOLERANCE_M = 1e-6
ROTATION_TOLERANCE_RAD = 1e-7
_MOST_KEYS = 4097
_AT_JUMPS = 1000


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
            count = 2 * count - 1
            if track._misses(fine) < (1 if count <= _MOST_KEYS else _AT_JUMPS):
                return track
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

    def _misses(self, fine: Kinematics) -> float:
        """Return the largest error, in units of the tolerances, seen from the motion at the keys and between them."""
        p, m, q = self.position_m, self.step_m, self.quaternion
        middle, step_s = fine.pose[1::2], self.window.duration_ns * 1e-9 / (len(p) - 1)
        position = (p[1:] + p[:-1]) / 2 + (m[:-1] - m[1:]) / 8
        mixed = q[1:] + q[:-1]
        mixed /= np.linalg.norm(mixed, axis=-1, keepdims=True)
        slope = 1.5 * (p[1:] - p[:-1]) - (m[1:] + m[:-1]) / 4
        uneven = np.abs(slope - fine.velocity_m_s[1::2] * step_s).max() / 7
        turn = np.linalg.norm(fine.angular_velocity_rad_s, axis=-1).max() * step_s
        off_m = max(np.abs(position - middle.position_m).max(), uneven)
        mixed *= np.sign(np.sum(mixed * middle.quaternion, axis=-1, keepdims=True))
        off_rad = max(2 * np.linalg.norm(mixed - middle.quaternion, axis=-1).max(), 3**0.5 / 432 * turn**3)
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
